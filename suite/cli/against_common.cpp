// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Which tensors and workloads two problems have in common.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "suite/base/error.hpp"
#include "suite/cli/against.hpp"
#include "suite/problem/instance/instantiate.hpp"

namespace podium::cli {
namespace {

using problem::Problem;

constexpr std::int64_t most_elements = 1 << 24;  // of a workload: both references are evaluated in full
constexpr std::size_t most_rows = 12;

bool in_the_file(const problem::Tensor& tensor) { return tensor.visible && tensor.answers.empty(); }

std::string shown(const Problem& problem) {
  std::vector<std::string> all;
  for (const auto& tensor : problem.tensors) {
    if (!in_the_file(tensor)) continue;
    std::vector<std::string> shape;
    for (const auto& extent : tensor.shape) shape.push_back(extent.text);
    all.push_back(
        fmt::format("{} {}[{}] {}", name_of(tensor.role), tensor.name, fmt::join(shape, ", "), tensor.type));
  }
  return fmt::format("{}", fmt::join(all, ", "));
}

bool alike(const problem::Tensor& one, const problem::Tensor& other) {
  return one.role == other.role && one.shape.size() == other.shape.size();
}

std::vector<std::size_t> tensors_of(const Problem& problem) {
  std::vector<std::size_t> found;
  for (std::size_t t = 0; t < problem.tensors.size(); ++t)
    if (in_the_file(problem.tensors[t])) found.push_back(t);
  return found;
}

// By name if all have their like, else by place among those of their role.
std::optional<std::vector<std::size_t>> matched(const Problem& own, const Problem& other) {
  const auto ours = tensors_of(own), theirs = tensors_of(other);
  std::vector<std::size_t> by_name(own.tensors.size()), by_place(own.tensors.size());
  if (ours.size() != theirs.size()) return std::nullopt;
  bool named = true;
  for (const std::size_t t : ours) {
    const problem::Tensor* const like = other.tensor(own.tensors[t].name);
    named = named && like && in_the_file(*like) && alike(own.tensors[t], *like);
    if (named) by_name[t] = static_cast<std::size_t>(like - other.tensors.data());
  }
  if (named) return by_name;
  for (const auto role : {problem::Role::input, problem::Role::output, problem::Role::inout}) {
    const auto of_role = [role](const Problem& problem, std::vector<std::size_t> all) {
      std::erase_if(all, [&](std::size_t t) { return problem.tensors[t].role != role; });
      return all;
    };
    const auto mine = of_role(own, ours), yours = of_role(other, theirs);
    if (mine.size() != yours.size()) return std::nullopt;
    for (std::size_t k = 0; k < mine.size(); ++k) {
      if (!alike(own.tensors[mine[k]], other.tensors[yours[k]])) return std::nullopt;
      by_place[mine[k]] = yours[k];
    }
  }
  return by_place;
}

class Rows {
 public:
  Rows(const Problem& own, const Problem& other, const std::vector<std::size_t>& tensors)
      : own_(own), other_(other), tensors_(tensors) {}

  std::vector<Common::Row> all() {
    std::vector<Common::Row> found;
    for (const auto stage : {problem::Stage::test, problem::Stage::quick, problem::Stage::bench})
      for (std::size_t w = 0; w < other_.workloads.size(); ++w) {
        if (other_.workloads[w].stage != stage || found.size() == most_rows) continue;
        if (std::ranges::any_of(found,
                                [&](const auto& row) { return row.workload == other_.workloads[w].name; }))
          continue;
        if (auto row = row_of(w)) found.push_back(std::move(*row));
      }
    return found;
  }
  const std::string& why_not() const { return why_not_; }  // of the first that was left out

 private:
  std::optional<Common::Row> row_of(std::size_t w) {
    const problem::Workload& workload = other_.workloads[w];
    for (std::size_t choice = 0; choice < other_.choices.size(); ++choice) {
      if (!on_board(workload, other_.choices[choice])) continue;
      const auto theirs = instantiate(other_, other_.choices[choice], workload);
      std::int64_t elements = 0;
      for (const auto& tensor : theirs.tensors) elements += tensor.elements;
      if (elements > most_elements) {
        note(workload, fmt::format("has {} elements, expected at most {}", elements, most_elements));
        continue;
      }
      for (std::size_t own = 0; own < own_.choices.size(); ++own) {
        Common::Row row{workload.name, own, choice, w, {}, parameters(workload)};
        if (same_types(theirs, own_.choices[own], workload) && bind(theirs, row) && fits(theirs, row))
          return row;
      }
    }
    return std::nullopt;
  }

