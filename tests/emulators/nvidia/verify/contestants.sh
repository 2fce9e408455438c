#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# contestants.sh PODIUM SOURCE-FOLDER PROBLEM [RIGHT]: none of a problem's CUDA contestants is wrong, and as many rows are
# right. Triton's count where it is installed, or where PODIUM_TEST_TRITON says that it is.
source "$(dirname "$(readlink -f "$0")")/common.sh"

expect 0 "$podium" verify "$3" --quiet --device $device
right=$(grep -cE '^[^ ]+/[^ ]+ +[^ ]+ +right ' "$said")
[ -n "${PODIUM_TEST_TRITON:-}" ] || right=$((right + $(grep -c 'needs triton, which was not found' "$said" || true)))
[ "$right" = "${4:-$right}" ] || fail "$right rows are right, expected ${4:-}:"
