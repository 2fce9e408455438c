// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Messages and plain numbers say "not known" by NaN, all else by an empty optional.
#pragma once
#include <cmath>
#include <optional>

namespace podium {

inline std::optional<double> known(double value) {
  return std::isnan(value) ? std::nullopt : std::optional(value);
}

}  // namespace podium
