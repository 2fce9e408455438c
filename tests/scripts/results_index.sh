#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# results_index.sh PODIUM SOURCE: results/README.md is what `podium publish --index` writes of the packed runs.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for archive in "$2"/results/*/runs.tar.xz; do
  folder=$scratch/$(basename "$(dirname "$archive")")
  mkdir "$folder"
  (cd "$folder" && cmake -E tar xf "$archive")
  cp "$(dirname "$archive")"/calibration.json "$folder" 2>/dev/null || true
done
"$1" publish "$scratch" --index "$scratch/README.md" 2>"$scratch/said" || { cat "$scratch/said" >&2 && exit 1; }
diff -u "$2/results/README.md" "$scratch/README.md" || {
  echo "results/README.md is not what its runs say; run: scripts/evidence --unpack && scripts/podium publish results --index results/README.md" >&2
  exit 1
}
