// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "emulators/amd/runtime/groups.hpp"

#include <hsa/hsa.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string_view>

#include "emulators/amd/runtime/target.hpp"
#include "emulators/common/report.hpp"
#include "emulators/common/shared_file.hpp"

namespace podium::amd {
namespace {

constexpr std::size_t most_resident = 8;  // groups whose waves take turns: enough that one waits for another
static_assert(most_resident * 1024 / 32 <= Mailbox::packets);
constexpr std::int32_t patience = 2000;             // backward branches of a wave until another has its turn
constexpr int rounds_of_doubt = 3;                  // without a write, until states are compared
constexpr std::uint32_t junk = 0xa5a5a5a5u;         // in registers that nobody has written
constexpr int accumulators = vector_registers / 2;  // where CDNA's accumulation registers begin
constexpr std::uint8_t lds_junk = 0xff;             // no number, in any floating-point type

// Emulated memory is the process's own: an allocation is found by address, and remembered by the group.
emulation::Allocations* current = nullptr;

std::uint64_t cycles = 0;  // of the device, from launch to launch

bool find(Group& group, std::uint64_t address, std::uint64_t bytes) {
  const auto found = current->find(address, bytes);
  if (!found) return false;
  group.low = found->begin;
  group.high = found->end;
  return true;
}

std::uint64_t mixed(std::uint64_t seed, const void* data, std::size_t bytes) {
  return seed * 0x9e3779b97f4a7c15u + std::hash<std::string_view>()({static_cast<const char*>(data), bytes});
}

// Vector registers that a kernel may have, or more: the descriptor counts them in fours or eights.
std::size_t registers_of(const KernelCode& kernel) {
  return std::min<std::size_t>(vector_registers / 2, ((kernel.resources1 & 0x3f) + 1) * 8);
}

}  // namespace

// What earlier launches had: small kernels would spend most of their time on fresh memory. Never destroyed,
// as the thread that launches is not.
Groups::Spare& Groups::spare() {
  static auto& one = *new Spare;
  return one;
}

Groups::Groups(const Launch& launch, const Translation& translation, emulation::Allocations& allocations)
    : launch_(launch),
      translation_(translation),
      allocations_(allocations),
      mailbox_(Mailbox::of(allocations)),
      threads_(launch.block[0] * launch.block[1] * launch.block[2]),
      wave_count_((threads_ + static_cast<std::uint32_t>(launch.kernel->wave) - 1) /
                  static_cast<std::uint32_t>(launch.kernel->wave)),
      lds_bytes_(launch.kernel->lds_bytes + launch.dynamic_lds) {
  constexpr std::size_t packet_at = 256;
  argument_bytes_ = (launch.arguments.size() + packet_at - 1) / packet_at * packet_at + packet_at;
  arguments_ = emulation::map_private(argument_bytes_);
  if (!arguments_) throw std::runtime_error("there is no memory for its arguments");
  std::memcpy(arguments_, launch.arguments.data(), launch.arguments.size());
  hsa_kernel_dispatch_packet_t packet{};
  packet.setup = 3;
  packet.workgroup_size_x = static_cast<std::uint16_t>(launch.block[0]);
  packet.workgroup_size_y = static_cast<std::uint16_t>(launch.block[1]);
  packet.workgroup_size_z = static_cast<std::uint16_t>(launch.block[2]);
  packet.grid_size_x = launch.grid[0] * launch.block[0];
  packet.grid_size_y = launch.grid[1] * launch.block[1];
  packet.grid_size_z = launch.grid[2] * launch.block[2];
  packet.private_segment_size = launch.kernel->scratch_bytes;
  packet.group_segment_size = lds_bytes_;
  packet.kernarg_address = arguments_;
  std::memcpy(arguments_ + argument_bytes_ - packet_at, &packet, sizeof packet);
  allocations_.add(arguments_, argument_bytes_, "the arguments of the launch");
  current = &allocations_;

  const std::uint64_t count = std::uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2];
  const std::size_t wanted = std::min<std::uint64_t>(most_resident, count);
  {
    const std::lock_guard lock(spare().mutex);
    auto& kept = spare().residents;
    for (; resident_.size() < wanted && !kept.empty(); kept.pop_back())
      resident_.push_back(std::move(kept.back()));
  }
  resident_.resize(wanted);
  for (Resident& one : resident_) {
    while (one.waves.size() < wave_count_) one.waves.push_back(std::make_unique_for_overwrite<Wave>());
    one.busy = false;
    one.group = {};
    one.states.resize(wave_count_);
    one.lds.resize(lds_bytes_);
    one.marks.resize(lds_bytes_);
    one.scratch.resize(std::size_t{wave_count_} * most_lanes * launch.kernel->scratch_bytes);
    one.group.base = launch.code->base();
    one.group.lds_bytes = lds_bytes_;
    one.group.scratch_bytes = launch.kernel->scratch_bytes;
    one.group.find = &find;
    one.group.writes = &writes_;
    one.group.cycles = &cycles;
  }
}

