#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# carried.sh BUILD: installs that build, moves the tree and runs it there: the libraries that Podium was linked with come
# along, but those of compilers and vendors.
set -euo pipefail
build=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cmake --install "$build" --prefix "$folder/first" >/dev/null
mv "$folder/first" "$folder/moved"
moved=$folder/moved
unset LD_LIBRARY_PATH
fail() {
  echo "carried.sh: $*"
  exit 1
}
own='fmt|yaml-cpp|benchmark|seccomp|crypto'
for program in podium podium-judge-host podium-worker-host; do
  needed=$(ldd "$moved/bin/$program" | grep -E "lib($own)" || true)
  [ -n "$needed" ] || fail "$program needs none of $own"
  elsewhere=$(grep -v "$moved/bin/../lib/" <<<"$needed" || true)
  [ -z "$elsewhere" ] || fail "$program loads from elsewhere: $elsewhere"
done
for library in c m stdc++ gcc_s gomp; do
  [ -z "$(compgen -G "$moved/lib/lib$library.so*")" ] || fail "lib$library comes along"
done
PODIUM_CACHE=$folder/cache "$moved/bin/podium" verify vector_add --device host --contestant serial --quiet | tee "$folder/said"
grep -q 'serial  right' "$folder/said" || fail "no contestant is right"
