// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A worker for the judge's tests: a thread that keeps the protocol, doubles x into y, and errs where a test
// tells it to.
#pragma once
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstring>
#include <functional>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "suite/judge/bench.hpp"
#include "tests/judge/program_double.hpp"

namespace podium::judge {

// Memory that is shared like a GPU's: by descriptor.
class SharedArena : public device::Arena {
 public:
  explicit SharedArena(std::size_t bytes) : file_(memfd_create("arena", MFD_CLOEXEC)) {
    bytes_ = bytes;
    if (ftruncate(file_.get(), static_cast<off_t>(bytes)) != 0) throw std::bad_alloc();
    data_ = static_cast<std::byte*>(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_.get(), 0));
  }
  ~SharedArena() override { munmap(data_, bytes_); }
  device::Handle handle() const override { return {.descriptor = file_.get()}; }

 private:
  Descriptor file_;
};

// As beside a GPU the judge spins, and stops no threads; it counts how often caches were flushed and
// its clock was probed, and its counter of energy moves every 20 ms.
class SpinningDevice : public DoubleDevice {
 public:
  static constexpr double watts = 321;
  int flushes = 0, clocks = 0;
  std::vector<std::size_t> unwritten;  // bytes, each behind a flush
  void measure_clock(device::Program&, std::uint64_t*) override { ++clocks; }
  double energy() override {
    constexpr double step = 0.02;  // seconds
    const std::chrono::duration<double> now = std::chrono::steady_clock::now().time_since_epoch();
    return watts * step * std::floor(now.count() / step);
  }
  void flush_caches() override { ++flushes; }
  void leave_unwritten(std::size_t bytes) override { unwritten.push_back(bytes); }
  std::function<void()> awaited = [] {};  // what happens when the judge waits for its work
  void synchronise() override { awaited(); }
  bool settles = false;  // as soon as it is looked at
  bool marked() override { return settles; }
  void mark() override { queued.clear(); }
  std::chrono::milliseconds queueing{0};                      // a copy
  std::vector<std::chrono::steady_clock::time_point> queued;  // copies behind the mark, when each began
  void copy(void* to, const void* from, std::size_t bytes) override {
    queued.push_back(std::chrono::steady_clock::now());
    std::this_thread::sleep_for(queueing);
    DoubleDevice::copy(to, from, bytes);
  }
  bool spins() const override { return true; }
};

// The problem that the worker solves.
inline constexpr std::int64_t elements = 1000;
inline constexpr const char* doubled = R"y(
podium: 1
title: Twice
axes: [n]
tensors:
  x: { role: input, dtype: f32, shape: [n], fill: { normal: { mean: 0, stddev: 1 } } }
  y: { role: output, dtype: f32, shape: [n], tolerance: { ulp: 1 } }
reference: { y: { index: [i], value: "2 * x(i)" } }
workloads:
  test: [{ n: 1000 }]
)y";

class ScriptedWorker {
 public:
  // Before a call is armed, after it has computed; what they throw is sent as the worker's failure.
  std::function<void(const protocol::Arm&)> before = [](const protocol::Arm&) {};
  std::function<void(const protocol::Arm&)> after = [](const protocol::Arm&) {};
  std::function<bool(const protocol::Arm&)> waits = [](const protocol::Arm&) {
    return false;
  };  // inside `run`
  std::vector<protocol::Arm> armed;  // in order
  std::vector<bool> open;            // whether the gate stood open when the call was armed
  std::vector<float> first;          // x[0] of every call
  std::atomic<int> off{0};           // calls that it armed for and was not to make
  std::atomic<bool> computes{true};
  std::atomic<int> constructs{0};       // milliseconds that its constructor takes
  std::int32_t repeats = 0;             // that it says it made; 0: all that it was asked for
  std::atomic<double> reported{1.0};    // microseconds that it says a call took
  std::atomic<std::uint32_t> later{0};  // by how much the ticket that it says is finished is another's

  struct Fails {
    protocol::Verdict verdict;
  };

  // `elements`: of x and of y.
  ScriptedWorker(Descriptor socket, std::byte* arena, std::int64_t elements)
      : channel_(std::move(socket)), arena_(arena), elements_(elements), thread_([this] { serve(); }) {}
  ~ScriptedWorker() { thread_.join(); }

  device::Page& page() const { return *page_; }
  float* x(const protocol::Arm& arm, int call) const { return at(arm.offsets[call][0]); }
  float* y(const protocol::Arm& arm, int call) const { return at(arm.offsets[call][1]); }

