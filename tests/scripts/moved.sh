#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# scripts/podium in a checkout that was built and then copied or moved builds it anew, touches nothing of the
# original, and passes none of CMake's lines on. CMake, ninja and scripts/setup are stand-ins that write down where
# they were called.
set -euo pipefail
source=$(cd "$(dirname "$0")/../.." && pwd -P)
folder=$(mktemp -d)
folder=$(cd "$folder" && pwd -P)
trap 'rm -rf "$folder"' EXIT

fail() {
  printf '%s\n' "$*" >&2
  exit 1
}

mkdir -p "$folder/tools" "$folder/first/scripts"
cp "$source/scripts/podium" "$source/scripts/common.sh" "$folder/first/scripts"
printf '#!/bin/sh\n' >"$folder/first/scripts/setup"
cat >"$folder/tools/cmake" <<'END'
#!/bin/sh
echo "cmake $PWD" >>"$CALLS"
[ -e "build/host/CMakeCache.txt" ] || echo "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" >build/host/CMakeCache.txt
END
cat >"$folder/tools/ninja" <<'END'
#!/bin/sh
home=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$2/CMakeCache.txt")
echo "ninja $2 of $home" >>"$CALLS"
[ ! -e "$home/broken" ] || { echo "x.cpp:1: error: broken"; exit 1; }
printf '[0/2] Re-running CMake...\n-- Configuring done\n-- Generating done\n[1/2] Building\n[2/2] Linking\n'
mkdir -p "$2/bin"
printf '#!/bin/sh\necho "podium of %s"\n' "$home" >"$2/bin/podium"
chmod +x "$2/bin/podium"
END
chmod +x "$folder/tools/"* "$folder/first/scripts/"*
export CALLS=$folder/calls PATH=$folder/tools:$PATH PODIUM_PRESET=host PODIUM_PREFIX=$folder/none

# start CHECKOUT: its podium ran, and CMake and ninja worked there alone.
start() {
  : >"$CALLS"
  local said
  said=$("$folder/$1/scripts/podium" 2>"$folder/errors") || fail "$1: $(cat "$folder/errors")"
  [ "$said" = "podium of $folder/$1" ] || fail "$1 started $said"
  grep -q "^ninja $folder/$1/build/host of $folder/$1\$" "$CALLS" || fail "$1: $(cat "$CALLS")"
  ! grep -v "$folder/$1" "$CALLS" || fail "$1 worked elsewhere"
  ! grep '^--' "$folder/errors" || fail "$1: CMake's lines were passed on"
}

start first
cp -a "$folder/first" "$folder/copy"
before=$(cd "$folder/first" && find . -type f -exec cksum {} + | sort)
start copy
[ "$before" = "$(cd "$folder/first" && find . -type f -exec cksum {} + | sort)" ] || fail "the original changed"
mv "$folder/copy" "$folder/moved"
start moved
start first
! grep -q '^cmake' "$CALLS" || fail "the original was configured again"

# By another name it is the same checkout.
ln -s "$folder/first" "$folder/link"
sed -i "s|$folder/first|$folder/link|" "$folder/first/build/host/CMakeCache.txt"
: >"$CALLS"
"$folder/first/scripts/podium" >/dev/null 2>&1
! grep -q '^cmake' "$CALLS" || fail "a link to the checkout was taken for another one"

# A build that fails shows what was said.
touch "$folder/link/broken"
! "$folder/first/scripts/podium" >/dev/null 2>"$folder/errors" || fail "a failed build went unnoticed"
grep -q 'x.cpp:1: error: broken' "$folder/errors" || fail "the compiler's words are missing: $(cat "$folder/errors")"
