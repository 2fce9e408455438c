# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# What `podium publish` and `podium report --format parquet` run: $prefix/publish/bin/python3. And what the tests of the
# site need beside it: a browser, what drives it, and an accessibility checker in $prefix/site-tests.

publish_wheels=(jinja2==3.1.6 pygments==2.21.0 pygal==3.1.3 pyarrow==26.0.1)
publish_packages=(node-diff) # jsdiff, which a page loads from beside it
site_tests_wheels=(playwright==1.65.2 axe-playwright-python==0.1.8)

publish_missing() { ! stamped "$prefix/publish/stamp" "${publish_wheels[*]}"; }
site_tests_missing() { ! stamped "$prefix/site-tests/stamp" "${site_tests_wheels[*]}"; }

install_publish() { install_environment publish "${publish_wheels[@]}"; }
install_site_tests() { install_environment site-tests "${site_tests_wheels[@]}"; }

# install_environment NAME WHEEL...: a Python with these wheels in $prefix/NAME.
install_environment() {
  local folder=$prefix/$1
  shift
  say "installs into $folder: $*"
  rm -rf "$folder"
  python3 -m venv "$folder" || die 4 "cannot write $folder; set PODIUM_PREFIX to a folder that you own"
  "$folder/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: "$@" ||
    die 4 "pip could not install $*; is PyPI reachable?"
  echo "$*" >"$folder/stamp"
}

# Playwright's own browsers come from elsewhere than a package archive; it drives any Chromium that is there.
add_browser_package() {
  [ -z "${PODIUM_CHROMIUM:-}" ] && ! has chromium && ! has google-chrome || return 0
  if grep -qsx 'ID=ubuntu' /etc/os-release; then
    die 4 "Ubuntu has Chromium as a snap alone, which apt-get cannot install everywhere: install Google Chrome, or name a Chromium in PODIUM_CHROMIUM"
  fi
  packages+=(chromium)
}
