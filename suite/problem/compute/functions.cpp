// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/problem/compute/functions.hpp"

#include "suite/problem/formula/functions.hpp"

namespace podium::problem {
namespace {

using Kind = ComputeNode::Kind;
using Result = ComputeResult;

struct Row {
  std::string name;
  Kind kind;
  Result result;
  int structures = 0;
};

// How many arguments each takes stands in the table of all languages: suite/problem/formula/functions.hpp.
std::map<std::string, ComputeFunction> made(const std::string& prefix, const std::vector<Row>& rows) {
  std::map<std::string, ComputeFunction> all;
  for (const Row& row : rows) {
    const Arguments arguments = arguments_of(Language::compute, prefix + row.name);
    all[row.name] = {row.kind, arguments.least, arguments.most, row.result, row.structures};
  }
  return all;
}

}  // namespace

const std::map<std::string, ComputeFunction>& compute_number_functions() {
  static const std::map<std::string, ComputeFunction> all =
      made("", {{"abs", Kind::absolute, Result::common},
                {"min", Kind::minimum, Result::common},
                {"max", Kind::maximum, Result::common},
                {"floor", Kind::floor, Result::whole},
                {"ceil", Kind::ceil, Result::whole},
                {"ceil_div", Kind::ceil_div, Result::whole},
                {"sqrt", Kind::sqrt, Result::real},
                {"exp", Kind::exp, Result::real},
                {"log", Kind::log, Result::real},
                {"log2", Kind::log2, Result::real},
                {"pow", Kind::pow, Result::real},
                {"sum", Kind::sum_of, Result::common, 1},
                {"segment", Kind::segment, Result::whole, 1}});
  return all;
}

const std::map<std::string, ComputeFunction>& compute_random_functions() {
  static const std::map<std::string, ComputeFunction> all =
      made("random.", {{"below", Kind::below, Result::whole},
                       {"uniform", Kind::uniform, Result::real},
                       {"normal", Kind::normal, Result::real},
                       {"zipf", Kind::zipf, Result::whole}});
  return all;
}

const std::vector<std::string>& compute_functions() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const auto& [name, function] : compute_number_functions()) all.push_back(name);
    for (const auto& [name, function] : compute_random_functions()) all.push_back("random." + name);
    return all;
  }();
  return names;
}

}  // namespace podium::problem
