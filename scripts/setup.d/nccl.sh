# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# NCCL in $prefix/nccl/{include,lib}, from PyPI, where the CUDA Toolkit and the system have none.

nccl_wheel=nvidia-nccl-cu13==2.28.9

nccl_missing() { ! has_nccl && ! stamped "$prefix/nccl/stamp" "$nccl_wheel"; }

# Beside the compiler that `setup --cuda` or the user has installed, or where distributions' packages put it.
has_nccl() {
  local nvcc
  nvcc=$("$root/scripts/compiler" cuda 2>/dev/null) || nvcc=/usr/local/cuda/bin/nvcc
  [ -e "$(dirname "$(dirname "$nvcc")")/include/nccl.h" ] || [ -e /usr/include/nccl.h ]
}

install_nccl() {
  local new=$prefix/nccl.new
  say "lays out $nccl_wheel in $prefix/nccl (200 MB download)"
  rm -rf "$new" "$prefix/nccl"
  pip download --no-deps --only-binary :all: --dest "$new" "$nccl_wheel"
  python3 "$root/scripts/hip-root/unpack_wheel.py" "$new"/nvidia_nccl_cu13-*.whl \
    "nvidia/nccl/include/=$new/include" "nvidia/nccl/lib/=$new/lib"
  ln -s libnccl.so.2 "$new/lib/libnccl.so"
  rm "$new"/*.whl
  echo "$nccl_wheel" >"$new/stamp"
  mv "$new" "$prefix/nccl" # whole or not at all
}
