// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Chooses the library that stands in for a vendor's, and how it behaves, while a test runs.
#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <functional>
#include <string>

#include "backends/telemetry/library.hpp"
#include "suite/device/telemetry.hpp"

namespace podium::telemetry {

class StandIn {
 public:
  // `behaviour`: "", "refuse" (does not start), "unsupported" (answers no question).
  StandIn(const char* variable, const std::string& library, const char* behaviour = "")
      : variable_(variable) {
    setenv(variable_, library.c_str(), 1);
    setenv("STAND_IN", behaviour, 1);
  }
  ~StandIn() {
    unsetenv(variable_);
    unsetenv("STAND_IN");
  }
  StandIn(const StandIn&) = delete;
  StandIn& operator=(const StandIn&) = delete;

 private:
  const char* variable_;
};

// The sentence with which opening fails; "" if it does not.
inline std::string sentence(const std::function<void()>& open) {
  try {
    open();
  } catch (const Unavailable& e) {
    return e.what();
  }
  return "";
}

inline void expect_nothing_known(const device::Telemetry& is) {
  for (const double value : {is.sm_clock, is.memory_clock, is.temperature, is.power})
    EXPECT_TRUE(std::isnan(value));
  EXPECT_EQ(is.throttle, 0u);
}

}  // namespace podium::telemetry
