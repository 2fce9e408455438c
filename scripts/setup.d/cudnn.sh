# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# Headers of cuDNN's frontend in $prefix/cudnn/include, from PyPI. Where neither the CUDA Toolkit nor the system has cuDNN
# itself, its headers and libraries lie there too.

cudnn_frontend_wheel=nvidia-cudnn-frontend==1.18.0
cudnn_wheel=nvidia-cudnn-cu13==9.19.0.56

cudnn_missing() { ! stamped "$prefix/cudnn/stamp" "$cudnn_frontend_wheel"; }

# Beside the compiler that `setup --cuda` or the user has installed, or where distributions' packages put it.
has_cudnn() {
  local nvcc
  nvcc=$("$root/scripts/compiler" cuda 2>/dev/null) || nvcc=/usr/local/cuda/bin/nvcc
  [ -e "$(dirname "$(dirname "$nvcc")")/include/cudnn.h" ] || [ -e /usr/include/cudnn.h ]
}

install_cudnn() {
  local new=$prefix/cudnn.new library
  say "lays out the headers of $cudnn_frontend_wheel in $prefix/cudnn (3 MB download)"
  rm -rf "$new" "$prefix/cudnn"
  pip download --no-deps --only-binary :all: --dest "$new" "$cudnn_frontend_wheel"
  python3 "$root/scripts/hip-root/unpack_wheel.py" "$new"/nvidia_cudnn_frontend-*.whl "include/=$new/include"
  if ! has_cudnn; then
    say "lays out $cudnn_wheel there, too (370 MB download)"
    pip download --no-deps --only-binary :all: --dest "$new" "$cudnn_wheel"
    python3 "$root/scripts/hip-root/unpack_wheel.py" "$new"/nvidia_cudnn_cu13-*.whl \
      "nvidia/cudnn/include/=$new/include" "nvidia/cudnn/lib/=$new/lib"
    for library in "$new"/lib/*.so.9; do ln -s "$(basename "$library")" "${library%.9}"; done
  fi
  rm "$new"/*.whl
  echo "$cudnn_frontend_wheel" >"$new/stamp"
  mv "$new" "$prefix/cudnn" # whole or not at all
}
