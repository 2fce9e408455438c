#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# follow_command.sh SOURCE FOLDER PODIUM: follows CONTRIBUTING on adding a command in FOLDER, where scripts/podium is PODIUM.
set -euo pipefail
source=$1 folder=$2 podium=$3 here=$(dirname "$(readlink -f "$0")")
mkdir -p "$folder/suite/cli/commands" "$folder/scripts"
cd "$folder"
cat >scripts/podium <<END
#!/bin/sh
PODIUM_PROBLEMS="$source/kernels" exec "$podium" "\$@"
END
chmod +x scripts/podium
bash -euo pipefail <("$here/blocks.sh" "$source/CONTRIBUTING.md" 'Add a command')
