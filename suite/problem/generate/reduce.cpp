// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The text of reductions: what adds up one element's terms, and a tile's.
#include "suite/problem/generate/forms.hpp"

namespace podium::problem {
namespace {

// The loops of a reduction; body(indent, k) writes the innermost, k.
template <class Body>
void loops(FormText& text, std::size_t e, Body body) {
  Lines& out = text.out();
  const Reference& reference = text.problem().references[text.plan().evaluations()[e].reference];
  const std::size_t count = reference.over.size();
  std::string indent = "    ";
  for (std::size_t k = 0; k < count; ++k) {
    write_loop_bounds(text, e, k, indent);
    if (k + 1 == count) break;
    if (k == 0)
      out.add(
          "{}const podium::program::Chunk podium_outer = podium_part.outer_range(podium_low_0, "
          "podium_high_0);",
          indent);
    out.add("{0}for (podium::program::i64 {1} = {2}; {1} < {3}; ++{1}) {{", indent, reference.over[k].name,
            k ? fmt::format("podium_low_{}", k) : "podium_outer.begin",
            k ? fmt::format("podium_high_{}", k) : "podium_outer.end");
    indent += "  ";
  }
  body(indent, count - 1);
  for (std::size_t k = 1; k < count; ++k) {
    indent.resize(indent.size() - 2);
    out.add("{}}}", indent);
  }
}

}  // namespace

void write_indices(FormText& text, std::size_t r, const std::vector<int>& sets) {
  Lines& out = text.out();
  const Reference& reference = text.problem().references[r];
  if (!reference.index.empty())
    out.add("    [[maybe_unused]] podium::program::Unravel podium_rest{{podium_element}};");
  for (std::size_t k = reference.index.size(); k-- > 0;)
    out.add("    const auto {} = podium_rest.{}<{}>(podium_words);", reference.index[k].name,
            k ? "take" : "last", text.position(r, k, sets[k]));
}
std::string call_term(std::size_t e, const Reference& reference) {
  std::string arguments = "podium_words";
  for (const Index& index : reference.index) arguments += ", " + index.name;
  for (const Index& index : reference.over) arguments += ", " + index.name;
  return fmt::format("podium::program::podium_term_{}({})", e, arguments);
}

void write_accumulate(FormText& text, std::size_t e) {
  Lines& out = text.out();
  const Evaluation& evaluation = text.plan().evaluations()[e];
  const Reference& reference = text.problem().references[evaluation.reference];
  out.add(
      "  template <class SomePart>\n  PODIUM_DEVICE static void accumulate(Words podium_words, "
      "[[maybe_unused]] i64 podium_element, const SomePart& podium_part, Sum& podium_total) {{");
  write_indices(text, evaluation.reference, evaluation.sets);
  loops(text, e, [&](const std::string& indent, std::size_t last) {
    out.add(
        "{3}podium_part.along(podium_total, podium_low_{0}, podium_high_{0}, [&](const "
        "podium::program::i64 {1}) {{ return {2}; }});",
        last, reference.over.back().name, call_term(e, reference), indent);
  });
  out.add("  }}");
}

void write_accumulate_tile(FormText& text, std::size_t e) {
  Lines& out = text.out();
  const Evaluation& evaluation = text.plan().evaluations()[e];
  const Reference& reference = text.problem().references[evaluation.reference];
  const std::size_t column = reference.index.size() - 1, row = column - 1;
  const auto place = [&](std::size_t k) {
    return text.position(evaluation.reference, k, evaluation.sets[k]);
  };
  std::string tiles = place(row) + ", " + place(column);
  for (std::size_t k = 0; k < row; ++k) tiles += ", " + place(k);
  out.add("#if PODIUM_GPU");
  out.add("  using Tiles = podium::program::Tiles<{}>;", tiles);
  out.add(
      "  PODIUM_DEVICE static void accumulate_tile(Words podium_words, i64 podium_tile, const Part& "
      "podium_part, Tile<Sum>& podium_totals) {{");
  out.add("    podium::program::Unravel podium_rest{{podium_tile}};");
  out.add("    const auto podium_rows = podium_rest.take_few<{}>(podium_words);", place(row));
  out.add("    const auto podium_columns = podium_rest.take_few<{}>(podium_words);", place(column));
  for (std::size_t k = row; k-- > 0;)
    out.add("    const auto {} = podium_rest.{}<{}>(podium_words);", reference.index[k].name,
            k ? "take" : "last", place(k));
  loops(text, e, [&](const std::string& indent, std::size_t last) {
    out.add("{1}podium_part.each(podium_low_{0}, podium_high_{0}, [&](const podium::program::i64 {2}) {{",
            last, indent, reference.over.back().name);
    out.add("{0}  podium_totals.add([&](const int podium_row, const int podium_column) {{", indent);
    out.add("{0}    const auto {1} = podium_rows.at[podium_row];", indent, reference.index[row].name);
    out.add("{0}    const auto {1} = podium_columns.at[podium_column];", indent,
            reference.index[column].name);
    out.add("{0}    return {1};\n{0}  }});\n{0}}});", indent, call_term(e, reference));
  });
  out.add("  }}\n#endif");
}

}  // namespace podium::problem
