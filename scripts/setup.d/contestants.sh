# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# The interpreter of contestants in Python, and its packages: $prefix/contestants/bin/python3.

contestants_wheels=(numpy==2.4.6 numba==0.68.1 ml_dtypes==0.6.0)
contestants_jax_wheels=(jax==0.10.2)

# More than is asked for will do.
contestants_missing() { [[ "$(cat "$prefix/contestants/stamp" 2>/dev/null)" != "${contestants_wheels[*]}"* ]]; }

add_contestants_jax() { contestants_wheels+=("${contestants_jax_wheels[@]}"); }

# Contestants run as another user, who must be able to read the interpreter: one in root's home folder will not do.
python_for_others() {
  local candidate prefix
  for candidate in "$(command -v python3 || true)" /usr/bin/python3; do
    [ -x "$candidate" ] || continue
    prefix=$("$candidate" -I -c 'import sys; print(sys.base_prefix if sys.version_info >= (3, 10) else "")') || continue
    if [ -n "$prefix" ] && { [ "$(id -u)" != 0 ] || open_to_all "$prefix"; }; then echo "$candidate" && return; fi
  done
  die 4 "no Python 3.10 or later that other users can read; install the package python3-venv, or set PODIUM_PYTHON"
}

open_to_all() { # FOLDER
  local folder=$1
  while [ "$folder" != / ]; do
    [ $((0$(stat -L -c %a "$folder") & 1)) = 1 ] || return 1
    folder=$(dirname "$folder")
  done
}

install_contestants() {
  local python
  python=$(python_for_others) || exit
  say "installs into $prefix/contestants: ${contestants_wheels[*]}"
  rm -rf "${prefix:?}/contestants"
  (umask 022 && "$python" -m venv "$prefix/contestants" &&
    "$prefix/contestants/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: \
      "${contestants_wheels[@]}") ||
    die 4 "pip could not install ${contestants_wheels[*]}; is PyPI reachable, and is there room in $prefix?"
  echo "${contestants_wheels[*]}" >"$prefix/contestants/stamp"
}
