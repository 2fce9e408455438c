// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Writes what fills by `value` turn into. As in references, names of the problem are locals of functions.
#include "suite/problem/generate/fill.hpp"

#include <fmt/ranges.h>

#include <algorithm>

#include "suite/problem/formula/fill_term.hpp"
#include "suite/problem/formula/lexer.hpp"
#include "suite/problem/formula/term_rewriting.hpp"
#include "suite/problem/generate/tensors.hpp"
#include "suite/problem/model/fills.hpp"

namespace podium::problem {
namespace {

// The indices of element podium_element, the last axis first.
void declare_indices(Lines& out, const Fill& fill, int extents) {
  for (std::size_t k = fill.index.size(); k-- > 0;)
    if (k > 0)
      out.add(
          "    [[maybe_unused]] const podium::program::i64 {} = podium::program::take_last(podium_element, "
          "podium_words.integer({}));",
          fill.index[k], extents + static_cast<int>(k));
    else
      out.add("    [[maybe_unused]] const podium::program::i64 {} = podium_element;", fill.index[k]);
}

}  // namespace

std::vector<std::string> own_indices(const Reference& reference, const std::vector<std::string>& parameters) {
  std::vector<std::string> own;
  for (const Index& index : reference.index) {
    if (std::find(parameters.begin(), parameters.end(), index.name) == parameters.end()) return {};
    own.push_back(index.name);
  }
  return own;
}

void declare_draws(Lines& out, const std::set<std::string, std::less<>>& used,
                   const std::vector<std::string>& own, const std::string& draws) {
  for (const std::string& name : draw_functions())
    if (used.contains(name))
      out.add("    const podium::program::Draw<podium::program::{}, {}> {}{{{}, {{{}}}}};",
              name == "random" ? "Uniform" : "Normal", own.size(), name, draws, fmt::join(own, ", "));
}

void write_value_fills(Lines& out, const Problem& problem, const Plan& plan, std::size_t t,
                       const std::string& data, const std::string& count) {
  const std::string& name = problem.tensors[t].name;
  const auto fills = value_fills(problem, name);
  for (std::size_t number = 0; number < fills.size(); ++number) {
    const Fill& fill = *fills[number];
    const Text term{guarded(fill.term.text), fill.term.at};
    const auto used = names_used(term.text);
    const auto site = -1 - static_cast<int>(t);
    out.add("\nnamespace podium::program {{\nstruct podium_drawn_{}_{} {{  // {}", t, number, name);
    out.add(
        "  PODIUM_DEVICE static auto value([[maybe_unused]] const Words podium_words, [[maybe_unused]] const "
        "Draws podium_draws,\n                                  [[maybe_unused]] i64 podium_element) {{");
    declare_indices(out, fill, plan.tensor(t) + 1);
    declare_numbers(out, problem, plan, used, "    ");
    if (used.contains("infinity")) out.add("    const double infinity = podium::program::infinity_value();");
    if (used.contains("ceil_div"))
      out.add("    const podium::program::CeilDiv ceil_div{{podium_words, {}}};", site);
    if (term.text != fill.term.text)
      out.add("    const podium::program::Checked podium_checked{{podium_words, {}}};", site);
    declare_draws(out, used, fill.index, "podium_draws");
    out.add_term("    return podium::program::plain(", term, "    );");
    out.add("  }}\n}};\n}}  // namespace podium::program");
    out.add(
        "PODIUM_KERNEL(podium_draw_{}_{}) {{\n  podium::program::draw<podium::program::podium_drawn_{}_{}>("
        "words, group, {}, {}, {});\n}}",
        name, number, t, number, data, count, t);
  }
}

void write_derived_fills(Lines& out, const Problem& problem, const Plan& plan, std::size_t t,
                         const std::string& data, const std::string& count) {
  for (std::size_t r = 0; r < problem.references.size(); ++r)
    if (problem.references[r].fills == problem.tensors[t].name)
      out.add(
          "PODIUM_KERNEL(podium_round_{}) {{\n  podium::program::round_results<podium::program::"
          "podium_evaluation_{}>(words, group, {}, {});\n}}",
          r, plan.evaluations_of(r, true).at(0), data, count);
}

}  // namespace podium::problem
