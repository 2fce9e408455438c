// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What the writers of forms share.
#include "suite/problem/formula/form_stages.hpp"

#include <algorithm>

#include "suite/problem/formula/reference_forms.hpp"

namespace podium::problem {
namespace {

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += ", " + name;
  return text;
}

}  // namespace

std::string indices(std::size_t count) {
  return fmt::format("{} {}", count, count == 1 ? "index" : "indices");
}

std::vector<std::string> FormWriter::names() const { return index_names(reference().index); }

std::string FormWriter::more_positions() const { return reference().index.empty() ? "" : ", " + positions(); }

std::string FormWriter::loop_position(std::size_t k) const {
  return fmt::format("podium::program::Whole<{}>", place_of_bounds(reference().index.size() + k));
}

void FormWriter::stored(const std::string& function, const std::vector<std::string>& parameters) {
  const std::vector<std::string> names = this->names();
  std::string arguments = "podium::program::Words{}";
  for (const std::string& name : parameters) {
    const auto k = static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
    arguments += fmt::format(", {}{{}}", k < names.size() ? type_of(k) : i64);
  }
  add("using podium_stored_{} = Stored<decltype({}({})), {}>;", number(), function, arguments,
      keeps_magnitude());
}

void FormWriter::elements() {
  add("  PODIUM_DEVICE static i64 elements(Words podium_words) {{ return elements_of<{}>(podium_words); }}",
      positions());
}

void FormWriter::sum() {
  add("  using Sum = Total<Op::{}, podium_stored_{}, {}>;", name_of(reference().op), number(), compensated());
  add("  using Value = decltype(Sum::identity().value());");
}

void FormWriter::lines(std::size_t along) {
  const std::vector<std::string> names = this->names();
  std::string others, inner;
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (k == along) continue;
    others += (others.empty() ? "" : ", ") + position(k);
    if (k > along) inner += (inner.empty() ? "" : ", ") + position(k);
  }
  const auto count = [&](const char* name, const std::string& list) {
    add("  PODIUM_DEVICE static i64 {}(Words podium_words) {{ return elements_of<{}>(podium_words); }}", name,
        list);
  };
  count("lines", others);
  count("steps", position(along));
  count("stride", inner);
}

void FormWriter::take_apart(const char* number, const std::vector<bool>& wanted) {
  const std::vector<std::string> names = this->names();
  if (std::find(wanted.begin(), wanted.end(), true) == wanted.end()) return;
  add("    [[maybe_unused]] podium::program::Unravel podium_rest{{{}}};", number);
  const std::size_t first =
      static_cast<std::size_t>(std::find(wanted.begin(), wanted.end(), true) - wanted.begin());
  for (std::size_t k = names.size(); k-- > 0;)
    if (wanted[k])
      add("    [[maybe_unused]] const auto {} = podium_rest.{}<{}>(podium_words);", names[k],
          k == first ? "last" : "take", position(k));
}

std::vector<bool> FormWriter::all_but(std::size_t along) const {
  const std::vector<std::string> names = this->names();
  std::vector<bool> wanted(names.size(), true);
  wanted[along] = false;
  return wanted;
}

void FormWriter::step_index(std::size_t along) {
  const std::vector<std::string> names = this->names();
  add("    [[maybe_unused]] const podium::program::i64 {} = podium_words.integer({}) + podium_step;",
      names[along], place_of_bounds(along));
}

std::string FormWriter::call(const std::string& function, const std::vector<std::string>& names) {
  return fmt::format("podium::program::{}(podium_words{})", function, joined(names));
}

}  // namespace podium::problem
