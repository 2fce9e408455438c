// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The judge in front of a reference in Python, whose process is a thread here: what it is told, what it may
// answer, and what is said of one that answers badly or not at all.
#include "suite/judge/python_reference.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <nlohmann/json.hpp>
#include <thread>

#include "suite/judge/rehearsal.hpp"
#include "tests/judge/program_double.hpp"
#include "tests/refusal.hpp"

namespace podium::judge {
namespace {

using nlohmann::json;
using protocol::ReferenceAnswer, protocol::ReferenceAsk, protocol::ReferenceTask, protocol::ReferenceVerdict;
using testing::HasSubstr;

enum Functions { draws_outputs = 3, draws_checks = 5, draws_both = 7, outputs_alone = 2, exact_outputs = 11 };

constexpr const char* yaml = R"y(podium: 1
title: t
axes: [n]
parameters: { alpha: f32 }
structure: { length: { dtype: i32, shape: [2], compute: "for (k : 2) out(k) = 7 + k;" } }
tensors:
  x: { role: input, dtype: f32, shape: [n] }
  w: { role: input, dtype: i32, shape: [n], fill: sequence }
  y: { role: output, dtype: f32, shape: [n], tolerance: { ulp: 1, growth: 0 } }
reference: { python: reference.py }
workloads: { test: [{ name: small, n: 4, alpha: 2 }] }
)y";

// Answers as a process would; x is `seed` plus k, and the answer x + w, unless a test says otherwise.
class StandIn {
 public:
  explicit StandIn(int functions) : functions_(functions) {
    auto [judges, own] = protocol::socket_pair();
    judges_ = std::move(judges);
    channel_ = protocol::Channel(std::move(own));
    thread_ = std::thread([this] {
      try {
        for (;;) serve(*channel_.receive());
      } catch (const Error&) {  // the judge has gone, or a test ends it
      }
      channel_.close();
    });
  }
  ~StandIn() { thread_.join(); }

  PythonReference::Process process(std::chrono::milliseconds patience = std::chrono::seconds(20)) {
    Descriptor clock(memfd_create("clock", MFD_CLOEXEC));
    EXPECT_EQ(ftruncate(clock.get(), sizeof(protocol::ReferenceClock)), 0);
    clock_ = static_cast<protocol::ReferenceClock*>(
        mmap(nullptr, sizeof(protocol::ReferenceClock), PROT_READ, MAP_SHARED, clock.get(), 0));
    return {protocol::Channel(std::move(judges_)), -1, patience, std::move(clock)};
  }

  std::function<void(ReferenceTask, ReferenceAnswer&)> changes;  // what it does otherwise
  std::function<void(const std::byte* memory)> sees;             // what it is asked to verify
  json workload;
  const protocol::ReferenceClock* clock_ = nullptr;
  int asked_to_prove = 0;

  template <class T>
  T* at(const char* list, const std::string& name, const char* place) {
    for (const auto& one : workload[list])
      if (one["name"] == name) return reinterpret_cast<T*>(memory_ + one[place].get<std::int64_t>());
    throw Error("nothing of that name");
  }

 private:
  void serve(const protocol::Packet& packet) {
    ReferenceAnswer answer{};
    answer.functions = functions_;
    answer.exact = device::unknown;
    if (packet.type() == protocol::Type::reference_begin) {
      const auto& begin = packet.as<protocol::ReferenceBegin>();
      memory_ = static_cast<std::byte*>(mmap(nullptr, begin.memory_bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
                                             packet.descriptors[0].get(), 0));
      EXPECT_NE(ftruncate(packet.descriptors[0].get(), 0), 0) << "nobody can shrink it";
      std::string text(begin.description_bytes, 0);
      EXPECT_EQ(pread(packet.descriptors[1].get(), text.data(), text.size(), 0), std::ssize(text));
      workload = json::parse(text);
    }
    if (packet.type() == protocol::Type::reference_ask) ask(packet.as<ReferenceAsk>(), answer);
    channel_.send(answer);
  }

