// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <memory>
#include <podium/emulation/library/fiber.hpp>
#include <string>
#include <vector>

namespace podium::host {
namespace {

constexpr std::size_t stack_bytes = 64 << 10;

struct Runner {
  std::unique_ptr<Fiber> fiber = std::make_unique<Fiber>(stack_bytes);
  char name = '?';
  Fiber* next = nullptr;  // to whom it hands on
  std::string* said = nullptr;
};

// Says its name and hands on, again and again.
void body(void* argument) {
  auto& me = *static_cast<Runner*>(argument);
  for (int turn = 0;; ++turn) {
    *me.said += me.name + std::to_string(turn);
    me.fiber->switch_to(*me.next);
  }
}

struct Ring {
  Ring() {
    for (std::size_t i = 0; i < 3; ++i) {
      all[i].name = static_cast<char>('a' + i);
      all[i].said = &said;
      all[i].next = &main;
      all[i].fiber->start(&body, &all[i]);
    }
  }
  void resume(std::size_t i) { main.switch_to(*all[i].fiber); }
  std::string said;
  Fiber main;
  std::vector<Runner> all = std::vector<Runner>(3);
};

TEST(Fiber, GoesOnWhereItLeft) {
  Ring ring;
  ring.resume(0);
  ring.resume(1);
  ring.resume(0);
  EXPECT_EQ(ring.said, "a0b0a1");
}

TEST(Fiber, SwitchesToOthersAndBack) {
  Ring ring;
  ring.all[0].next = ring.all[1].fiber.get();
  ring.all[1].next = ring.all[2].fiber.get();
  ring.resume(0);
  EXPECT_EQ(ring.said, "a0b0c0");
  ring.all[2].next = ring.all[0].fiber.get();
  ring.all[0].next = &ring.main;
  ring.resume(1);
  EXPECT_EQ(ring.said, "a0b0c0b1c1a1");
}

TEST(Fiber, StartsAnewAndForgetsWhatItWasDoing) {
  Ring ring;
  ring.resume(0);
  ring.all[0].fiber->start(&body, &ring.all[0], 320);
  ring.resume(0);
  EXPECT_EQ(ring.said, "a0a0");
}

TEST(Fiber, KnowsItsOwnStack) {
  Ring ring;
  int here = 0;
  EXPECT_FALSE(ring.all[0].fiber->holds(&here));
  EXPECT_FALSE(ring.main.holds(&here));
  const void* there = nullptr;
  struct Asked {
    Fiber *self, *back;
    const void** at;
  } asked{ring.all[0].fiber.get(), &ring.main, &there};
  asked.self->start(
      [](void* argument) {
        auto& mine = *static_cast<Asked*>(argument);
        int local = 0;
        *mine.at = &local;
        for (;;) mine.self->switch_to(*mine.back);
      },
      &asked);
  ring.resume(0);
  EXPECT_TRUE(asked.self->holds(there));
}

}  // namespace
}  // namespace podium::host
