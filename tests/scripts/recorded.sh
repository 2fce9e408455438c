#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# recorded.sh PODIUM SOURCE: runs that were recorded before are read, in every archive.
set -euo pipefail
podium=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
read=0
for archive in "$2"/results/*/runs.tar.xz; do
  folder=$scratch/$(basename "$(dirname "$archive")")
  mkdir "$folder"
  (cd "$folder" && cmake -E tar xf "$archive")
  while read -r entries; do
    run=$(dirname "$entries")
    "$podium" report "$run" --format csv >"$scratch/report"
    rows=$(wc -l <"$scratch/report")
    [ "$rows" -ge 7 ] || { echo "${run#"$scratch"/} has $rows rows, expected 7 at least" >&2 && exit 1; }
    echo "${run#"$scratch"/}: $rows rows"
    read=$((read + 1))
  done < <(find "$folder" -name entries.jsonl)
done
[ $read -ge 2 ] || { echo "$read runs with entries were found, expected 2 at least" >&2 && exit 1; }
