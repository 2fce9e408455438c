// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/judge/calibration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>
#include <vector>

#include "suite/base/backend.hpp"
#include "suite/base/error.hpp"
#include "suite/protocol/channel.hpp"

namespace podium::judge {
namespace {

using protocol::Probe;
using protocol::Probed;

constexpr int samples = 11;
// Microseconds. A start's few are a thousandth of a sample; a device that a power limit slows down has found
// its clock when it was warm that long.
constexpr double sample = 20000, warm = 5 * sample;
constexpr std::size_t scratch_bytes = 1 << 20, results_at = scratch_bytes / 2;
constexpr std::uint64_t never = 0x5b1d6e02c9f4a387;  // any number that no sum of random bits is likely to be

std::uint64_t address(const void* at) { return reinterpret_cast<std::uint64_t>(at); }

Probed without(const std::string& why) {
  Probed probed{};
  protocol::put(probed.text, why);
  return probed;
}

template <class Times>
Probed answer(double work, const Times& times) {
  Probed probed{};
  probed.work = work;
  probed.count = std::min<std::int64_t>(std::ssize(times), protocol::max_probe_times);
  std::copy_n(times.begin(), probed.count, probed.microseconds);
  return probed;
}

}  // namespace

Calibration::Calibration(device::Device& device, std::unique_ptr<device::Program> program)
    : device_(device),
      program_(std::move(program)),
      gpu_(backend_named(device.description().backend).gpu),
      groups_(gpu_ ? device.groups_for(std::numeric_limits<std::int64_t>::max() / 2)
                   : device.description().multiprocessors),
      scratch_(device.allocate(scratch_bytes)) {}

void Calibration::fill(device::Memory& memory, program::BitPattern pattern) {
  Words words{};
  words[program::calibrate_to] = address(memory.data());
  words[program::calibrate_count] = memory.bytes() / sizeof(std::uint64_t);
  words[program::calibrate_keep] = pattern.keep;
  words[program::calibrate_fixed] = pattern.fixed;
  program_->run("calibrate_fill", words, groups_);
}

Probed Calibration::sampled(double work, const Work& once) {
  device_.timed(once);
  const int repeats = static_cast<int>(std::clamp(sample / std::max(device_.timed(once), 1e-3), 1.0, 1000.0));
  const auto time = [&] {
    device_.flush_caches();  // a contestant's call has the same before it
    return device_.timed([&] {
      for (int k = 0; k < repeats; ++k) once();
    });
  };
  for (double spent = 0; spent < warm;) spent += std::max(time(), 1.0);
  std::vector<double> times;
  for (int i = 0; i < samples; ++i) times.push_back(time() / repeats);
  return answer(work, times);
}

Calibration::Loop Calibration::loop(program::CalibratedType type) {
  static constexpr const char* kernels[program::calibrated_types] = {"calibrate_f64", "calibrate_f32",
                                                                     "calibrate_f16", "calibrate_bf16"};
  Words words{};
  words[program::calibrate_to] = address(scratch_->data() + results_at);
  program_->run("calibrate_operations", words, 1);
  std::uint64_t operations[program::calibrated_types]{};
  device_.copy(operations, scratch_->data() + results_at, sizeof operations);
  device_.synchronise();

  const auto which = static_cast<std::size_t>(type);
  const program::FusedBits& bits = program::fused_bits[which];
  Loop loop{kernels[which], words, static_cast<double>(operations[which]) * groups_};
  loop.words[program::calibrate_from] = address(scratch_->data());
  loop.words[program::calibrate_never] = never;
  std::copy_n(bits.factor, 2, &loop.words[program::calibrate_factors]);
  std::copy_n(bits.summand, 2, &loop.words[program::calibrate_factors + 2]);
  fill(*scratch_, bits.start);
  return loop;
}

void Calibration::run(const Loop& loop, std::int64_t steps) {
  Words words = loop.words;
  words[program::calibrate_count] = static_cast<std::uint64_t>(steps);
  program_->run(loop.kernel, words, groups_);
}

// How many steps take that long; at least 1.
std::int64_t Calibration::steps_for(const Loop& loop, double microseconds) {
  constexpr std::int64_t most = std::int64_t{1} << 32;
  for (std::int64_t steps = 64;; steps *= 4) {
    const double time = device_.timed([&] { run(loop, steps); });
    if (time < microseconds / 8 && steps < most) continue;
    return std::max<std::int64_t>(
        1, static_cast<std::int64_t>(static_cast<double>(steps) * microseconds / time));
  }
}

Probed Calibration::multiply_add(program::CalibratedType type) {
  const Loop chosen = loop(type);
  if (chosen.operations == 0) return without("this device's compiler offers no multiply-add of this type");
  const std::int64_t steps = steps_for(chosen, sample);
  return sampled(chosen.operations * static_cast<double>(steps), [&] { run(chosen, steps); });
}

Probed Calibration::load() {
  constexpr double microseconds = 10000, warm_up = 50000;
  constexpr std::chrono::seconds duration{2};
  const Loop chosen = loop(program::CalibratedType::f32);
  const std::int64_t steps = steps_for(chosen, microseconds);
  for (double warm = 0; warm < warm_up;) warm += device_.timed([&] { run(chosen, steps); });
  std::vector<double> times;
  const auto start = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - start < duration && std::ssize(times) < protocol::max_probe_times)
    times.push_back(device_.timed([&] { run(chosen, steps); }));
  return answer(chosen.operations * static_cast<double>(steps), times);
}

