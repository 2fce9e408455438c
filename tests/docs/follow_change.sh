#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# follow_change.sh SOURCE FOLDER PODIUM HEADING: follows CONTRIBUTING under HEADING in FOLDER, laid out as a checkout with
# one problem, where scripts/podium is PODIUM.
set -euo pipefail
source=$1 folder=$2 podium=$3 heading=$4 here=$(dirname "$(readlink -f "$0")")
rm -rf "$folder"
mkdir -p "$folder/scripts" "$folder/kernels"
(cd "$source" && find suite backends -type d) | (cd "$folder" && xargs mkdir -p)
cp -r "$source/kernels/vector_add" "$folder/kernels"
find "$folder/kernels" -type f | sort >"$folder/there_before"
cd "$folder"
cat >scripts/podium <<END
#!/bin/sh
PODIUM_PROBLEMS="$folder/kernels" exec "$podium" "\$@"
END
chmod +x scripts/podium
bash -euo pipefail <("$here/blocks.sh" "$source/CONTRIBUTING.md" "$heading")
