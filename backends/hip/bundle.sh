#!/bin/sh
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# bundle.sh HIPCC SOURCE BUNDLE: SOURCE, which needs neither headers nor libraries, compiled for every architecture that
# HIPCC knows of those that Podium may meet. Those that it checks itself have to be among them.
set -eu
hipcc=$1 source=$2 bundle=$3
checked='gfx90a gfx942 gfx1100 gfx1201'
others='gfx906 gfx908 gfx950 gfx1030 gfx1101 gfx1102 gfx1150 gfx1151 gfx1200'

compile() { "$hipcc" "$@" --cuda-device-only -O3 -nogpuinc -nogpulib "$source"; }

options=
for target in $checked; do options="$options --offload-arch=$target"; done
for target in $others; do # an older compiler lacks the newest, a newer one may leave out the oldest
  if compile --offload-arch="$target" -fsyntax-only 2>/dev/null; then options="$options --offload-arch=$target"; fi
done
# shellcheck disable=SC2086 # words of their own
compile $options --no-offload-compress -o "$bundle"
