// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// "1 board", "2 boards".
#pragma once
#include <fmt/format.h>

#include <string_view>

namespace podium {

template <class Number>
std::string counted(Number count, std::string_view one) {
  return fmt::format("{} {}{}", count, one, count == Number{1} ? "" : "s");
}

}  // namespace podium
