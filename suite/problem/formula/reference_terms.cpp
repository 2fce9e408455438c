// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/problem/formula/reference_terms.hpp"

#include <algorithm>
#include <vector>

#include "suite/problem/formula/access.hpp"
#include "suite/problem/formula/lexer.hpp"
#include "suite/problem/formula/reference_forms.hpp"

namespace podium::problem {
namespace {

// `seen`: the references that have been looked at; a scale may call its own output's reference.
bool needs_host(const Problem& problem, const Reference& reference, std::vector<bool>& seen) {
  if (reference.form->assigns) return true;
  const auto needs = [&](std::size_t other) {
    if (other == no_reference || seen[other]) return false;
    seen[other] = true;
    return needs_host(problem, problem.references[other], seen);
  };
  const Tensor* output = reference.output ? problem.tensor(reference.name) : nullptr;
  if (output && output->tolerance.scale == Tolerance::Scale::reference &&
      needs(reference_named(problem, output->tolerance.scale_reference)))
    return true;
  if (!reference.unless.empty() && needs(reference_named(problem, reference.unless))) return true;
  for (const Access& call : accesses(reference))
    if (const Meaning what = meaning(problem, reference, call);
        what.kind == Meaning::Kind::reference && needs(what.index))
      return true;
  return false;
}

bool assigns_reals(const Problem& problem, const Reference& host) {
  const Tensor* const tensor = problem.tensor(host.itself());
  if (!tensor) return !host.integral;
  return std::any_of(problem.choices.begin(), problem.choices.end(),
                     [&](const Choice& choice) { return info(dtype_of(*tensor, choice)).floating; });
}

const Reference* uncounted(const Problem& problem, const Reference& reference, std::vector<bool>& seen) {
  if (reference.form->assigns) return assigns_reals(problem, reference) ? &reference : nullptr;
  if (!reference.form->carries_magnitude) return nullptr;
  for (const Text* text : {&reference.first, &reference.term})
    for (const Access& call : accesses(text->text)) {
      const Meaning what = meaning(problem, reference, call);
      if (what.kind != Meaning::Kind::reference || seen[what.index]) continue;
      seen[what.index] = true;
      if (const Reference* const found = uncounted(problem, problem.references[what.index], seen))
        return found;
    }
  return nullptr;
}

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

std::vector<const Text*> terms_of(const Reference& reference) {
  std::vector<const Text*> terms;
  const auto add = [&terms](const Text& text) {
    if (!text.text.empty()) terms.push_back(&text);
  };
  for (const Index& index : reference.over)
    if (index.dependent) add(index.low), add(index.high);
  add(reference.first);
  add(reference.where);
  for (const Text& target : reference.targets) add(target);
  add(reference.term);
  return terms;
}

bool is_body(const std::string& term) {
  const auto tokens = tokenise(term);
  return std::any_of(tokens.begin(), tokens.end(), [](const Token& token) {
    return token.kind == Token::Kind::name && token.text == "return";
  });
}

std::vector<bool> whole_indices(const Reference& reference) {
  const ReferenceForm& form = *reference.form;
  return form.whole ? form.whole(reference) : std::vector<bool>(reference.index.size(), false);
}

const Reference* uncounted(const Problem& problem, const Reference& reference) {
  std::vector<bool> seen(problem.references.size(), false);
  return uncounted(problem, reference, seen);
}

bool compensates(const Problem& problem, const std::vector<Dtype>& dtypes) {
  for (std::size_t t = 0; t < problem.tensors.size(); ++t) {
    const Tensor& tensor = problem.tensors[t];
    const bool derived = std::any_of(problem.references.begin(), problem.references.end(),
                                     [&](const Reference& r) { return r.fills == tensor.name; });
    if ((tensor.role != Role::input || derived) && dtypes[t] == Dtype::f64) return true;
  }
  return false;
}

bool needs_host(const Problem& problem, const Reference& reference) {
  std::vector<bool> seen(problem.references.size(), false);
  return needs_host(problem, reference, seen);
}

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
