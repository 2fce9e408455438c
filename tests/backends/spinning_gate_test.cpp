// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The gate where the driver lets no stream wait: a kernel that looks at the word, and gives up in the end.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <optional>
#include <thread>

#include "backends/gpu/gate.hpp"
#include "tests/backends/opened.hpp"

namespace podium::test {
namespace {

using namespace gpu;

using namespace std::chrono_literals;

// Memory of the host that the device sees, zeros.
class Page {
 public:
  Page() {
    void* at = nullptr;
    check(api::host_alloc(&at, bytes, api::host_alloc_default));
    memory_ = Pinned(at);
    std::memset(at, 0, bytes);
    check(api::host_get_device_pointer(&at, at, 0));
    on_device_ = static_cast<std::byte*>(at);
  }
  std::byte* on_device() const { return on_device_; }
  std::atomic_ref<std::uint32_t> word() const {
    void* const at = memory_;
    return std::atomic_ref(*static_cast<std::uint32_t*>(at));
  }

 private:
  static constexpr std::size_t bytes = 4096;
  Pinned memory_;
  std::byte* on_device_ = nullptr;
};

class SpinningGate : public Opened {
 protected:
  void SetUp() override {
    Opened::SetUp();
    if (!device_) return;
    stream_ = non_blocking_stream();
    gate_page_.emplace();
    behind_.emplace();
  }
  Gate gate(Hold how, std::chrono::milliseconds patience = Gate::half_a_minute) {
    return Gate(stream_, gate_page_->on_device(), 0, how, patience);
  }
  // What shows that the stream came past the gate.
  void enqueue(std::uint8_t value) { check(api::memset_async(behind_->on_device(), value, 1, stream_)); }
  std::uint32_t passed() { return behind_->word().load(); }
  void open(std::uint32_t ticket) { gate_page_->word().store(ticket); }

  Stream stream_;
  std::optional<Page> gate_page_, behind_;
};

TEST_F(SpinningGate, HoldsUntilTheWordHasItsTicket) {
  Gate gate = this->gate(Hold::spinning);
  EXPECT_TRUE(gate.spins());
  for (const std::uint8_t ticket : {1, 2, 3}) {
    gate.hold(stream_, ticket);
    enqueue(ticket);
    std::this_thread::sleep_for(50ms);
    EXPECT_EQ(passed(), ticket - 1u) << "the gate did not hold";
    open(ticket);
    check(api::stream_synchronise(stream_));
    EXPECT_EQ(passed(), ticket);
  }
}

TEST_F(SpinningGate, GivesUp) {
  constexpr auto patience = 400ms;
  Gate gate = this->gate(Hold::spinning, patience);
  for (const std::uint8_t turn : {1, 2}) {  // the first one also loads the kernel
    gate.hold(stream_, 7);
    enqueue(turn);
    const auto start = std::chrono::steady_clock::now();
    check(api::stream_synchronise(stream_));
    const auto took = std::chrono::steady_clock::now() - start;
    EXPECT_EQ(passed(), turn) << "nobody opened it";
    EXPECT_GT(took, patience * 9 / 10) << "the gate did not hold";
    if (turn > 1) {
      EXPECT_LT(took, 10 * patience);
    }
  }
}

TEST_F(SpinningGate, IsNotTakenWhereTheStreamCanWaitWhichDoesNotGiveUp) {
  constexpr auto patience = 50ms;
  Gate gate = this->gate(Hold::as_the_driver_can, patience);
  EXPECT_FALSE(gate.spins());
  gate.hold(stream_, 1);
  enqueue(1);
  std::this_thread::sleep_for(6 * patience);
  EXPECT_EQ(passed(), 0u);
  open(1);
  check(api::stream_synchronise(stream_));
  EXPECT_EQ(passed(), 1u);
}

}  // namespace
}  // namespace podium::test
