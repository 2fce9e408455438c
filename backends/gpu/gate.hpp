// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What holds streams until the judge has written a ticket into a word of the page that both share.
#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "backends/gpu/handles.hpp"

namespace podium::gpu {

enum class Hold { as_the_driver_can, spinning };

class Gate {
 public:
  // Longer than the judge takes to fill the largest tensors, so short that a device is not lost to it.
  static constexpr std::chrono::milliseconds half_a_minute{30'000};

  // `word`: its address on the device; `now`: what it holds. Streams wait by themselves where the driver lets
  // them, which is tried on `stream`, for as long as it takes; else a kernel of one thread looks at the word,
  // for which the judge's work has to share the device, and gives up after `patience`: what follows reads
  // poison then, and is wrong. Throws podium::Error (no device) where there is neither.
  Gate(api::Stream stream, std::byte* word, std::uint32_t now, Hold hold = Hold::as_the_driver_can,
       std::chrono::milliseconds patience = half_a_minute);
  void hold(api::Stream stream, std::uint32_t ticket);  // what is enqueued there from now on
  bool spins() const { return function_ != nullptr; }

 private:
  std::byte* word_;
  std::uint64_t patience_ = 0;  // ticks of the device's timer
  Module module_;
  api::Function function_{};  // none: streams wait by themselves
};

}  // namespace podium::gpu
