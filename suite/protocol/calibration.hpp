// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What `podium calibrate` asks a judge: times of a device at its best, one probe at a time.
#pragma once
#include "suite/protocol/protocol.hpp"

namespace podium::protocol {

// fma_*: multiply-adds of every thread, vectors on the CPU. matrix_*: products by the vendor's library.
enum class Probe : std::int32_t {
  load,  // one kernel again and again: does the clock hold?
  fma_f64,
  fma_f32,
  fma_f16,
  fma_bf16,
  matrix_f64,
  matrix_tf32,
  matrix_f16,
  matrix_bf16,
  matrix_e4m3,
  matrix_i8,
  copy,
  read,
  write,
  cache_read,
  launch,      // from the host's call to its sight of what the kernel writes first
  event_pair,  // two events with nothing between them
  ticks,       // kernels of many lengths, whose times show the timer's resolution
};

struct LoadCalibration {  // descriptor: the compiled program of suite/problem/program/calibrate.hpp
  static constexpr Type type = Type::load_calibration;
  Header header;
};
struct AskProbe {
  static constexpr Type type = Type::probe;
  Header header;
  Probe probe;
  std::int32_t reserved;
};
inline constexpr int max_probe_times = 256;
struct Probed {
  static constexpr Type type = Type::probed;
  Header header;
  double work;                           // bytes or operations behind each time; 0 where only time counts
  double microseconds[max_probe_times];  // by the device's clock; launch: by the host's
  std::int64_t count;                    // of the times; 0: this device cannot, `text` says why
  Sentence text;                         // why not; of products the library
};

}  // namespace podium::protocol
