// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/compile/languages/language.hpp"

#include <algorithm>
#include <iterator>

namespace podium::compile {

// Each defined in a file of its own beside this one.
using Rows = std::vector<Language>;
Rows code_objects();
Rows cutile();
Rows kokkos();
Rows native();
Rows of_vendors();
Rows portable();
Rows python();
Rows sealed_of_vendors();
Rows sealed_portable();
Rows triton();

namespace {

Rows table() {
  Rows all;
  for (const auto rows : {portable, of_vendors, native, kokkos, python, sealed_portable, sealed_of_vendors,
                          triton, cutile, code_objects})
    std::ranges::move(rows(), std::back_inserter(all));
  return all;
}

}  // namespace

const std::vector<Language>& languages() {
  static const std::vector<Language> all = table();
  return all;
}

const Language* language_of(std::string_view filename) {
  const Language* found = nullptr;
  for (const auto& one : languages())
    if (filename.size() > one.suffix.size() && filename.ends_with(one.suffix) &&
        (!found || one.suffix.size() > found->suffix.size()))
      found = &one;
  return found;
}

std::vector<const Language*> with_suffix_of(const Language& language) {
  std::vector<const Language*> all;
  for (const auto& one : languages())
    if (one.suffix == language.suffix) all.push_back(&one);
  return all;
}

std::vector<std::string> backends_of(const Language& language) {
  auto names = backend_names_processor_first();
  const auto same = with_suffix_of(language);
  std::erase_if(names, [&](const auto& name) {
    return std::ranges::none_of(same, [&](const Language* one) { return one->runs_on(backend_named(name)); });
  });
  return names;
}

bool of_one_vendor(const Language& language) {
  return !language.sealed && language.runs_on && std::ranges::count_if(backends(), language.runs_on) == 1 &&
         std::ranges::any_of(backends(),
                             [&](const Backend& one) { return one.gpu && language.runs_on(one); });
}

}  // namespace podium::compile
