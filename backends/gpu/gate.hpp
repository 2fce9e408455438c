// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What holds streams until the judge has written a ticket into a word of the page that both share.
#pragma once
#include <cstddef>
#include <cstdint>

#include "backends/gpu/handles.hpp"

namespace podium::gpu {

enum class Hold { as_the_driver_can, spinning };

class Gate {
 public:
  // `word`: its address on the device; `now`: what it holds. Streams wait by themselves where the driver lets
  // them, which is tried on `stream`; else a kernel of one thread looks at the word, for which the judge's
  // work has to share the device, and gives up after half a minute: what follows reads poison then, and is
  // wrong. Throws podium::Error (no device) where there is neither.
  Gate(api::Stream stream, std::byte* word, std::uint32_t now, Hold hold = Hold::as_the_driver_can);
  void hold(api::Stream stream, std::uint32_t ticket);  // what is enqueued there from now on
  bool spins() const { return function_ != nullptr; }

 private:
  std::byte* word_;
  Module module_;
  api::Function function_{};  // none: streams wait by themselves
};

}  // namespace podium::gpu