Groups::~Groups() {
  {
    const std::lock_guard lock(spare().mutex);
    for (Resident& one : resident_)
      if (spare().residents.size() < most_resident) spare().residents.push_back(std::move(one));
  }
  allocations_.remove(arguments_);
  emulation::unmap(arguments_, argument_bytes_);
}

void Groups::begin(Resident& resident, std::uint64_t number) {
  const auto& grid = launch_.grid;
  resident.id = {static_cast<std::uint32_t>(number % grid[0]),
                 static_cast<std::uint32_t>(number / grid[0] % grid[1]),
                 static_cast<std::uint32_t>(number / grid[0] / grid[1])};
  std::ranges::fill(resident.lds, lds_junk);
  std::ranges::fill(resident.marks, LdsByte{});
  std::ranges::fill(resident.scratch, std::uint8_t{0xa5});
  resident.group.lds = resident.lds.data();
  resident.group.marks = resident.marks.data();
  resident.group.phase = 1;
  resident.group.race = {};
  resident.busy = true;
  for (std::uint32_t i = 0; i < wave_count_; ++i) begin(resident, *resident.waves[i], i);
  std::ranges::fill(resident.states, State::ready);
}

// Which registers hold what at the first instruction: LLVM's guide, "Initial Kernel Execution State".
void Groups::begin(Resident& resident, Wave& wave, std::uint32_t index) {
  std::ranges::fill(wave.s, junk);
  const std::size_t bytes = registers_of(*launch_.kernel) * sizeof wave.v[0];
  std::memset(wave.v, static_cast<int>(junk & 255), bytes);
  if (target().major == 9) std::memset(wave.v + accumulators, static_cast<int>(junk & 255), bytes);
  std::ranges::fill(wave.unset, ~std::uint64_t{0});
  std::ranges::fill(wave.beyond_from, 0);
  wave.beyond = 0;
  std::ranges::fill(wave.unwritten, 0);
  wave.index = index;
  wave.pc = launch_.kernel->entry;
  wave.scc = 0;
  wave.patience = patience;
  wave.mode = (launch_.kernel->resources1 >> 12 & 0xff) | (launch_.kernel->resources1 >> 26 & 1) << 23;
  const auto lanes = static_cast<std::uint32_t>(launch_.kernel->wave);
  wave.scratch = resident.scratch.data() + std::size_t{index} * most_lanes * launch_.kernel->scratch_bytes;
  std::uint32_t next = user_registers(wave);
  const std::uint32_t wanted = launch_.kernel->resources2;
  if (target().major >= 12) {  // in registers of the trap handler
    constexpr int ttmp7 = 115, ttmp8 = 116, ttmp9 = 117, number_at = 25;
    wave.s[ttmp9] = resident.id[0];
    wave.s[ttmp8] = index << number_at;  // of this wave in its group: what Triton asks for
    wave.s[ttmp7] = resident.id[1] | resident.id[2] << 16;
  } else {
    for (std::uint32_t axis = 0; axis < 3; ++axis)
      if (wanted >> (7 + axis) & 1) wave.s[next++] = resident.id[axis];
  }
  if (wanted >> 10 & 1) wave.s[next++] = 0;                     // which wave of how many: unused by compilers
  if ((wanted & 1) && target().major < 12) wave.s[next++] = 0;  // where the wave's scratch begins
  std::uint64_t active = 0;
  const auto& block = launch_.block;
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    const std::uint32_t thread = index * lanes + lane;
    if (thread < threads_) active |= std::uint64_t{1} << lane;
    const std::uint32_t x = thread % block[0], y = thread / block[0] % block[1],
                        z = thread / block[0] / block[1];
    wave.v[0][lane] = x | y << 10 | z << 20;
  }
  wave.unset[0] = 0;
  wave.s[exec] = static_cast<std::uint32_t>(active);
  wave.s[exec + 1] = static_cast<std::uint32_t>(active >> 32);
}

