// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The gate where the driver lets no stream wait: a kernel that looks at the word.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>

#include "backends/gpu/gate.hpp"
#include "backends/gpu/vendor.hpp"
#include "suite/base/error.hpp"
#include "tests/backends/opened.hpp"

namespace podium::test {
namespace {

using namespace gpu;

class SpinningGate : public Opened {
 protected:
  static Pinned pinned() {
    constexpr std::size_t bytes = 4096;
    void* at = nullptr;
    check(api::host_alloc(&at, bytes, api::host_alloc_default));
    std::memset(at, 0, bytes);
    return Pinned(at);
  }
};

TEST_F(SpinningGate, HoldsUntilTheWordHasItsTicket) {
  if (!device_) return;
  const Stream stream = non_blocking_stream();
  const Pinned page = pinned(), behind = pinned();
  void* at = nullptr;
  check(api::host_get_device_pointer(&at, page, 0));
  auto* const word = static_cast<std::uint32_t*>(static_cast<void*>(page));
  auto* const passed = static_cast<std::uint8_t*>(static_cast<void*>(behind));
  if (!spinning_gate()) {
    EXPECT_THROW(Gate(stream, static_cast<std::byte*>(at), 0, Hold::spinning), Error);
    return;
  }
  Gate gate(stream, static_cast<std::byte*>(at), 0, Hold::spinning);
  EXPECT_TRUE(gate.spins());
  for (const std::uint32_t ticket : {1u, 2u, 3u}) {
    gate.hold(stream, ticket);
    check(api::memset_async(passed, static_cast<int>(ticket), 1, stream));
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_EQ(std::atomic_ref(*passed).load(), ticket - 1) << "the gate did not hold";
    std::atomic_ref(*word).store(ticket);
    check(api::stream_synchronise(stream));
    EXPECT_EQ(std::atomic_ref(*passed).load(), ticket);
  }
}

TEST_F(SpinningGate, IsNotTakenWhereTheStreamCanWait) {
  if (!device_) return;
  const Stream stream = non_blocking_stream();
  const Pinned page = pinned();
  void* at = nullptr;
  check(api::host_get_device_pointer(&at, page, 0));
  EXPECT_FALSE(Gate(stream, static_cast<std::byte*>(at), 0).spins());
  check(api::stream_synchronise(stream));
}

}  // namespace
}  // namespace podium::test
