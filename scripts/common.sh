# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# What the scripts share: where things are, and how they speak. Sourced, never run.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
me=scripts/$(basename "$0")

say() { printf '%s: %s\n' "$me" "$*" >&2; }

# die STATUS SENTENCE: 4 is a failure of the scripts themselves, which `podium` never exits with.
die() {
  local status=$1
  shift
  say "$*"
  exit "$status"
}

# Where `setup` puts what no package manager owns. Everything in there can be deleted at any time.
default_prefix() {
  if [ "$(id -u)" = 0 ]; then echo /opt/podium; else echo "${XDG_DATA_HOME:-$HOME/.local/share}/podium"; fi
}
prefix=${PODIUM_PREFIX:-$(default_prefix)}

has() { command -v "$1" >/dev/null 2>&1; }

# Whether the kernel shows a GPU of that vendor.
has_nvidia_device() { compgen -G '/dev/nvidia[0-9]*' >/dev/null || [ -e /dev/dxg ]; }
has_amd_device() { [ -e /dev/kfd ]; }

# The preset that fits this machine.
fitting_preset() {
  if [ -n "${PODIUM_PRESET:-}" ]; then
    echo "$PODIUM_PRESET"
  elif has_nvidia_device; then
    echo cuda
  elif has_amd_device; then
    echo hip
  else
    echo host
  fi
}
