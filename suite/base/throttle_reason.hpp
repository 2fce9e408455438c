// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Why a device lowers its clock, in words that vendors share.
#pragma once
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace podium {

namespace throttle {
inline constexpr std::uint32_t power = 1;          // at its power cap
inline constexpr std::uint32_t temperature = 2;    // too hot: chip, memory or voltage regulators
inline constexpr std::uint32_t current = 4;        // at a limit of electric current
inline constexpr std::uint32_t brake = 8;          // the machine's power supply asks for it
inline constexpr std::uint32_t slowdown = 16;      // the hardware protects itself: heat, power or brake
inline constexpr std::uint32_t user_setting = 32;  // somebody has set the clock
}  // namespace throttle

// Of bits as above, in their order: "power cap", "temperature" ...
inline std::vector<std::string> throttle_names(std::uint32_t reasons) {
  constexpr std::string_view names[] = {"power cap",   "temperature", "current limit",
                                        "power brake", "slowdown",    "user setting"};
  std::vector<std::string> result;
  for (std::size_t bit = 0; bit < std::size(names); ++bit)
    if (reasons >> bit & 1) result.emplace_back(names[bit]);
  return result;
}

}  // namespace podium
