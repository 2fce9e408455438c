# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# The formatters and the linter in the versions that CI runs: $prefix/lint/bin.

lint_wheels=(clang-format==22.1.8 clang-tidy==22.1.8 gersemi==0.29.2)

lint_missing() { ! stamped "$prefix/lint/stamp" "${lint_wheels[*]}"; }

install_lint() {
  say "installs into $prefix/lint: ${lint_wheels[*]}"
  rm -rf "$prefix/lint"
  python3 -m venv "$prefix/lint"
  "$prefix/lint/bin/pip" install --quiet --disable-pip-version-check "${lint_wheels[@]}" ||
    die 4 "pip could not install ${lint_wheels[*]}; is PyPI reachable?"
  echo "${lint_wheels[*]}" >"$prefix/lint/stamp"
}
