# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# Compilers of Python kernels, from PyPI, each in an environment of its own: $prefix/triton, $prefix/cutile.

triton_wheels=(triton==3.9.0)
cutile_wheels=('cuda-tile[tileiras]==1.7.0') # with NVIDIA's assembler

triton_missing() { ! "$root/scripts/compiler" triton >/dev/null 2>&1; }
cutile_missing() { ! "$root/scripts/compiler" cutile >/dev/null 2>&1; }

install_triton() { install_kernel_compiler triton "${triton_wheels[@]}"; }
install_cutile() { install_kernel_compiler cutile "${cutile_wheels[@]}"; }

# install_kernel_compiler NAME WHEEL...
install_kernel_compiler() {
  local name=$1
  shift
  say "installs into $prefix/$name: $*"
  rm -rf "${prefix:?}/$name"
  python3 -m venv "$prefix/$name"
  "$prefix/$name/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: "$@" ||
    die 4 "pip could not install $*; is PyPI reachable, and is there room in $prefix?"
}
