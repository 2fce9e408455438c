# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# NumPy and ml_dtypes, against which tests hold what the judge computes, and SciPy, for Podium's statistics and Google
# Benchmark's compare.py: $prefix/numpy/bin/python3.

numpy_wheels=(numpy==2.4.6 ml_dtypes==0.6.0 scipy==1.17.1) # ml_dtypes: that of tests/numbers; scipy: compare.py

numpy_missing() { ! stamped "$prefix/numpy/stamp" "${numpy_wheels[*]}"; }

install_numpy() {
  say "installs into $prefix/numpy: ${numpy_wheels[*]}"
  rm -rf "$prefix/numpy"
  python3 -m venv "$prefix/numpy"
  "$prefix/numpy/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: "${numpy_wheels[@]}" ||
    die 4 "pip could not install ${numpy_wheels[*]}; is PyPI reachable?"
  echo "${numpy_wheels[*]}" >"$prefix/numpy/stamp"
}
