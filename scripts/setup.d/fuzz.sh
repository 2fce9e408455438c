# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# The distribution's clang and the package with libFuzzer, which is named by clang's version.

fuzz_missing() { ! clang++ -fsanitize=fuzzer,address -x c++ - -o /dev/null <<<"$smallest_fuzzer" >/dev/null 2>&1; }
smallest_fuzzer='extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }'


clang_version() { LC_ALL=C apt-cache depends clang 2>/dev/null | sed -n 's/.*Depends: clang-\([0-9]*\)$/\1/p'; }

add_fuzz_packages() {
  [ -n "$(clang_version)" ] || refresh_package_lists
  [ -n "$(clang_version)" ] || die 4 "needs clang with libFuzzer, and apt-get knows none of that name"
  packages+=(clang "libclang-rt-$(clang_version)-dev")
}