Probed Calibration::memory(Probe probe) {
  const auto& d = device_.description();
  // Far beyond the last cache, and so much that a GPU takes about a millisecond; a sixteenth of what there
  // is.
  const std::int64_t most = gpu_ ? std::int64_t{4} << 30 : std::int64_t{1} << 30;
  const std::int64_t wanted = gpu_ ? most : std::clamp<std::int64_t>(8 * d.last_level_cache, 256 << 20, most);
  constexpr std::int64_t unit = 2 << 20;
  const auto bytes = static_cast<std::size_t>(std::max(unit, std::min(wanted, d.memory / 16) / unit * unit));
  const auto from = device_.allocate(bytes);
  fill(*from, program::i8_pattern);
  Words words{};
  words[program::calibrate_from] = address(from->data());
  words[program::calibrate_to] = address(probe == Probe::read ? scratch_->data() + results_at : from->data());
  words[program::calibrate_count] = bytes / program::packet_bytes;
  words[program::calibrate_never] = never;
  const auto traffic = static_cast<double>(bytes);
  if (probe == Probe::read) return sampled(traffic, [&] { program_->run("calibrate_read", words, groups_); });
  if (probe == Probe::write)
    return sampled(traffic, [&] { program_->run("calibrate_write", words, groups_); });
  const auto to = device_.allocate(bytes);
  fill(*to, program::i8_pattern);
  return sampled(2 * traffic, [&] { device_.copy(to->data(), from->data(), bytes); });
}

Probed Calibration::cache_read() {
  const std::int64_t cache = device_.description().last_level_cache;
  if (cache <= 0) return without("the size of the last-level cache is not known");
  // A GPU's cache may keep a line twice, once for either half of the device. A CPU's is shared by threads
  // that have caches of their own, beyond whose sum the part of each has to be.
  const std::int64_t packets =
      std::max<std::int64_t>(1, (gpu_ ? cache / 4 : cache / 2) / program::packet_bytes);
  const auto memory = device_.allocate(static_cast<std::size_t>(packets) * program::packet_bytes);
  fill(*memory, program::i8_pattern);
  const std::int64_t passes = gpu_ ? 256 : 32;  // milliseconds' worth
  Words words{};
  words[program::calibrate_from] = address(memory->data());
  words[program::calibrate_to] = address(scratch_->data() + results_at);
  words[program::calibrate_count] = static_cast<std::uint64_t>(packets);
  words[program::calibrate_passes] = static_cast<std::uint64_t>(passes);
  words[program::calibrate_never] = never;
  return sampled(static_cast<double>(packets * program::packet_bytes * passes),
                 [&] { program_->run("calibrate_read_cached", words, groups_); });
}

