// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Device 0 of the backend under test, or a skip that says why there is none. The CPU is always there.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "suite/base/error.hpp"
#include "suite/device/device.hpp"

namespace podium::test {

// Whether every byte is `value`; the failure names the first that is not. (A matcher takes seconds over
// megabytes.)
inline testing::AssertionResult all(const std::vector<std::uint8_t>& bytes, std::uint8_t value) {
  const auto other = std::ranges::find_if(bytes, [&](std::uint8_t b) { return b != value; });
  if (other == bytes.end()) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "byte " << other - bytes.begin() << " of " << bytes.size() << " is "
                                     << int(*other) << ", expected " << int(value);
}

class Opened : public testing::Test {
 protected:
  void SetUp() override {
    try {
      device_ = device::open(0);
    } catch (const Error& e) {
      if (e.fault() != Fault::device) throw;
#if defined(PODIUM_GPU_CUDA) || defined(PODIUM_GPU_HIP)
      GTEST_SKIP() << e.what();
#else
      FAIL() << e.what();
#endif
    }
  }

  std::vector<std::uint8_t> read(const std::byte* at, std::size_t bytes) {
    std::vector<std::uint8_t> host(bytes, 0xEE);
    device_->copy(host.data(), at, bytes);
    device_->synchronise();
    return host;
  }

  std::unique_ptr<device::Device> device_;
};

}  // namespace podium::test
