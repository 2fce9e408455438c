#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# bare.sh FOLDER COMMAND...: makes a bare Debian 12 in FOLDER (kept, if it is there), copies this checkout to /podium in
# it without its builds, and runs COMMAND there, timed. Needs root and debootstrap; ctest does not run it. A newcomer's
# first minutes:
#   tests/bare/bare.sh /var/tmp/bare scripts/podium run        removing /var/tmp/bare makes it bare again
set -euo pipefail
[ $# -ge 2 ] || { sed -n '4,7s/^# \{0,1\}//p' "$0" && exit 2; }
checkout=$(cd "$(dirname "$(readlink -f "$0")")/../.." && pwd -P)
folder=$1
shift

if ! [ -e "$folder/etc/debian_version" ]; then
  debootstrap --variant=minbase bookworm "$folder" >"$folder.log" || { tail "$folder.log" && exit 1; }
  # The same archives that this machine has of that release: security and updates are part of any installed Debian.
  apt-get indextargets --format 'deb $(REPO_URI) $(CODENAME) main' 'Created-By: Packages' | grep ' bookworm' | sort -u \
    >"$folder/etc/apt/sources.list"
fi
cp /etc/resolv.conf "$folder/etc/"
environment=(PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM="${TERM:-dumb}" LANG=C.UTF-8)
if [ -n "${PIP_CERT:-}" ]; then # behind a proxy with a certificate of its own
  cp -L "$PIP_CERT" "$folder/etc/pip-cert.crt"
  environment+=(PIP_CERT=/etc/pip-cert.crt)
fi
mkdir -p "$folder/podium"
tar -C "$checkout" --exclude=./build --exclude=./.git -cf - . | tar -C "$folder/podium" -xf -

mount -t proc proc "$folder/proc"
trap 'umount "$folder/proc"' EXIT
time env -i "${environment[@]}" chroot "$folder" sh -c 'cd /podium && exec "$@"' - "$@"
