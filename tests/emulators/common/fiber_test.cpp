// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "emulators/common/fiber.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace podium::emulation {
namespace {

constexpr std::size_t stack_bytes = 64 << 10;

struct Runner {
  std::unique_ptr<Fiber> fiber = std::make_unique<Fiber>(stack_bytes);
  char name = '?';
  Runner* next = nullptr;  // to whom it passes; nullptr: back to the scheduler
  std::string* said = nullptr;
};

// Says its name and hands on, again and again.
void body(void* argument) {
  auto& me = *static_cast<Runner*>(argument);
  for (int turn = 0;; ++turn) {
    *me.said += me.name + std::to_string(turn);
    if (me.next)
      me.fiber->pass_to(*me.next->fiber);
    else
      me.fiber->leave();
  }
}

struct Ring {
  Ring() {
    for (std::size_t i = 0; i < 3; ++i) {
      all[i].name = static_cast<char>('a' + i);
      all[i].said = &said;
      all[i].fiber->start(&body, &all[i]);
    }
  }
  std::string said;
  std::vector<Runner> all = std::vector<Runner>(3);
};

TEST(Fiber, GoesOnWhereItLeft) {
  Ring ring;
  ring.all[0].fiber->resume();
  ring.all[1].fiber->resume();
  ring.all[0].fiber->resume();
  EXPECT_EQ(ring.said, "a0b0a1");
}

TEST(Fiber, PassesToOthersAndTheLastOneLeavesToTheScheduler) {
  Ring ring;
  ring.all[0].next = &ring.all[1];
  ring.all[1].next = &ring.all[2];
  ring.all[0].fiber->resume();
  EXPECT_EQ(ring.said, "a0b0c0");
  ring.all[2].next = &ring.all[0];  // which has passed and waits
  ring.all[0].next = nullptr;
  ring.all[1].fiber->resume();
  EXPECT_EQ(ring.said, "a0b0c0b1c1a1");
  ring.all[1].next = nullptr;
  ring.all[1].fiber->resume();
  EXPECT_EQ(ring.said, "a0b0c0b1c1a1b2");
}

}  // namespace
}  // namespace podium::emulation