std::uint32_t Groups::user_registers(Wave& wave) const {
  const KernelCode& kernel = *launch_.kernel;
  std::uint32_t next = 0;
  const auto put = [&](std::uint64_t value) {
    wave.s[next++] = static_cast<std::uint32_t>(value);
    wave.s[next++] = static_cast<std::uint32_t>(value >> 32);
  };
  const auto has = [&](int bit) { return kernel.properties >> bit & 1; };
  const auto at = reinterpret_cast<std::uint64_t>(arguments_);
  if (has(0)) {
    put(scratch_buffer << 32);
    put(~std::uint64_t{0});
  }
  if (has(1)) put(at + argument_bytes_ - 256);  // the packet
  if (has(2)) put(0);                           // the queue
  if (has(3)) put(at);
  if (has(4)) put(0);  // the dispatch's number
  if (has(5)) put(0);  // where scratch lies in memory
  if (has(6)) wave.s[next++] = kernel.scratch_bytes;
  const std::uint32_t words = kernel.preload & 0x7f, from = kernel.preload >> 7;
  for (std::uint32_t i = 0; i < words; ++i)
    std::memcpy(&wave.s[next++], arguments_ + 4 * (from + i), sizeof(std::uint32_t));
  return std::max(next, kernel.resources2 >> 1 & 0x1f);
}

bool Groups::turn(Resident& resident) {
  bool progress = false;
  for (std::uint32_t i = 0; i < wave_count_; ++i) {
    if (resident.states[i] != State::ready) continue;
    Wave& wave = *resident.waves[i];
    wave.patience = patience;
    const auto stop = static_cast<Stop>(translation_.run(&wave, &resident.group));
    if (stop == Stop::faulted) throw std::runtime_error(describe(resident, resident.group.fault));
    if (stop == Stop::barrier) resident.states[i] = State::waiting;
    if (stop == Stop::ended) resident.states[i] = State::ended;
    progress = progress || stop != Stop::turn;
  }
  if (std::ranges::find(resident.states, State::ready) != resident.states.end()) return progress;
  ++resident.group.phase;  // all that live have come to the barrier
  for (State& state : resident.states)
    if (state == State::waiting) state = State::ready;
  resident.busy = std::ranges::find(resident.states, State::ready) != resident.states.end();
  return true;
}

std::uint64_t Groups::state() const {
  std::uint64_t value = 0;
  for (const Resident& one : resident_)
    for (std::uint32_t i = 0; one.busy && i < wave_count_; ++i) {
      const Wave& wave = *one.waves[i];
      value = mixed(value, wave.s, sizeof wave.s);
      value = mixed(value, wave.v, sizeof wave.v);
      value = mixed(value, &wave.pc, sizeof wave.pc);
    }
  return value;
}

bool Groups::serve() try { return mailbox_.serve(); } catch (const std::runtime_error& e) {
  throw std::runtime_error(
      emulation::sentence({.kernel = emulation::demangled(launch_.kernel->name)}, e.what()));
}

std::string Groups::run() try {
  const std::uint64_t count = std::uint64_t{launch_.grid[0]} * launch_.grid[1] * launch_.grid[2];
  std::uint64_t next = 0, before = 0;
  int quiet = 0;
  for (;;) {
    bool busy = false, progress = false;
    const std::uint64_t written = writes_;
    for (Resident& one : resident_) {
      if (!one.busy && next < count) begin(one, next++);
      if (!one.busy) continue;
      busy = true;
      progress = turn(one) || progress;
    }
    if (!busy) return "";
    progress = serve() || progress;
    quiet = progress || writes_ != written ? 0 : quiet + 1;
    if (quiet <= rounds_of_doubt) continue;
    // Nobody has written, ended or come to a barrier: if registers do not change either, nobody ever will.
    const std::uint64_t now = state();
    if (quiet > rounds_of_doubt + 1 && now == before) return stuck();
    before = now;
  }
} catch (const std::runtime_error& e) {
  return e.what();
}

}  // namespace podium::amd
