// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What only one vendor's GPUs have: the language of each backend's compiler, called as the backend.
#include <algorithm>
#include <cctype>

#include "suite/compile/languages/language.hpp"

namespace podium::compile {
namespace {

// "CUDA", as vendors write them.
std::string capitals(std::string name) {
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::toupper(c); });
  return name;
}

Language of(const Backend& backend) {
  return {.name = backend.name,
          .title = capitals(backend.name),
          .suffix = "." + backend.source,
          .comment = "//",
          .runs_on = [name = backend.name](const Backend& one) { return one.name == name; },
          .first = FirstText::kernel};
}

}  // namespace

std::vector<Language> of_vendors() {
  std::vector<Language> all;
  for (const auto& backend : backends())
    if (backend.gpu) all.push_back(of(backend));
  return all;
}

std::vector<Language> sealed_of_vendors() {
  auto all = of_vendors();
  for (auto& language : all) {
    language.suffix = ".sealed" + language.suffix;
    language.first = FirstText::none;
    language.sealed = SealedForm::source;
  }
  return all;
}

}  // namespace podium::compile
