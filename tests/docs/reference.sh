#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# reference.sh SOURCE: reference pages say what holds. A commit or a date belongs to evidence, docs/evidence.
set -euo pipefail
cd "$1"
hash='(?<![0-9a-z.])(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])([0-9a-f]{7,8}|[0-9a-f]{40})(?![0-9a-z])'
dated="\\bcommits? [0-9a-f]{7}|$hash|\\b20[0-9]{2}-[0-9]{2}-[0-9]{2}\\b"
names() { grep -nP "$dated" "$@"; }
for told in 'commit 1234567 has it' 'since e1b35f0' 'on 2026-11-27'; do
  names <<<"$told" >/dev/null || { echo "the search does not find: $told" >&2 && exit 1; }
done
names docs/evidence/*.md >/dev/null || { echo "docs/evidence names no commit; does the search still work?" >&2 && exit 1; }
if names README.md CONTRIBUTING.md docs/*.md; then
  echo "these lines name a commit or a date: say what holds, and move the evidence to docs/evidence" >&2
  exit 1
fi
