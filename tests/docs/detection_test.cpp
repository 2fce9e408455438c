// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// docs/trust.md: how likely a sample finds what is left out. Its table holds what its formula gives.
#include <gtest/gtest.h>

#include <cmath>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "tests/docs/blocks.hpp"

namespace podium::docs {
namespace {

constexpr double lines = 16384;
constexpr int looks[] = {1, 35, 70};

double number_in(const std::string& text) {
  static const std::regex number("[0-9][0-9,.]*");
  std::smatch found;
  if (!std::regex_search(text, found, number)) return 0;
  std::string digits;
  for (const char c : found.str())
    if (c != ',') digits += c;
  return std::stod(digits);
}

// Of `lines` every `period`-th is wrong and `drawn` are looked at: the chance that none of them is.
double missed(double period, double drawn) {
  const double wrong = lines / period;
  double chance = 1;
  for (double k = 0; k < drawn; ++k) chance *= (lines - wrong - k) / (lines - k);
  return chance;
}

TEST(Detection, NumbersOfTheTableAreComputed) {
  int cells = 0;
  for (const Row& row : read_document("docs/trust.md").rows) {
    if (row.section != "How likely a sample finds it") continue;
    const double drawn = number_in(row.cells.at(0));
    for (std::size_t c = 1; c < row.cells.size(); ++c, ++cells) {
      std::istringstream in(row.cells[c]);
      std::string number;
      for (const int times : looks) {
        ASSERT_TRUE(std::getline(in, number, ',')) << "line " << row.line;
        number.erase(0, number.find_first_not_of(' '));
        const double computed = 1 - std::pow(missed(number_in(row.heads.at(c)), drawn), times);
        const double last_digit = std::pow(10, -double(number.size() - number.find('.') - 1));
        EXPECT_NEAR(std::stod(number), computed, 0.5 * last_digit + 1e-9)
            << "line " << row.line << ", column " << c << ", " << times << " looks";
      }
    }
  }
  EXPECT_EQ(cells, 16);
}

}  // namespace
}  // namespace podium::docs
