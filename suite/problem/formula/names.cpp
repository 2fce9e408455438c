// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Names that generated C++, the formula language and the format itself have taken.
#include "suite/problem/formula/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "suite/base/backend.hpp"
#include "suite/problem/formula/formula.hpp"
#include "suite/problem/formula/lexer.hpp"
#include "suite/problem/model/dtype.hpp"
#include "suite/problem/yaml/utf8.hpp"

namespace podium::problem {
namespace {

constexpr std::size_t longest_name = 64;  // characters

constexpr std::array keywords = std::to_array<std::string_view>(
    {"alignas",     "alignof",  "and",        "and_eq",    "asm",       "auto",         "bitand",
     "bitor",       "bool",     "break",      "case",      "catch",     "char",         "char16_t",
     "char32_t",    "char8_t",  "class",      "co_await",  "co_return", "co_yield",     "compl",
     "concept",     "const",    "const_cast", "consteval", "constexpr", "constinit",    "continue",
     "decltype",    "default",  "delete",     "do",        "double",    "dynamic_cast", "else",
     "enum",        "explicit", "export",     "extern",    "false",     "float",        "for",
     "friend",      "goto",     "if",         "inline",    "int",       "long",         "mutable",
     "namespace",   "new",      "noexcept",   "not",       "not_eq",    "nullptr",      "operator",
     "or",          "or_eq",    "private",    "protected", "public",    "register",     "reinterpret_cast",
     "requires",    "return",   "short",      "signed",    "sizeof",    "static",       "static_assert",
     "static_cast", "struct",   "switch",     "template",  "this",      "thread_local", "throw",
     "true",        "try",      "typedef",    "typeid",    "typename",  "union",        "unsigned",
     "using",       "virtual",  "void",       "volatile",  "wchar_t",   "while",        "xor",
     "xor_eq"});

// Of generated headers (Workload, Arguments, workload, arguments, hash), of workloads' maps (name, fill,
// ranks), of the formula and term languages, and the macro I of <complex.h>; may_be_macro() knows the others.
constexpr std::array taken = std::to_array<std::string_view>(
    {"Workload", "Arguments", "Structure", "workload", "arguments", "hash",     "problem",  "std",
     "name",     "fill",      "normal",    "segment",  "ranks",     "eps",      "size",     "infinity",
     "random",   "main",      "I",         "warpSize", "threadIdx", "blockIdx", "blockDim", "gridDim"});

// <podium/NAME.hpp> is a problem's generated header, and these are the SDK's.
constexpr std::array headers = std::to_array<std::string_view>({"kokkos", "blaslt", "hipcub"});

template <class List>
bool has(const List& list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

bool upper(char c) { return std::isupper(static_cast<unsigned char>(c)); }

std::string fault_of_spelling(const std::string& name) {
  const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; };
  const auto inner = [&](char c) { return letter(c) || std::isdigit(static_cast<unsigned char>(c)); };
  if (name.empty() || name.size() > longest_name || !letter(name[0]) ||
      !std::all_of(name.begin(), name.end(), inner))
    return fmt::format("expected a name of at most {} letters, digits and _ that does not begin with a digit",
                       longest_name);
  if (name.starts_with("podium"))
    return "expected a name that does not begin with podium; those are Podium's own";
  return "";
}

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

bool is_keyword(std::string_view name) { return has(keywords, name); }

std::string fault_of_name(const std::string& name) {
  if (std::string fault = fault_of_spelling(name); !fault.empty()) return fault;
  if (is_keyword(name)) return "which is a C++ keyword, expected another name";
  if (name.find("__") != name.npos || (name[0] == '_' && name.size() > 1 && upper(name[1])))
    return "which C++ reserves, expected a name without __ and without _ before a capital";
  if (may_be_macro(name))
    return "which headers of C or C++ may define as a macro, expected small letters, or one capital as in N";
  if (has(taken, name) || has(formula_functions(), name) || dtype_named(name))
    return "which is reserved, expected another name";
  return "";
}

std::string fault_of_problem_name(const std::string& name) {
  if (std::string fault = fault_of_spelling(name); !fault.empty()) return fault;
  return has(headers, name) ? "which is a header of the SDK, expected another name" : "";
}

bool Names::declare(const Cursor& where, const std::string& name, std::string_view what) {
  if (const std::string fault = fault_of_name(name); !fault.empty()) {
    where.mistake_first(fmt::format("found \"{}\", {}", yaml::excerpt(name), fault));
    doubt(name);
    return false;
  }
  const auto [entry, fresh] = entries_.try_emplace(name, Entry{std::string(what), where.key_at().line});
  if (fresh || (what == "index" && entry->second.what == "index")) return true;
  doubt(name);
  where.mistake(fmt::format(
      "found \"{}\", which line {} uses for {} {}, expected a name of its own; rename one of them", name,
      entry->second.line, entry->second.what.find_first_of("aio") == 0 ? "an" : "a", entry->second.what));
  return false;
}

void Names::doubt(const Cursor& section) {
  if (section.is_map())
    for (const Cursor& field : section.fields("")) doubt(field.name());
  if (section.is_list())
    for (const Cursor& item : section.items("")) doubt(item);
  if (section.is_scalar()) doubt(section.raw());
}

void Names::doubt_declared(const Cursor& section) {
  doubt(section);
  any_ |= !section.is_map() && !section.is_list();
}

bool Names::mentions_doubtful(std::string_view text) const {
  if (doubtful_.empty() && !any_) return false;
  const auto used = names_used(text);
  return std::any_of(used.begin(), used.end(), [&](const std::string& name) {
    return doubtful(name) && !has(formula_functions(), name);
  });
}

std::string Names::what_is(const std::string& name) const {
  const auto entry = entries_.find(name);
  return entry == entries_.end() ? "" : entry->second.what;
}

std::vector<std::string> Names::all(std::string_view what) const {
  std::vector<std::string> names;
  for (const auto& [name, entry] : entries_)
    if (entry.what == what) names.push_back(name);
  return names;
}

bool may_be_macro(std::string_view name) {
  return capitals_alone(name) || of_locale(name) || of_vendor(name) ||
         std::find(exceptions.begin(), exceptions.end(), name) != exceptions.end() ||
         std::any_of(beginnings.begin(), beginnings.end(),
                     [&](std::string_view beginning) { return name.starts_with(beginning); });
}

}  // namespace podium::problem
