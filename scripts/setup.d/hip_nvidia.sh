# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# HIP's headers for NVIDIA in $prefix/hip-nvidia, from the distribution's libamdhip64-dev, unpacked but not installed.

hip_nvidia_missing() { ! "$root/scripts/compiler" hip-nvidia >/dev/null 2>&1; }

install_hip_nvidia() {
  local new=$prefix/hip-nvidia.new
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  say "lays out $prefix/hip-nvidia from the headers of libamdhip64-dev"
  (cd "$work" && download_hip_package && dpkg-deb -x libamdhip64-dev_*.deb unpacked) ||
    die 4 "could not download the package libamdhip64-dev (Debian 13, Ubuntu 24.04), which has HIP's headers for NVIDIA"
  rm -rf "$new" "$prefix/hip-nvidia"
  mkdir -p "$new/include"
  cp -r "$work/unpacked/usr/include/hip" "$new/include"
  mv "$new" "$prefix/hip-nvidia" # whole or not at all
  "$root/scripts/compiler" hip-nvidia >/dev/null || die 4 "$prefix/hip-nvidia lacks nvidia_hip_runtime_api.h"
}
