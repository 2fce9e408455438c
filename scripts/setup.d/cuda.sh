# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# The CUDA Toolkit from NVIDIA's wheels on PyPI: $prefix/cuda/nvidia/cu13/{bin/nvcc,include,lib}.

cuda_wheels=(
  nvidia-cuda-nvcc nvidia-nvvm nvidia-cuda-crt # compiler
  nvidia-cuda-runtime nvidia-cuda-nvrtc nvidia-cuda-cccl nvidia-cublas
)
cuda_version='13.0.*'
cuda_libraries=( # numbered on their own
  'nvidia-cusolver==12.0.4.*' 'nvidia-cusparse==12.6.*' "nvidia-nvjitlink==$cuda_version"
)
oldest_driver=580 # the first that runs CUDA 13.0

cuda_missing() { ! "$root/scripts/compiler" cuda >/dev/null 2>&1; }

install_cuda() {
  say "installs the CUDA ${cuda_version%.*} compiler and libraries into $prefix/cuda (1 GB download): ${cuda_wheels[*]} ${cuda_libraries[*]}"
  warn_of_old_driver
  rm -rf "$prefix/cuda.new" "$prefix/cuda"
  pip install --no-deps --target "$prefix/cuda.new" "${cuda_wheels[@]/%/==$cuda_version}" "${cuda_libraries[@]}"
  complete_cuda_layout "$prefix/cuda.new/nvidia/cu13"
  mv "$prefix/cuda.new" "$prefix/cuda" # whole or not at all
  "$root/scripts/compiler" cuda >/dev/null || die 4 "the CUDA compiler in $prefix/cuda does not run on this machine"
}

# The wheels leave out what only a linker needs: libNAME.so beside libNAME.so.13, and lib64.
complete_cuda_layout() {
  local library
  for library in "$1"/lib/*.so.*; do
    [ -e "${library%.so.*}.so" ] || ln -s "$(basename "$library")" "${library%.so.*}.so"
  done
  [ -e "$1/lib64" ] || ln -s lib "$1/lib64"
}

warn_of_old_driver() {
  local driver
  driver=$(sed -n 's/^NVRM.* \([0-9]\{3,\}\)\.[0-9.]* .*/\1/p' /proc/driver/nvidia/version 2>/dev/null) || return 0
  [ -z "$driver" ] || [ "$driver" -ge $oldest_driver ] ||
    say "the NVIDIA driver $driver is older than $oldest_driver, which CUDA 13 needs: update it, or install CUDA Toolkit 12.8"
}