Probed Calibration::product(device::ProductType type, program::BitPattern pattern) {
  constexpr std::int64_t sizes[] = {1024, 2048, 4096, 8192};
  constexpr double longest = 60000;  // microseconds of one product
  try {
    if (!products_) products_ = device_.products();
    Probed best{};
    for (const std::int64_t n : sizes) {
      const auto cells = static_cast<std::size_t>(n * n);
      const auto a = device_.allocate(cells * 8), b = device_.allocate(cells * 8),
                 d = device_.allocate(cells * 8);
      fill(*a, pattern);
      fill(*b, pattern);
      const auto planned = products_->plan(type, n, a->data(), b->data(), d->data());
      const auto time_of = [&](int way) { return device_.timed([&] { planned->run(way); }); };
      double fastest = std::numeric_limits<double>::infinity();
      int way = 0;
      for (int k = 0; k < planned->ways(); ++k) {
        time_of(k);  // loads its code
        if (const double time = time_of(k); time < fastest) fastest = time, way = k;
      }
      const bool larger = 8 * fastest < longest && n != std::end(sizes)[-1];
      if (larger) continue;
      const auto size = static_cast<double>(n);
      best = sampled(2 * size * size * size, [&] { planned->run(way); });
      protocol::put(best.text, fmt::format("{}, n = {}", products_->name(), n));
      break;
    }
    return best;
  } catch (const Error& e) {
    return without(e.what());
  }
}

Probed Calibration::launch() {
  constexpr int discarded = 10, launches = 100;
  constexpr std::chrono::seconds patience{10};  // others may have the processors
  const auto page = device_.mapped(4096);
  Words words{};
  words[program::calibrate_to] = address(page->data());
  const std::atomic_ref<std::uint64_t> seen(*reinterpret_cast<std::uint64_t*>(page->data()));
  std::vector<double> times;
  for (std::uint64_t ticket = 1; ticket <= discarded + launches; ++ticket) {
    words[program::calibrate_count] = ticket;
    device_.synchronise();
    const auto start = std::chrono::steady_clock::now();
    program_->run("calibrate_signal", words, gpu_ ? 1 : groups_);
    auto now = std::chrono::steady_clock::now();
    for (; seen.load(std::memory_order_acquire) != ticket; now = std::chrono::steady_clock::now())
      if (now - start > patience) throw Error("a kernel's write to host memory was not seen within 10 s");
    if (ticket > discarded) times.push_back(std::chrono::duration<double, std::micro>(now - start).count());
  }
  device_.synchronise();
  return answer(0, times);
}

Probed Calibration::event_pair() {
  std::vector<double> times;
  for (int i = 0; i < 101; ++i) times.push_back(device_.timed([] {}));
  return answer(0, times);
}

Probed Calibration::ticks() {
  const Loop chosen = loop(program::CalibratedType::f32);
  std::vector<double> times;
  for (int steps = 1; steps <= protocol::max_probe_times; ++steps)
    times.push_back(device_.timed([&] { run(chosen, steps); }));
  return answer(0, times);
}

Probed Calibration::probe(Probe probe) {
  using device::ProductType;
  switch (probe) {
    case Probe::load:
      return load();
    case Probe::fma_f64:
      return multiply_add(program::CalibratedType::f64);
    case Probe::fma_f32:
      return multiply_add(program::CalibratedType::f32);
    case Probe::fma_f16:
      return multiply_add(program::CalibratedType::f16);
    case Probe::fma_bf16:
      return multiply_add(program::CalibratedType::bf16);
    case Probe::matrix_f64:
      return product(ProductType::f64, program::f64_pattern);
    case Probe::matrix_tf32:
      return product(ProductType::tf32, program::f32_pattern);
    case Probe::matrix_f16:
      return product(ProductType::f16, program::f16_pattern);
    case Probe::matrix_bf16:
      return product(ProductType::bf16, program::bf16_pattern);
    case Probe::matrix_e4m3:
      return product(ProductType::e4m3, program::e4m3_pattern);
    case Probe::matrix_i8:
      return product(ProductType::i8, program::i8_pattern);
    case Probe::copy:
    case Probe::read:
    case Probe::write:
      return memory(probe);
    case Probe::cache_read:
      return cache_read();
    case Probe::launch:
      return launch();
    case Probe::event_pair:
      return event_pair();
    case Probe::ticks:
      return ticks();
  }
  throw Error(fmt::format("unknown probe {}", static_cast<int>(probe)));
}

}  // namespace podium::judge
