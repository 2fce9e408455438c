#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# paths.sh SOURCE: every file or folder of this tree that the documents name in backquotes or link to is there, and what they
# link to is in every checkout.
set -euo pipefail
cd "$1"
documents=(README.md CONTRIBUTING.md docs/*.md docs/evidence/*.md)
made_by_steps='^kernels/(row_norm|rms_rows|row_sums|ragged_sums|widened)' # the documents add them
named=$(grep -ohE '(`|\]\()(\.ci|backends|cmake|docs|kernels|scripts|sdk|suite|tests)/[A-Za-z0-9_./-]*' "${documents[@]}" |
  sed -E 's/^(`|\]\()//' | grep -v "$made_by_steps" | sort -u)
[ "$(wc -l <<<"$named")" -ge 10 ] || { echo "found too few paths; does the search still work?" >&2 && exit 1; }
status=0
for path in $named; do
  [ -e "$path" ] || { echo "a document names $path, which is not there" >&2 && status=1; }
done

# Links are relative to their document. What git ignores, as it does runs that nobody has published, lies here alone.
linked=0
while IFS=: read -r document link; do
  link=${link#](} link=${link%)}
  file=$(realpath -m --relative-to=. "$(dirname "$document")/${link%%#*}")
  linked=$((linked + 1))
  if [ ! -e "$file" ]; then
    echo "$document links to $link, which is not there" >&2 && status=1
  elif [ -e .git ] && [ -z "$(git ls-files --cached --others --exclude-standard -- "$file" | head -n 1)" ]; then
    echo "$document links to $link, which git ignores: git add -f" >&2 && status=1
  fi
done < <(grep -oE '\]\([A-Za-z0-9_.][A-Za-z0-9_./-]*(#[A-Za-z0-9_-]+)?\)' "${documents[@]}")
[ "$linked" -ge 50 ] || { echo "found too few links; does the search still work?" >&2 && exit 1; }

# And every link to a heading, of the same document or another, has its heading.
headings() { sed -n 's/^##* //p' "$1" | tr '[:upper:]' '[:lower:]' | sed -E 's/[^[:alnum:] _-]//g; s/ /-/g'; }
links=0
while IFS=: read -r document link; do
  link=${link#](} link=${link%)}
  target=${link%%#*}
  file=$([ -n "$target" ] && realpath --relative-to=. "$(dirname "$document")/$target" || echo "$document")
  links=$((links + 1))
  grep -qx -- "${link#*#}" <<<"$(headings "$file")" || { echo "$document links to $link, which is no heading" >&2 && status=1; }
done < <(grep -oE '\]\([A-Za-z0-9_./-]*#[A-Za-z0-9_-]+\)' "${documents[@]}")
[ "$links" -ge 10 ] || { echo "found too few links to headings; does the search still work?" >&2 && exit 1; }
exit $status
