// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Streams, events and modules that destroy themselves.
#pragma once
#include <utility>

#include "backends/gpu/api.hpp"

namespace podium::gpu {

template <class T, auto destroy>
class Owned {
 public:
  Owned() = default;
  explicit Owned(T handle) : handle_(handle) {}
  Owned(Owned&& other) noexcept : handle_(std::exchange(other.handle_, T{})) {}
  Owned& operator=(Owned&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Owned() {
    if (handle_) ignore(destroy(handle_));
  }
  operator T() const { return handle_; }

 private:
  T handle_{};
};

using Stream = Owned<api::Stream, api::stream_destroy>;
using Event = Owned<api::Event, api::event_destroy>;
using Module = Owned<api::Module, api::module_unload>;
using Pinned = Owned<void*, api::host_free>;
using DeviceMemory = Owned<void*, api::free>;

// Neither waits for the default stream nor makes it wait.
inline Stream non_blocking_stream() {
  api::Stream stream{};
  check(api::stream_create_with_flags(&stream, api::stream_non_blocking));
  return Stream(stream);
}

inline Event timing_event() {
  api::Event event{};
  check(api::event_create(&event));
  return Event(event);
}

// Microseconds between two events that have happened.
inline double microseconds(const Event& from, const Event& to) {
  float milliseconds = 0;
  check(api::event_elapsed_time(&milliseconds, from, to));
  return 1000.0 * static_cast<double>(milliseconds);
}

}  // namespace podium::gpu