 private:
  float* at(std::int64_t offset) const { return reinterpret_cast<float*>(arena_ + offset); }

  void serve() {
    try {
      for (;;) {
        const protocol::Packet packet = std::move(*channel_.receive());
        if (packet.type() == protocol::Type::bye) return;
        if (packet.type() == protocol::Type::setup)
          page_ = static_cast<device::Page*>(mmap(nullptr, device::page_bytes, PROT_READ | PROT_WRITE,
                                                  MAP_SHARED, packet.descriptors[0].get(), 0));
        if (packet.type() == protocol::Type::create)
          std::this_thread::sleep_for(std::chrono::milliseconds(constructs.load()));
        if (packet.type() == protocol::Type::arm)
          answer(packet.as<protocol::Arm>());
        else
          channel_.send(protocol::Ready{});
      }
    } catch (const protocol::Closed&) {  // the judge is gone, or a test has it end
      channel_.close();
    }
  }

  void answer(const protocol::Arm& arm) {
    try {
      before(arm);
    } catch (const Fails& fails) {
      protocol::Failed failed{};
      failed.verdict = fails.verdict;
      protocol::put(failed.text, "told to");
      channel_.send(failed);
      return;
    }
    const std::atomic_ref gate(page_->gate), cancelled(page_->cancelled);
    armed.push_back(arm);
    open.push_back(gate.load() == arm.ticket);
    if (arm.launch == protocol::Launch::capture) captured_ = arm;
    const auto pass = [&] {
      while (gate.load() != arm.ticket) std::this_thread::yield();
    };
    const bool inside = arm.launch != protocol::Launch::waiting && waits(arm);
    if (inside) pass();
    channel_.send(protocol::Armed{{}, arm.ticket, 0});
    pass();
    if (cancelled == arm.ticket)
      ++off;
    else
      compute(arm.launch == protocol::Launch::replay ? captured_ : arm);
    after(arm);
    channel_.send(protocol::Finished{{}, arm.ticket + later, repeats ? repeats : arm.repeats, reported});
  }

  void compute(const protocol::Arm& arm) {
    for (int call = 0; call < arm.calls; ++call) {
      first.push_back(*x(arm, call));
      for (std::int64_t i = 0; computes && i < elements_; ++i) y(arm, call)[i] = 2 * x(arm, call)[i];
    }
  }

  protocol::Channel channel_;
  std::byte* arena_;
  std::int64_t elements_;
  device::Page* page_ = nullptr;
  protocol::Arm captured_{};
  std::thread thread_;  // last: all else is there when it starts
};

// As many processors as a test says.
class Roomy : public IdleSpinner {
 public:
  Roomy() : IdleSpinner(1) {}
  bool room = false;
  bool can_poll_beside(std::size_t, int) override { return room; }
};

// A bench in front of such a worker, begun on `doubled`; `Device` is a SpinningDevice.
template <class Device>
class WithScriptedWorker : public testing::Test {
 protected:
  // `calls`: how many the arena has room for. `group`: of the process that stands for the worker's.
  explicit WithScriptedWorker(int calls = 1, pid_t group = nobody)
      : arena_(static_cast<std::size_t>(arena_bytes(judged_.instance, calls))),
        kept_(device_.allocate(static_cast<std::size_t>(calls) * bytes_kept(judged_.instance))) {
    evaluator_.begin(judged_.instance, true);
    auto [judges, workers] = protocol::socket_pair();
    worker_.emplace(std::move(workers), arena_.data(), elements);
    bench_.emplace(Bench::Shared{.device = device_,
                                 .arena = arena_,
                                 .kept = kept_.get(),
                                 .evaluator = evaluator_,
                                 .clock = clock_,
                                 .spinner = spinner_,
                                 .background = background_},
                   protocol::Channel(std::move(judges)), group, "hash");
    bench_->begin(judged_.instance, 0, {});
    worker_->armed.clear();
    worker_->open.clear();
    worker_->first.clear();
  }
  ~WithScriptedWorker() override { bench_.reset(); }  // upon which the worker ends

  static constexpr pid_t nobody = 999'999'999;  // a group that is not: there is nothing to stop
  Judged judged_{doubled};
  Device device_;
  Evaluator evaluator_{device_, judged_.program, judged_.problem, judged_.choice};
  ClockProbe clock_{device_, judged_.program};
  Roomy spinner_;
  BackgroundTask background_;
  SharedArena arena_;
  std::unique_ptr<device::Memory> kept_;
  std::optional<ScriptedWorker> worker_;
  std::optional<Bench> bench_;
};

}  // namespace podium::judge
