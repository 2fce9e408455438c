// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/problem/generate/checks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "suite/problem/formula/access.hpp"

namespace podium::problem {

std::string CheckText::result_type(std::size_t reference, bool magnitude, bool fill) const {
  std::string types;
  for (const std::size_t e : plan_.evaluations_of(reference, fill))
    types += fmt::format("{}podium::program::podium_result_{}<{}>", types.empty() ? "" : ", ", e, magnitude);
  return types.empty() ? "" : fmt::format("podium::program::Overloaded<{}>", types);
}

std::string CheckText::extent(std::size_t t, std::size_t axis) const {
  return fmt::format("words.integer({})", plan_.tensor(t) + 1 + static_cast<int>(axis));
}

std::set<std::string, std::less<>> CheckText::declare_views(Lines& out, std::size_t site,
                                                            std::string_view term, bool magnitude,
                                                            Elements elements, bool fill,
                                                            const Itself& itself) const {
  struct Parts {
    std::string values = "podium::program::Absent", initial = values, reference = values;
    bool view = false;  // more than the results of a reference
  };
  std::vector<std::pair<std::size_t, Parts>> tensors;
  for (const Access& access : accesses(term)) {
    const Tensor* tensor = problem_.tensor(access.name);
    const Meaning what = meaning(problem_, problem_.references[site], access);
    if (!tensor || tensor->role == Role::input || what.kind == Meaning::Kind::other) continue;
    const std::size_t t = tensor_index(access.name);
    auto known =
        std::find_if(tensors.begin(), tensors.end(), [&](const auto& one) { return one.first == t; });
    if (known == tensors.end()) known = tensors.insert(tensors.end(), {t, Parts{}});
    Parts& parts = known->second;
    const bool own = what.kind == Meaning::Kind::reference && what.index == site;
    if (own)
      parts.values = itself.type;
    else if (what.kind == Meaning::Kind::reference)
      (access.member.empty() ? parts.values : parts.reference) = result_type(what.index, magnitude, fill);
    if (what.kind == Meaning::Kind::written) parts.values = tensor_accessor(t, elements);
    if (what.kind == Meaning::Kind::input) parts.initial = tensor_accessor(t, elements, true);
    if (what.kind != Meaning::Kind::reference || !access.member.empty()) parts.view = true;
  }
  std::set<std::string, std::less<>> declared;
  for (const auto& [t, parts] : tensors) {
    if (!parts.view) continue;
    const std::string& name = problem_.tensors[t].name;
    const bool own = !itself.type.empty() && parts.values == itself.type;
    out.add("  const podium::program::Views<{}, {}, {}> {}({}podium_words, {});", parts.values, parts.initial,
            parts.reference, name, own ? fmt::format("{}{{{}}}, ", itself.type, itself.made_of) : "", site);
    declared.insert(name);
  }
  return declared;
}

void CheckText::check_kernel(Lines& out, const Check& check) const {
  using Kind = Check::Kind;
  const auto kernel = [&](std::string_view prefix, const std::string& body) {
    out.add("PODIUM_KERNEL(podium_{}_{}) {{ podium::program::{}; }}", prefix, check.name, body);
  };
  if (check.kind == Kind::finite) return;
  if (check.kind == Kind::limit) {
    const std::size_t e = plan_.evaluations_of(check.reference).at(0);
    return kernel("check", fmt::format("hold<podium::program::podium_evaluation_{}>(words, group)", e));
  }
  const std::size_t t = tensor_index(check.tensor);
  const std::string type = element(t), data = data_of(t), count = count_of(t);
  const std::size_t rank = problem_.tensors[t].shape.size();
  const std::string row = rank > 0 ? extent(t, rank - 1) : "1";
  switch (check.kind) {
    case Kind::sorted:
      return kernel("check", fmt::format("sorted<{}, {}>(words, group, {}, {}, {})", type, check.descending,
                                         data, count, row));
    case Kind::stable:
      return kernel("check", fmt::format("stable(words, group, {}, {}, {}, {})", data,
                                         data_of(tensor_index(check.with.at(0))), count, row));
    case Kind::triangular:
      return kernel("check", fmt::format("triangular<{}, {}>(words, group, {}, {}, {}, {})", check.upper,
                                         check.unit, data, count, extent(t, rank - 2), row));
    case Kind::distinct:
      return kernel("check", fmt::format("distinct(words, group, {}, {}, {})", data, count, row));
    case Kind::permutation: {
      const std::size_t of = tensor_index(check.of);
      if (check.with.empty()) {
        kernel("check", fmt::format("multiset(words, group, {}, {})", data, count));
        return kernel("before",
                      fmt::format("multiset(words, group, {}, {})", data_of(of, true), count_of(of)));
      }
      std::string here = data, there = data_of(of, true);
      for (const std::string& name : check.with) here += ", " + data_of(tensor_index(name));
      for (const std::string& name : check.of_with) there += ", " + data_of(tensor_index(name), true);
      kernel("check", fmt::format("tuples(words, group, {}, {})", count, here));
      return kernel("before", fmt::format("tuples(words, group, {}, {})", count_of(of), there));
    }
    case Kind::finite:
    case Kind::limit:
      return;
  }
}

void CheckText::check_kernels(Lines& out) const {
  for (const Check& check : problem_.checks) check_kernel(out, check);
}

}  // namespace podium::problem
