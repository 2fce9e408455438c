#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# command.sh SOURCE PODIUM EXTENDED: what CONTRIBUTING promises of the command that it adds. EXTENDED is PODIUM with it.
set -euo pipefail
source=$1 podium=$2 extended=$3 here=$(dirname "$(readlink -f "$0")")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fail() { echo "FAILED: $*" >&2 && exit 1; }

printed=$("$here/follow_change.sh" "$source" "$folder" "$extended" 'Add a command')
written=$(cd "$folder" && find suite -type f)
[ "$written" = suite/cli/commands/workloads.cpp ] || fail "these files are written, one was promised: $written"
grep -qE '^test  [a-z0-9_]+$' <<<"$printed" && grep -q '^bench ' <<<"$printed" || fail "it printed: $printed"

added=$(diff <("$podium" --help) <("$extended" --help)) || true
grep -qE '^> *workloads +A problem.s workloads, one a line$' <<<"$added" || fail "--help does not show it: $added"
[ "$(wc -l <<<"$added")" = 2 ] || fail "--help changes by more than its line: $added"
[ "$("$extended" --help | grep . | tail -n 1)" = "${added#*> }" ] || fail "it is not the last in --help"
"$extended" workloads --help | grep -q "A problem's name, or its file" || fail "its own --help has no options"
status=0
"$extended" workloads nosuch 2>/dev/null || status=$?
[ $status = 2 ] || fail "a problem that is not there ended with exit status $status, not 2"
