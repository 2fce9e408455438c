// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/problem/compute/functions.hpp"

namespace podium::problem {

const std::map<std::string, ComputeFunction>& compute_number_functions() {
  static const std::map<std::string, ComputeFunction> all{
      {"abs", {ComputeNode::Kind::absolute, 1, 1, ComputeResult::common}},
      {"min", {ComputeNode::Kind::minimum, 2, 8, ComputeResult::common}},
      {"max", {ComputeNode::Kind::maximum, 2, 8, ComputeResult::common}},
      {"floor", {ComputeNode::Kind::floor, 1, 1, ComputeResult::whole}},
      {"ceil", {ComputeNode::Kind::ceil, 1, 1, ComputeResult::whole}},
      {"ceil_div", {ComputeNode::Kind::ceil_div, 2, 2, ComputeResult::whole}},
      {"sqrt", {ComputeNode::Kind::sqrt, 1, 1, ComputeResult::real}},
      {"exp", {ComputeNode::Kind::exp, 1, 1, ComputeResult::real}},
      {"log", {ComputeNode::Kind::log, 1, 1, ComputeResult::real}},
      {"log2", {ComputeNode::Kind::log2, 1, 1, ComputeResult::real}},
      {"pow", {ComputeNode::Kind::pow, 2, 2, ComputeResult::real}},
      {"sum", {ComputeNode::Kind::sum_of, 1, 1, ComputeResult::common, 1}},
      {"segment", {ComputeNode::Kind::segment, 2, 2, ComputeResult::whole, 1}}};
  return all;
}

const std::map<std::string, ComputeFunction>& compute_random_functions() {
  static const std::map<std::string, ComputeFunction> all{
      {"below", {ComputeNode::Kind::below, 1, 1, ComputeResult::whole}},
      {"uniform", {ComputeNode::Kind::uniform, 0, 0, ComputeResult::real}},
      {"normal", {ComputeNode::Kind::normal, 0, 0, ComputeResult::real}},
      {"zipf", {ComputeNode::Kind::zipf, 2, 2, ComputeResult::whole}}};
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
