// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The bounds of loops: words of the context, or functions of the indices outside.
#include "suite/problem/generate/forms.hpp"

namespace podium::problem {
namespace {

// The reference's own indices that its loops may use.
std::vector<std::string> outer_indices(const Reference& reference) {
  std::vector<std::string> outer;
  for (std::size_t k = 0; k < reference.index.size(); ++k) {
    const bool rank = reference.form == Reference::Form::order && k + 1 == reference.index.size();
    const bool scattered = k < reference.targets.size() && !reference.targets[k].text.empty();
    if (!rank && !scattered) outer.push_back(reference.index[k].name);
  }
  return outer;
}

}  // namespace

void write_bounds(FormText& text, std::size_t e) {
  const Reference& reference = text.problem().references[text.plan().evaluations()[e].reference];
  std::vector<std::string> outer = outer_indices(reference);
  for (std::size_t k = 0; k < reference.over.size(); ++k) {
    const Index& index = reference.over[k];
    const auto write = [&](const char* which, const Text& bound) {
      text.write(e, {fmt::format("podium_{}_of_{}_{}", which, e, k), outer, &bound, false, false,
                     "podium::program::whole_number"});
    };
    if (index.dependent) {
      write("low", index.low);
      write("high", index.high);
    }
    outer.push_back(index.name);
  }
}

void write_loop_bounds(FormText& text, std::size_t e, std::size_t k, const std::string& indent) {
  const std::size_t r = text.plan().evaluations()[e].reference;
  const Reference& reference = text.problem().references[r];
  const int place = text.plan().bounds(r, reference.index.size() + k);
  std::string low = fmt::format("podium_words.integer({})", place),
              high = fmt::format("podium_low_{} + podium_words.integer({})", k, place + 1);
  if (reference.over[k].dependent) {
    std::string outer;
    for (const std::string& name : outer_indices(reference)) outer += ", " + name;
    for (std::size_t i = 0; i < k; ++i) outer += ", " + reference.over[i].name;
    low = fmt::format("podium::program::podium_low_of_{}_{}(podium_words{})", e, k, outer);
    high = fmt::format("podium::program::podium_high_of_{}_{}(podium_words{})", e, k, outer);
  }
  text.out().add(
      "{0}[[maybe_unused]] const podium::program::i64 podium_low_{1} = {2}, podium_high_{1} = {3};", indent,
      k, low, high);
}

}  // namespace podium::problem
