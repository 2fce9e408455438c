// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/problem/formula/gathered.hpp"

#include <algorithm>
#include <vector>

#include "suite/problem/formula/access.hpp"
#include "suite/problem/formula/reference_terms.hpp"

namespace podium::problem {
namespace {

using Kind = Meaning::Kind;

// References that an output needs, but checks and fills.
std::vector<bool> needed(const Problem& problem) {
  const auto& references = problem.references;
  std::vector<bool> needed(references.size(), false);
  for (std::size_t r = references.size(); r-- > 0;) {  // each calls only earlier ones, or itself
    needed[r] = needed[r] || references[r].output;
    if (!needed[r]) continue;
    for (const Access& access : accesses(references[r]))
      if (const Meaning what = meaning(problem, references[r], access); what.kind == Kind::reference)
        needed[what.index] = true;
  }
  return needed;
}

}  // namespace

std::optional<Gathered> gathered_input(const Problem& problem) {
  std::vector<std::string> gathered(problem.tensors.size());  // the first reference that reads it so
  std::vector<bool> plainly(problem.tensors.size(), false);
  const std::vector<bool> counts = needed(problem);
  for (std::size_t r = 0; r < problem.references.size(); ++r) {
    if (!counts[r]) continue;
    const Reference& reference = problem.references[r];
    for (const Text* term : terms_of(reference)) {
      std::vector<Access> all = accesses(term->text);
      std::ranges::sort(all, {}, &Access::first);  // those inside of one follow it
      for (auto read = all.begin(); read != all.end(); ++read) {
        const Meaning what = meaning(problem, reference, *read);
        if (what.kind != Kind::input) continue;
        bool by_values = false;
        for (auto inside = read + 1; !by_values && inside != all.end() && inside->first < read->last;
             ++inside)
          by_values = meaning(problem, reference, *inside).kind != Kind::other;
        if (!by_values)
          plainly[what.index] = true;
        else if (gathered[what.index].empty())
          gathered[what.index] = reference.name;
      }
    }
  }
  for (std::size_t t = 0; t < problem.tensors.size(); ++t)
    if (!gathered[t].empty() && !plainly[t] && !problem.tensors[t].used)
      return Gathered{problem.tensors[t].name, gathered[t]};
  return std::nullopt;
}

}  // namespace podium::problem
