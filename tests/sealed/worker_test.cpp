// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The worker of a sealed contestant: which launches reach the device, when, and with what.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "suite/base/descriptor.hpp"
#include "suite/protocol/sealed_program.hpp"
#include "suite/worker/contestant.hpp"
#include "tests/sealed/recording_lane.hpp"

namespace podium::worker {
namespace {

using protocol::SealedProgram;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Kind = SealedProgram::Argument::Kind;

// Two tensors, structure, two allocations; `init` prepares, `first` and `second` run, from two code objects.
SealedProgram bundle() {
  SealedProgram all{.hash = "h", .code = {"code one", "code two"}, .lists = {}};
  SealedProgram::List list{.axes = {5, 7}, .parameters = {0.5}, .scratch = {96, 8}};
  list.prepare = {
      {.code = 0,
       .kernel = "init",
       .arguments = {{.kind = Kind::scratch, .index = 1}, {.kind = Kind::structure, .index = 0}}}};
  list.launches = {
      {.code = 0,
       .kernel = "first",
       .grid = {3, 2, 1},
       .block = {64, 1, 1},
       .shared = 128,
       .arguments = {{.kind = Kind::tensor, .index = 0},
                     {.kind = Kind::scratch, .index = 0},
                     {.kind = Kind::number, .bytes = 4, .bits = 35}}},
      {.code = 1,
       .kernel = "second",
       .arguments = {{.kind = Kind::tensor, .index = 1}, {.kind = Kind::structure, .index = 0}}}};
  all.lists = {list};
  return all;
}

class Worker : public testing::Test {
 protected:
  Worker() { lane.arguments_of = {{"init", 2}, {"first", 3}, {"second", 2}}; }

