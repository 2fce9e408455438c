// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Workers that stand still between their turns, so that their processes and what these hold on the device
// need not be made again each round.
#pragma once
#include <chrono>
#include <deque>
#include <filesystem>
#include <optional>
#include <string>

#include "suite/base/descriptor.hpp"
#include "suite/base/stopped_group.hpp"
#include "suite/sandbox/hold.hpp"
#include "suite/sandbox/process.hpp"

namespace podium::contest {

struct WorkerProcess {
  int number = 0;                 // by which the judge knows it
  std::string key;                // by which its next turn finds it; empty: it has none
  std::int64_t device_bytes = 0;  // of the device's memory, when it was last looked at
  std::filesystem::path plugin;
  sandbox::Child child;
  Descriptor output;  // what it printed
};

class Parking {
 public:
  // `holds`: by Means::hold, no signal wakes what is parked. Else it can wake itself, which take() sees.
  explicit Parking(bool holds = sandbox::granted().has(sandbox::Means::hold)) : holds_(holds) {}

  // Its threads stand still from here on. False, and it is ended, if they do not.
  bool park(WorkerProcess worker);
  struct Taken {
    std::optional<WorkerProcess> worker;  // nothing: there is none, it has ended meanwhile, or it ran
    bool ran = false;  // where it should have stood still, which disturbs others: it is ended
  };
  // The worker of that key, and it goes on.
  Taken take(const std::string& key);
  // Whether the one parked longest ran where it should have stood still. There must be one.
  bool oldest_ran();
  // Ends the one that has been parked longest, and returns its number. There must be one.
  int end_oldest();
  int end_newest();
  const std::filesystem::path& oldest_plugin() const { return workers_.front().worker.plugin; }

  bool holds() const { return holds_; }
  std::size_t size() const { return workers_.size(); }
  bool has(int number) const;
  std::optional<int> number_of(const std::string& key) const;
  std::int64_t bytes() const;         // of host memory, without what they share with the judge
  std::int64_t newest_bytes() const;  // of the one parked last; there must be one
  std::int64_t device_bytes() const;  // of the device's memory, when they were parked

 private:
  struct Parked {
    WorkerProcess worker;
    std::int64_t bytes = 0;
    Group group;
    std::optional<std::uint64_t> runs;  // until it was parked; nothing where the kernel does not count
    std::chrono::nanoseconds time{0};   // of a processor, likewise
    std::optional<sandbox::Hold> hold;  // ends before the worker does
  };
  static bool ran(Parked& parked);  // and has not been ended

  bool holds_;
  std::deque<Parked> workers_;  // parked longest first
};

}  // namespace podium::contest
