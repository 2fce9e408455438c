// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What the emulation's tests share.
#pragma once
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <podium/podium.hpp>

#include <cstdlib>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace podium::test {

inline constexpr int lanes = PODIUM_WARP;

// Runs each test with threads in both orders: what depends on the order is wrong.
class BothOrders : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { setenv("PODIUM_HOST_REVERSE", GetParam(), 1); }
  void TearDown() override { unsetenv("PODIUM_HOST_REVERSE"); }
};
inline auto both_orders() { return testing::Values("0", "1"); }
inline std::string name_of_order(const testing::TestParamInfo<const char*>& info) {
  return info.param[0] == '1' ? "Reversed" : "Forward";
}

template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), dim3 grid, dim3 block, Arguments... arguments) {
  podium::launch(kernel, grid, block, 0, podium::Stream{}, arguments...);
}

// The error of a launch that must fail.
template <class Action>
std::string error_of(Action action) {
  try {
    action();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace podium::test
