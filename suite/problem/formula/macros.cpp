// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Found with g++ -dM -E and nvcc -dM -E: all of the standard library, the SDK's headers, CUDA and cuBLAS.
#include "suite/problem/formula/macros.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "suite/base/backend.hpp"

namespace podium::problem {
namespace {

constexpr std::array exceptions = std::to_array<std::string_view>(
    {"alloca",     "assert",       "assert_perror", "be16toh",        "be32toh",  "be64toh",
     "errno",      "htobe16",      "htobe32",       "htobe64",        "htole16",  "htole32",
     "htole64",    "isascii",      "issubnormal",   "le16toh",        "le32toh",  "le64toh",
     "linux",      "major",        "makedev",       "minor",          "offsetof", "math_errhandling",
     "sa_handler", "sa_sigaction", "setjmp",        "sched_priority", "sigmask",  "sigsetjmp",
     "stderr",     "stdin",        "stdout",        "strdupa",        "strndupa", "timeradd",
     "timerclear", "timercmp",     "timerisset",    "timersub",       "toascii",  "unix",
     "va_arg",     "va_copy",      "va_end",        "va_start",       "i386",     "st_atime",
     "st_ctime",   "st_mtime"});

// Of families: M_PIf, SYS_read, PRId64, si_value, pthread_cleanup_push.
constexpr std::array beginnings = std::to_array<std::string_view>(
    {"M_PI", "M_E", "M_1_", "M_2_", "M_LN", "M_LOG", "M_SQRT", "L_ctermid", "L_cuserid", "L_tmpnam",
     "P_tmpdir", "NV_HAS_", "SYS_", "PRI", "SCN", "si_", "sigev_", "pthread_"});

bool capitals_alone(std::string_view name) {
  const auto digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  const auto small = [](char c) { return std::islower(static_cast<unsigned char>(c)) != 0; };
  const std::string_view rest = name.substr(std::min<std::size_t>(name.size(), 1));
  return std::none_of(name.begin(), name.end(), small) && !std::all_of(rest.begin(), rest.end(), digit);
}

// isalpha_l and its like, of a locale.
bool of_locale(std::string_view name) {
  return (name.starts_with("is") || name.starts_with("to")) && name.ends_with("_l");
}

// Before another capital: cudaStreamLegacy.
bool of_vendor(std::string_view name) {
  return std::ranges::any_of(backends(), [&](const Backend& backend) {
    return std::ranges::any_of(backend.macros, [&](const std::string& vendor) {
      return name.starts_with(vendor) && name.size() > vendor.size() &&
             std::isupper(static_cast<unsigned char>(name[vendor.size()]));
    });
  });
}

}  // namespace

bool may_be_macro(std::string_view name) {
  return capitals_alone(name) || of_locale(name) || of_vendor(name) ||
         std::find(exceptions.begin(), exceptions.end(), name) != exceptions.end() ||
         std::any_of(beginnings.begin(), beginnings.end(),
                     [&](std::string_view beginning) { return name.starts_with(beginning); });
}

}  // namespace podium::problem
