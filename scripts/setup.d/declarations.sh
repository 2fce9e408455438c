# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# What vendors declare of their management libraries, with which tests compare what Podium declares itself, in
# $prefix/declarations. No library comes with it: AMD's bindings for Python, which were generated from amdsmi.h and are
# read by Python alone, with nothing behind them; NVIDIA's nvml.h, and rocm_smi.h, unpacked but not installed.

amdsmi_versions=(6.2.0 7.0.2) # of the oldest ROCm that Podium supports, and the newest on PyPI
nvml_wheel=nvidia-nvml-dev-cu12==12.9.79
declarations="amdsmi ${amdsmi_versions[*]} $nvml_wheel librocm-smi-dev"

declarations_missing() { ! stamped "$prefix/declarations/stamp" "$declarations"; }

install_declarations() {
  local new=$prefix/declarations.new version
  say "lays out $prefix/declarations: $declarations"
  rm -rf "$new" "$prefix/declarations"
  for version in "${amdsmi_versions[@]}"; do
    pip install --no-deps --only-binary :all: --target "$new/amdsmi-$version" "amdsmi==$version"
  done
  pip install --no-deps --only-binary :all: --target "$new/nvml" "$nvml_wheel"
  if has apt-get; then
    refresh_package_lists
    (cd "$new" && apt-get download -qq -o APT::Sandbox::User=root librocm-smi-dev && dpkg-deb -x librocm-smi-dev_*.deb rocm_smi) ||
      die 4 "could not download the package librocm-smi-dev, whose rocm_smi.h tests compare with"
    rm "$new"/librocm-smi-dev_*.deb
  fi
  echo "$declarations" >"$new/stamp"
  mv "$new" "$prefix/declarations" # whole or not at all
}
