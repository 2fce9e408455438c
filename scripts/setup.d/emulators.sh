# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# What emulators are made of: AMD's tables of instructions, which tinygrad carries, in $prefix/emulators. A plain folder
# and no virtual environment: workers, which are other users, read it with the distribution's Python.

emulator_wheels=(tinygrad==0.14.0) # the translator knows this version's names

emulators_missing() { ! stamped "$prefix/emulators/stamp" "${emulator_wheels[*]}"; }

install_emulators() {
  say "installs into $prefix/emulators: ${emulator_wheels[*]}"
  rm -rf "$prefix/emulators"
  pip install --no-deps --only-binary :all: --target "$prefix/emulators" "${emulator_wheels[@]}"
  echo "${emulator_wheels[*]}" >"$prefix/emulators/stamp"
}