  std::unique_ptr<Contestant> load(const std::string& bytes, const std::string& hash = "h") {
    const Descriptor file(memfd_create("bundle", MFD_CLOEXEC));
    EXPECT_EQ(write(file.get(), bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
    return load_contestant(file.get(), hash);
  }
  static protocol::Create create(std::int64_t rows = 5) {
    protocol::Create message{};
    message.axes[0] = rows, message.axes[1] = 7;
    message.axis_count = 2;
    message.parameters[0] = 0.5;
    message.parameter_count = 1;
    message.tensor_count = 2;
    message.scratch_limit = 104;
    return message;
  }
  void show(Contestant& contestant) {
    protocol::Structures structures{};
    structures.count = 1;
    structures.structures[0].offset = 512;
    contestant.show(structures, -1, lane);
  }
  static protocol::Arm arm(int calls) {
    protocol::Arm message{};
    message.calls = calls;
    for (int call = 0; call < calls; ++call)
      message.offsets[call][0] = 1024 + 512 * call, message.offsets[call][1] = 1280 + 512 * call;
    return message;
  }
  std::uint64_t at(std::size_t offset) const {
    return reinterpret_cast<std::uintptr_t>(lane.arena() + offset);
  }
  std::string failure(const std::function<void()>& step) {
    try {
      step();
      return "none";
    } catch (const Error& e) {
      return e.what();
    }
  }

  device::RecordingLane lane;
};

TEST_F(Worker, LaunchesTheListForEachCallWithItsTensors) {
  const auto contestant = load(pack(bundle()));
  show(*contestant);
  contestant->create(create(), lane);
  EXPECT_THAT(lane.allocated, ElementsAre(96, 8));
  EXPECT_EQ(lane.loaded, 2);
  EXPECT_EQ(lane.synchronised, 1);
  ASSERT_EQ(lane.launched.size(), 1u);
  EXPECT_EQ(lane.launched[0].kernel, "init");
  EXPECT_EQ(lane.launched[0].arguments[1], at(512));
  const auto second_scratch = lane.launched[0].arguments[0];

  lane.launched.clear();
  contestant->bind(arm(2), lane);
  EXPECT_THAT(lane.launched, IsEmpty());  // nothing before its time
  contestant->run(lane);
  ASSERT_EQ(lane.launched.size(), 4u);
  const auto& first = lane.launched[0];
  EXPECT_EQ(first.code, "code one");
  EXPECT_EQ(first.kernel, "first");
  EXPECT_THAT(first.shape.grid, ElementsAre(3, 2, 1));
  EXPECT_THAT(first.shape.block, ElementsAre(64, 1, 1));
  EXPECT_EQ(first.shape.shared, 128u);
  EXPECT_EQ(first.arguments[0], at(1024));
  EXPECT_NE(first.arguments[1], second_scratch);
  EXPECT_EQ(first.arguments[2], 35u);
  EXPECT_EQ(lane.launched[1].code, "code two");
  EXPECT_THAT(lane.launched[1].arguments, ElementsAre(at(1280), at(512)));
  EXPECT_EQ(lane.launched[2].arguments[0], at(1024 + 512));
  EXPECT_THAT(lane.launched[3].arguments, ElementsAre(at(1280 + 512), at(512)));

  contestant->run(lane);  // once more, as a graph is captured
  EXPECT_EQ(lane.launched.size(), 8u);
  lane.launched.clear();
  contestant->bind(arm(1), lane);  // other tensors in place of the last ones
  contestant->run(lane);
  EXPECT_EQ(lane.launched.size(), 2u);
}

TEST_F(Worker, EachInstanceHasItsOwnCodeAndScratch) {
  const auto contestant = load(pack(bundle()));
  show(*contestant);
  for (int instance = 1; instance <= 3; ++instance) {
    contestant->create(create(), lane);
    contestant->bind(arm(1), lane);
    contestant->run(lane);
    contestant->destroy();
    lane.release();
    EXPECT_EQ(lane.loaded, 2 * instance);
    EXPECT_EQ(lane.allocated.size(), static_cast<std::size_t>(2 * instance));
  }
  EXPECT_EQ(lane.launched.size(), 9u);
}

TEST_F(Worker, WhatIsNotThereIsASentence) {
  EXPECT_THAT(failure([&] { load(pack(bundle()), "other"); }),
              HasSubstr("built for interface h, the problem has other"));
  EXPECT_THAT(failure([&] { load("podium sealed contestant 1\nx"); }), HasSubstr("cannot be read"));
  EXPECT_THAT(failure([&] { load("\177ELF, but no library"); }), HasSubstr("the plugin cannot be loaded"));
  const auto contestant = load(pack(bundle()));
  show(*contestant);
  EXPECT_THAT(failure([&] { contestant->create(create(6), lane); }),
              HasSubstr("no workload with these axes"));
  auto little = create();
  little.scratch_limit = 103;
  EXPECT_THAT(failure([&] { contestant->create(little, lane); }),
              HasSubstr("scratch of 8 bytes exceeds the 7 bytes left of 103"));
  lane.room = 95;
  EXPECT_THAT(failure([&] { contestant->create(create(), lane); }), HasSubstr("no memory left for 96 bytes"));
  lane.room = 1000;
  lane.arguments_of.erase("init");
  EXPECT_THAT(failure([&] { contestant->create(create(), lane); }), HasSubstr("finds no kernel 'init'"));
}

TEST_F(Worker, TensorsAndStructureThatAreNotThereAreNotRead) {
  auto wrong = bundle();
  wrong.lists[0].launches[0].arguments[0].index = 2;
  const auto tensors = load(pack(wrong));
  show(*tensors);
  tensors->create(create(), lane);
  EXPECT_THAT(failure([&] { tensors->bind(arm(1), lane); }), HasSubstr("names a tensor that does not exist"));
  wrong = bundle();
  wrong.lists[0].prepare[0].arguments[1].kind = Kind::tensor;
  const auto prepared = load(pack(wrong));
  show(*prepared);
  EXPECT_THAT(failure([&] { prepared->create(create(), lane); }),
              HasSubstr("names a tensor that does not exist"));
  const auto unshown = load(pack(bundle()));
  EXPECT_THAT(failure([&] { unshown->create(create(), lane); }),
              HasSubstr("names structure that does not exist"));
}

TEST(Lane, ThatTakesNoCodeSaysSo) {
  class Bare : public device::RecordingLane {
   public:
    device::Kernels& load(const std::string& code) override { return Lane::load(code); }
  } lane;
  EXPECT_THROW(lane.load("code"), Error);
}

}  // namespace
}  // namespace podium::worker
