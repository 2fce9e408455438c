# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# PyPI through a private virtual environment, so that no other Python on the machine is touched.

python_packages=(python3 python3-venv)

pip() {
  if ! [ -x "$prefix/python/bin/pip" ]; then
    mkdir -p "$prefix" || die 4 "cannot write $prefix; set PODIUM_PREFIX to a folder that you own"
    python3 -m venv "$prefix/python"
  fi
  "$prefix/python/bin/pip" --quiet --disable-pip-version-check "$@" ||
    die 4 "pip could not do: $*; is PyPI reachable, and is there room in $prefix?"
}

# A stamp holds what was installed: another list, another installation.
stamped() { [ "$(cat "$1" 2>/dev/null)" = "$2" ]; }
