// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/problem/generate/fill_kinds.hpp"

#include <fmt/format.h>

#include <set>

namespace podium::problem {
namespace {

// As program/launch.hpp calls it; "" for what has a kernel of its own.
const char* name_of(Fill::Kind kind) {
  switch (kind) {
    case Fill::Kind::normal:
      return "normal";
    case Fill::Kind::uniform:
      return "uniform";
    case Fill::Kind::integers:
      return "integers";
    case Fill::Kind::zeros:
      return "zeros";
    case Fill::Kind::ones:
      return "ones";
    case Fill::Kind::sequence:
      return "sequence";
    case Fill::Kind::permutation:
      return "permutation";
    default:
      return "";
  }
}

}  // namespace

std::string fill_kinds(const Problem& problem, const Tensor& tensor) {
  std::set<Fill::Kind> kinds{tensor.fill.kind};
  for (const Workload& workload : problem.workloads)
    if (const auto fill = workload.fills.find(tensor.name); fill != workload.fills.end())
      kinds.insert(fill->second.kind);
  std::string list;
  for (const Fill::Kind kind : kinds)
    if (const std::string name = name_of(kind); !name.empty())
      list += fmt::format("{}podium::program::FillKind::{}", list.empty() ? "" : ", ", name);
  return list;
}

}  // namespace podium::problem
