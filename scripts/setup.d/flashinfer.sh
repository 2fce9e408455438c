# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# FlashInfer's headers in $prefix/flashinfer, with the CUTLASS, CCCL and spdlog that its wheel on PyPI brings.

flashinfer_wheel=flashinfer-python==0.7.2.post1
flashinfer_headers=(
  include
  cutlass/include cutlass/tools/util/include
  cccl/libcudacxx/include cccl/cub cccl/thrust
  spdlog/include
)

flashinfer_missing() { ! stamped "$prefix/flashinfer/stamp" "$flashinfer_wheel"; }

install_flashinfer() {
  local new=$prefix/flashinfer.new folder parts=()
  say "lays out the headers of $flashinfer_wheel in $prefix/flashinfer (62 MB download)"
  rm -rf "$new" "$prefix/flashinfer"
  pip download --no-deps --only-binary :all: --dest "$new" "$flashinfer_wheel"
  for folder in "${flashinfer_headers[@]}"; do parts+=("flashinfer/data/$folder/=$new/$folder"); done
  python3 "$root/scripts/hip-root/unpack_wheel.py" "$new"/flashinfer_python-*.whl "${parts[@]}"
  rm "$new"/flashinfer_python-*.whl
  echo "$flashinfer_wheel" >"$new/stamp"
  mv "$new" "$prefix/flashinfer" # whole or not at all
}