  void note(const problem::Workload& workload, const std::string& why) {
    if (why_not_.empty()) why_not_ = fmt::format("its workload {} {}", workload.name, why);
  }

  // Theirs where they have one of that name, else those of our first workload.
  std::map<std::string, double> parameters(const problem::Workload& workload) const {
    auto found = own_.workloads.front().parameters;
    for (auto& [name, value] : found)
      if (const auto at = workload.parameters.find(name); at != workload.parameters.end()) value = at->second;
    return found;
  }

  bool same_types(const problem::Instance& theirs, const problem::Choice& choice,
                  const problem::Workload& workload) {
    for (const std::size_t t : tensors_of(own_)) {
      const auto mine = dtype_of(own_.tensors[t], choice);
      const auto& other = theirs.tensors[tensors_[t]];
      if (mine == other.dtype) continue;
      note(workload, fmt::format("has {} as {}, and {} has no board with {} of that type", other.name,
                                 problem::info(other.dtype).name, own_.name, own_.tensors[t].name));
      return false;
    }
    return true;
  }

  // Each axis that a shape names gets the extent there.
  bool bind(const problem::Instance& theirs, Common::Row& row) {
    for (const std::size_t t : tensors_of(own_))
      for (std::size_t k = 0; k < own_.tensors[t].shape.size(); ++k)
        for (const auto& axis : own_.axes)
          if (!axis.formula && own_.tensors[t].shape[k].text == axis.name)
            row.axes.emplace(axis.name, theirs.tensors[tensors_[t]].extents[k]);
    for (const auto& axis : own_.axes)
      if (!axis.formula && !axis.ranks && !row.axes.contains(axis.name)) {
        note(other_.workloads[row.other],
             fmt::format("does not tell {} of {}, which is no extent of a tensor", axis.name, own_.name));
        return false;
      }
    return true;
  }

  bool fits(const problem::Instance& theirs, const Common::Row& row) {
    problem::Workload workload = own_.workloads.front();
    workload.axes = row.axes;
    workload.parameters = row.parameters;
    workload.types.clear();
    workload.fills.clear();
    try {
      const auto mine = instantiate(own_, own_.choices[row.own_choice], workload);
      for (const std::size_t t : tensors_of(own_)) {
        const auto& one = mine.tensors[t];
        const auto& other = theirs.tensors[tensors_[t]];
        if (one.extents == other.extents) continue;
        note(other_.workloads[row.other],
             fmt::format("has {}[{}], expected {}[{}] by the shapes of {}", other.name,
                         fmt::join(other.extents, ", "), one.name, fmt::join(one.extents, ", "), own_.name));
        return false;
      }
      return true;
    } catch (const Error& e) {
      note(other_.workloads[row.other], fmt::format("is none of {}: {}", own_.name, e.what()));
      return false;
    }
  }

  const Problem& own_;
  const Problem& other_;
  const std::vector<std::size_t>& tensors_;
  std::string why_not_;
};

}  // namespace

Common common_to(const Problem& own, const Problem& other) {
  const auto refuse = [](const Problem& problem, const std::string& what) {
    throw Error(fmt::format("{}: {}", problem.file.string(), what));
  };
  if (own.python)
    refuse(own, "its reference is Python, expected formulas; name the other problem with --against");
  if (!other.python) refuse(other, "its reference is no Python, expected one as `podium import` writes it");
  if (own.ranked() || other.ranked()) refuse(own, "is for several devices, which --against does not compare");
  if (!own.structure.empty() || !other.structure.empty())
    refuse(own.structure.empty() ? other : own,
           "has structure, which the other problem's reference would not know");
  for (const auto& tensor : own.tensors)
    if (tensor.fill.kind == problem::Fill::Kind::derived)
      refuse(own, fmt::format("the fill of {} is one of its references, expected one that needs none",
                              tensor.name));
  const auto tensors = matched(own, other);
  if (!tensors)
    throw Error(
        fmt::format("{} and {} have different tensors, expected as many of each role and rank: {}; {}",
                    own.name, other.name, shown(own), shown(other)));
  Common common{*tensors, {}};
  Rows rows(own, other, common.tensors);
  common.rows = rows.all();
  if (common.rows.empty())
    throw Error(
        fmt::format("{} and {} have no workload in common: {}", own.name, other.name, rows.why_not()));
  return common;
}

}  // namespace podium::cli
