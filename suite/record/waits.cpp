// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/record/waits.hpp"

#include <algorithm>
#include <vector>

#include "suite/measure/samples.hpp"

namespace podium::record {
namespace {

template <class Of>
double median(std::span<const Wait> waits, bool flushed, const Of& of) {
  std::vector<double> values;
  for (const Wait& wait : waits)
    if (wait.flushed == flushed) values.push_back(of(wait));
  if (values.empty()) return 0;
  std::ranges::sort(values);
  return measure::middle(values);
}

}  // namespace

Wait median_parts(std::span<const Wait> waits, bool flushed) {
  Wait result{.flushed = flushed};
  for (const auto& [name, part] : wait_parts)
    result.*part = median(waits, flushed, [&](const Wait& wait) { return wait.*part; });
  return result;
}

double median_wait(std::span<const Wait> waits, bool flushed) {
  return median(waits, flushed, [](const Wait& wait) { return wait.sum(); });
}

}  // namespace podium::record
