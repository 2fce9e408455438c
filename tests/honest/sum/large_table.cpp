// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Carries a table of 32 MiB

// expect: right
// A static table that is larger than the caches, filled when the plugin is loaded.
#include <podium/sum.hpp>

#include <vector>

namespace {
constexpr std::size_t entries = std::size_t{4} << 20;
const std::vector<double> signs = [] {
  std::vector<double> table(entries);
  for (std::size_t i = 0; i < entries; ++i) table[i] = i % 2 == 0 ? 1.0 : -1.0;
  return table;
}();

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    double total = 0;
    for (std::int64_t i = 0; i < args.n; ++i)
      total += signs[std::size_t(i) % entries] * (i % 2 == 0 ? args.x.data[i] : -args.x.data[i]);
    args.y() = float(total);
  }
};
}  // namespace