  void ask(const ReferenceAsk& ask, ReferenceAnswer& answer) {
    if (ask.task == ReferenceTask::inputs)
      for (int k = 0; k < 4; ++k)
        at<float>("tensors", "x", "before")[k] =
            static_cast<float>(ask.seed % 1000 + static_cast<unsigned>(k));
    if (ask.task == ReferenceTask::prove) ++asked_to_prove;
    if (ask.task == ReferenceTask::verify && sees) sees(memory_);
    if (ask.task == ReferenceTask::verify && workload["answers"].contains("y"))
      for (int k = 0; k < 4; ++k)
        at<double>("answers", "y", "offset")[k] =
            at<float>("tensors", "x", "before")[k] + at<std::int32_t>("tensors", "w", "before")[k];
    if (changes) changes(ask.task, answer);
  }

  int functions_;
  Descriptor judges_;
  protocol::Channel channel_;
  std::byte* memory_ = nullptr;
  std::thread thread_;
};

struct Trial {
  StandIn process;
  problem::Problem problem;
  problem::Instance instance;
  DoubleDevice device{false};
  DoubleProgram program;
  Evaluator evaluator;

  explicit Trial(int functions, const std::string& text = yaml,
                 std::chrono::milliseconds patience = std::chrono::seconds(20))
      : process(functions),
        problem(problem::parse("trial", text, "kernels/trial/problem.yaml")),
        instance(problem::instantiate(problem, problem.choices[0], problem.workloads[0], structure_seed)),
        program(compile_program(problem::judge_program(problem, problem.choices[0]))),
        evaluator(device, program, problem, problem.choices[0]) {
    evaluator.attach(std::make_unique<PythonReference>(process.process(patience), device, problem));
  }
  ~Trial() { evaluator.attach(nullptr); }  // upon which the thread ends
  template <class T>
  T* data(const std::string& name) {
    return reinterpret_cast<T*>(
        evaluator.output(static_cast<std::size_t>(problem.tensor(name) - problem.tensors.data())));
  }
  void answer_right() {
    for (int k = 0; k < 4; ++k)
      data<float>("y")[k] = data<float>("x")[k] + static_cast<float>(data<std::int32_t>("w")[k]);
  }
};

TEST(PythonReference, IsToldTheWorkloadAndDrawsItsInputs) {
  Trial t(draws_outputs);
  t.evaluator.begin(t.instance, true);
  const json& told = t.process.workload;
  EXPECT_EQ(told["workload"]["name"], "small");
  EXPECT_EQ(told["workload"]["numbers"], (json{{"n", 4}, {"alpha", 2.0}}));
  EXPECT_EQ(told["tensors"].size(), 3u);
  EXPECT_EQ(told["tensors"][0]["drawn"], true);
  EXPECT_EQ(told["tensors"][1]["drawn"], false);
  EXPECT_EQ(told["answers"]["y"]["dtype"], "f64");
  EXPECT_EQ(t.process.at<std::int32_t>("structure", "length", "offset")[1], 8);
  t.evaluator.fill(20);
  EXPECT_EQ(t.data<float>("x")[3], 13) << "the seed has 63 bits";
  EXPECT_EQ(t.data<std::int32_t>("w")[3], 3);
}

TEST(PythonReference, ComparesWithItsAnswers) {
  Trial t(draws_outputs);
  t.evaluator.begin(t.instance, true);
  t.evaluator.fill(20);
  t.answer_right();
  Finding found = t.evaluator.verify(1, 0xff);
  EXPECT_TRUE(found.right) << found.text;
  EXPECT_EQ(found.compared, 4);
  t.data<float>("y")[2] += 1;
  found = t.evaluator.verify(1, 0xff);
  EXPECT_FALSE(found.right);
  EXPECT_THAT(found.text, testing::AllOf(HasSubstr("y[2]"), HasSubstr("expected 14")));
  std::memset(t.data<std::byte>("y"), 0xff, 16);
  found = t.evaluator.verify(1, 0xff);
  EXPECT_FALSE(found.right);
  EXPECT_FALSE(found.written);
}

TEST(PythonReference, ItsCheckDecidesAlone) {
  Trial t(draws_checks);
  t.evaluator.begin(t.instance, true);
  EXPECT_TRUE(t.process.workload["answers"].empty());
  t.evaluator.fill(20);
  float seen = 0;
  t.process.sees = [&](const std::byte*) { seen = t.process.at<float>("tensors", "y", "after")[1]; };
  for (int k = 0; k < 4; ++k) t.data<float>("y")[k] = std::numeric_limits<float>::infinity();
  t.data<float>("y")[1] = 5;
  Finding found = t.evaluator.verify(1, 0xff);
  EXPECT_TRUE(found.right) << found.text;
  EXPECT_EQ(seen, 5);
  EXPECT_EQ(found.examined, 4);
  t.process.changes = [](ReferenceTask, ReferenceAnswer& answer) {
    answer.verdict = ReferenceVerdict::wrong;
    protocol::put(answer.text, "not so");
  };
  found = t.evaluator.verify(1, 0xff);
  EXPECT_FALSE(found.right);
  EXPECT_TRUE(found.written);
  EXPECT_THAT(found.text, testing::StartsWith("not so"));
  t.process.changes = nullptr;
  std::memset(t.data<std::byte>("y"), 0x5a, 16);
  found = t.evaluator.verify(1, 0x5a);
  EXPECT_FALSE(found.right) << "nothing was written, whatever it says";
  EXPECT_FALSE(found.written);
}

TEST(PythonReference, TheErrorAgainstFp64IsOfFullVerification) {
  Trial t(exact_outputs);
  t.process.changes = [](ReferenceTask, ReferenceAnswer& answer) {
    answer.exact = 0.25;
    protocol::put(answer.note, "error against fp64 0.25");
  };
  t.evaluator.begin(t.instance, true);
  t.evaluator.fill(20);
  t.answer_right();
  const Finding found = t.evaluator.verify(1, 0xff);
  EXPECT_EQ(found.exact, 0.25);
  EXPECT_THAT(found.text, testing::AllOf(HasSubstr("no error"), HasSubstr("; error against fp64 0.25")));
}

TEST(PythonReference, ProvesItselfInRehearsals) {
  Trial t(draws_both);
  const auto rehearsed = rehearse(t.device, t.evaluator, t.problem, t.instance, true, 0, 5, 0xff);
  EXPECT_GE(rehearsed.verify_microseconds, 0);
  EXPECT_EQ(t.process.asked_to_prove, 1);
}

TEST(PythonReference, InputsFollowFromTheSeedAlone) {
  Trial same(draws_outputs);
  same.process.changes = [&](ReferenceTask, ReferenceAnswer&) {
    same.process.at<float>("tensors", "x", "before")[0] = 1;
    for (int k = 1; k < 4; ++k) same.process.at<float>("tensors", "x", "before")[k] = 2;
  };
  same.evaluator.begin(same.instance, true);
  EXPECT_THAT(refusal([&] { same.evaluator.prove(5); }),
              HasSubstr("inputs() drew the same inputs from 64 seeds"));
  Trial other(draws_outputs);
  int calls = 0;
  other.process.changes = [&](ReferenceTask, ReferenceAnswer&) {
    other.process.at<float>("tensors", "x", "before")[0] = static_cast<float>(++calls);
  };
  other.evaluator.begin(other.instance, true);
  EXPECT_THAT(refusal([&] { other.evaluator.prove(5); }),
              HasSubstr("kernels/trial/reference.py: inputs() drew different inputs from one seed"));
}

// Whoever's outputs they are: the fault is theirs only where its own answer has passed.
TEST(PythonReference, AProcessThatEndsInItsCheckIsOver) {
  for (const int functions : {int{draws_both}, int{draws_checks}}) {
    Trial t(functions);
    t.evaluator.begin(t.instance, true);
    t.evaluator.fill(20);
    t.evaluator.prove(20);
    t.process.changes = [](ReferenceTask, ReferenceAnswer&) { throw Error("the end"); };
    const Finding found = t.evaluator.verify(1, 0xff);
    EXPECT_FALSE(found.right);
    EXPECT_EQ(found.judged, functions == draws_both);
    EXPECT_THAT(found.text,
                testing::StartsWith("reference.py: its process ended in check(), on these outputs"));
    EXPECT_TRUE(t.evaluator.reference_is_over());
    EXPECT_EQ(t.process.clock_->over.load(), 1);
    StandIn other(functions);
    t.evaluator.attach(
        std::make_unique<PythonReference>(other.process(std::chrono::seconds(20)), t.device, t.problem));
    EXPECT_FALSE(t.evaluator.reference_is_over());
    EXPECT_EQ(other.asked_to_prove, 1) << "so that it is seen who was at fault";
    t.evaluator.fill(20);
    EXPECT_EQ(t.data<float>("x")[3], 13);
    EXPECT_TRUE(t.evaluator.verify(1, 0xff).right);
    t.evaluator.attach(nullptr);
  }
}

TEST(PythonReference, ACheckThatRaisedComesToNoVerdict) {
  Trial t(draws_checks);
  t.evaluator.begin(t.instance, true);
  t.evaluator.fill(20);
  t.process.changes = [](ReferenceTask, ReferenceAnswer& answer) {
    answer.verdict = ReferenceVerdict::raised;
    protocol::put(answer.text, "check() raised");
  };
  const Finding found = t.evaluator.verify(1, 0xff);
  EXPECT_FALSE(found.right);
  EXPECT_FALSE(found.judged);
}

TEST(PythonReference, FunctionsAreNeeded) {
  Trial t(outputs_alone);
  EXPECT_THAT(
      refusal([&] { t.evaluator.begin(t.instance, true); }),
      HasSubstr("kernels/trial/reference.py: found no inputs(), expected it to draw x: they have no fill"));
  std::string untold = yaml;
  untold.replace(untold.find(", tolerance"), std::string(", tolerance: { ulp: 1, growth: 0 }").size(), "");
  EXPECT_THAT(refusal([&] { Trial other(draws_outputs, untold); }),
              HasSubstr("problem.yaml:9: tensors.y: found no tolerance, and reference.py has no check()"));
}

TEST(PythonReference, WhatItFailsAtIsSaid) {
  Trial t(draws_outputs);
  t.evaluator.begin(t.instance, true);
  t.process.changes = [](ReferenceTask, ReferenceAnswer& answer) {
    answer.verdict = ReferenceVerdict::failed;
    protocol::put(answer.text, "reference.py:7, in inputs: KeyError: 'q'");
  };
  EXPECT_EQ(refusal([&] { t.evaluator.fill(1); }), "kernels/trial/reference.py:7, in inputs: KeyError: 'q'");
  EXPECT_EQ(refusal([&] { t.evaluator.fill(1); }), "kernels/trial/reference.py: its process has ended");
}

TEST(PythonReference, OneThatEndsOrHangsIsSaid) {
  Trial ends(draws_outputs);
  ends.evaluator.begin(ends.instance, true);
  ends.process.changes = [](ReferenceTask, ReferenceAnswer&) { throw Error("the end"); };
  EXPECT_EQ(refusal([&] { ends.evaluator.fill(1); }),
            "kernels/trial/reference.py: its process ended in inputs()");
  Trial hangs(draws_outputs, yaml, std::chrono::seconds(1));
  hangs.evaluator.begin(hangs.instance, true);
  std::atomic<bool> over = false;
  hangs.process.changes = [&](ReferenceTask, ReferenceAnswer&) {
    EXPECT_NE(hangs.process.clock_->since.load(), 0);
    while (!over) std::this_thread::yield();
  };
  EXPECT_EQ(refusal([&] { hangs.evaluator.fill(1); }),
            "kernels/trial/reference.py: no answer in 1 s in inputs()");
  over = true;
  EXPECT_GT(hangs.process.clock_->spent.load(), 1'000'000'000);
  EXPECT_EQ(hangs.process.clock_->since.load(), 0);
}

}  // namespace
}  // namespace podium::judge
