# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# Distribution packages: which are missing, and their installation as root or through sudo.

# missing_packages NAME...: those that are not installed.
missing_packages() {
  local name
  declare -A installed=()
  while read -r status name; do
    [ "$status" = installed ] && installed[$name]=1
  done < <(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null)
  for name; do [ -n "${installed[$name]:-}" ] || echo "$name"; done
}

# The words to put before a command that needs root; fails if there are none.
as_root() {
  if [ "$(id -u)" = 0 ]; then
    echo env
  elif has sudo && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
    echo sudo env
  else
    return 1
  fi
}

# Once a run: apt-get's lists may be old, or absent on a fresh system.
lists_are_fresh=no
refresh_package_lists() {
  [ $lists_are_fresh = no ] || return 0
  local root_words
  root_words=($(as_root)) || return 0 # then the old lists must do
  "${root_words[@]}" apt-get update -qq >/dev/null 2>&1 || say "apt-get update failed; goes on with the old lists"
  lists_are_fresh=yes
}

# install_packages NAME...: installs those that are missing, or says in one sentence what to ask for.
install_packages() {
  if ! has apt-get; then
    has cmake && has ninja && return 0 # another distribution: CMake will say what it does not find
    die 4 "needs apt-get (Debian, Ubuntu); elsewhere install the counterparts of $*, then cmake --workflow --preset host"
  fi
  local missing root_words log
  missing=($(missing_packages "$@"))
  [ ${#missing[@]} -gt 0 ] || return 0
  root_words=($(as_root)) || die 4 "needs root to install ${missing[*]}: ask for these packages, or run it as root"
  say "installs ${#missing[@]} packages: ${missing[*]}"
  refresh_package_lists
  log=$(mktemp)
  if ! "${root_words[@]}" DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends \
    -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 "${missing[@]}" >"$log" 2>&1 </dev/null; then
    tail -n 15 "$log" >&2
    die 4 "apt-get could not install ${missing[*]}; its messages are above, and all of them are in $log"
  fi
  rm -f "$log"
}
