// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Answers, with a line of JSON each, lines that ask what Podium's statistics make of given numbers.
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "suite/measure/samples.hpp"
#include "suite/measure/steadiness.hpp"
#include "suite/rank/student.hpp"

namespace podium {
namespace {

using nlohmann::json;

json interval(const rank::Mean& mean, double alpha) {
  const double half = rank::half_width(mean, alpha);
  return {mean.value - half, mean.value + half, rank::p_beyond(mean, 0)};
}

json answer(const json& asked) {
  const auto numbers = [&](const char* name) { return asked.at(name).get<std::vector<double>>(); };
  const auto number = [&](const char* name) { return asked.at(name).get<double>(); };
  const std::string of = asked.at("of");
  if (of == "median") {
    const measure::Median got = measure::median(numbers("x"), number("confidence"));
    return {got.value, got.low, got.high};
  }
  if (of == "mean") return interval(rank::mean(numbers("x")), number("alpha"));
  if (of == "difference") return interval(rank::difference(numbers("x"), numbers("y")), number("alpha"));
  if (of == "kendall") return measure::kendall(numbers("x"), numbers("y"));
  json rejected = json::array();
  for (const rank::Holm& one : rank::holm(numbers("x"), number("alpha"))) rejected.push_back(one.rejected);
  return rejected;
}

}  // namespace
}  // namespace podium

int main() {
  for (std::string line; std::getline(std::cin, line);)
    std::cout << podium::answer(nlohmann::json::parse(line)) << std::endl;
}
