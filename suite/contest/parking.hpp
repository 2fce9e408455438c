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
#include "suite/sandbox/process.hpp"

namespace podium::contest {

struct Worker {
  int number = 0;                 // by which the judge knows it
  std::string key;                // by which its next turn finds it; empty: it has none
  std::int64_t device_bytes = 0;  // of the device's memory, when it was last looked at
  std::filesystem::path plugin;
  sandbox::Child child;
  Descriptor output;  // what it printed
};

class Parking {
 public:
  // Its threads stand still from here on. False, and it is ended, if they do not within a second.
  bool park(Worker worker);
  // The worker of that key, and it goes on. Nothing if there is none, if it has ended meanwhile, or if it ran
  // where it should have stood still, which disturbs others: then it is ended. Neither is held against it:
  // whoever may signal it, an accomplice or the kernel short of memory, can have done that.
  std::optional<Worker> take(const std::string& key);
  // Ends the one that has been parked longest, and returns its number. There must be one.
  int end_oldest();
  int end_newest();

  std::size_t size() const { return workers_.size(); }
  bool has(int number) const;
  std::optional<int> number_of(const std::string& key) const;
  std::int64_t bytes() const;         // of host memory, without what they share with the judge
  std::int64_t newest_bytes() const;  // of the one parked last; there must be one
  std::int64_t device_bytes() const;  // of the device's memory, when they were parked

 private:
  struct Parked {
    Worker worker;
    Group group;
    std::chrono::nanoseconds ran{0};  // processor time until it was parked
  };
  std::deque<Parked> workers_;  // parked longest first
};

}  // namespace podium::contest
