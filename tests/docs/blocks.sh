#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# blocks.sh DOCUMENT HEADING: prints the shell blocks (```sh) of that section, without the indentation of their list.
# Fails if there are none, so that a renamed heading does not pass for a followed one.
set -euo pipefail
awk -v heading="## $2" '
  /^## / { inside = $0 == heading }
  !inside { next }
  match($0, /^ *```/) {
    if (open) { open = 0; print "" } else if ($0 ~ /```sh$/) { open = 1; indent = RLENGTH - 3; found = 1 }
    next
  }
  open { print substr($0, indent + 1) }
  END { exit !found }
' "$1" || { echo "$1 has no shell block under \"$2\"" >&2 && exit 1; }
