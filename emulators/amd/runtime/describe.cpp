// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Faults in words.
#include <fmt/format.h>

#include "emulators/amd/runtime/groups.hpp"
#include "emulators/common/report.hpp"

namespace podium::amd {
namespace {

constexpr std::uint32_t nobody = 255, several = 254;  // in Group::raced_with

std::string other_wave(std::uint32_t wave) {
  return wave == several ? "other waves" : fmt::format("wave {}", wave);
}

}  // namespace

std::string Groups::instruction(std::uint64_t pc) const {
  const std::string text = translation_.text(pc);
  return fmt::format("{} at {:#x}", text.empty() ? "no instruction" : text, pc);
}

std::string Groups::what(const Resident& resident, const Fault& fault) const {
  const Fault& race = resident.group.race;
  const std::uint32_t with = resident.group.raced_with;
  switch (fault.kind) {
    case Kind::outside:
      return fmt::format("reaches {} bytes of global memory at {:#x}: {}", fault.bytes, fault.address,
                         allocations_.explain(fault.address, fault.bytes));
    case Kind::used_beyond:
      return fmt::format("uses what a scalar load took from {} bytes of global memory at {:#x}: {}",
                         fault.bytes, fault.address, allocations_.explain(fault.address, fault.bytes));
    case Kind::outside_lds:
      return fmt::format("reaches {} bytes of shared memory (LDS) at {}, of which the group has {} bytes",
                         fault.bytes, fault.address, resident.group.lds_bytes);
    case Kind::outside_scratch:
      return fmt::format("reaches {} bytes of the lane's scratch at {}, which has {} bytes", fault.bytes,
                         static_cast<std::int64_t>(fault.address), resident.group.scratch_bytes);
    case Kind::race:
      return fmt::format(
          "writes shared memory (LDS) at {} that {} read or wrote, with no barrier between: add "
          "__syncthreads()",
          fault.address, other_wave(with));
    case Kind::unset_scalar:
      return fmt::format("depends on s{}, a scalar register that was never written", fault.address);
    case Kind::unset_store:
    case Kind::unset_address: {
      const std::string use = fault.kind == Kind::unset_store
                                  ? fmt::format("stores to {:#x} what", fault.address)
                                  : fmt::format("takes for an address what");
      if (race.pc == 0) return use + " was never written: a register, or scratch";
      if (with == nobody)
        return fmt::format("{} was never written: {} read shared memory (LDS) at {} before anybody wrote it",
                           use, instruction(race.pc), race.address);
      return fmt::format(
          "{} may be another value each time: {} read shared memory (LDS) at {} that {} wrote, with no "
          "barrier between: "
          "add __syncthreads()",
          use, instruction(race.pc), race.address, other_wave(with));
    }
    case Kind::unknown:
      return "is an instruction that the emulator does not know";
    case Kind::jump:
      return "goes on where no instruction begins";
    case Kind::trap: {
      const std::string said = mailbox_.complaint();
      return "is a trap: " + (said.empty() ? "an assertion of the program failed, or it called abort" : said);
    }
    case Kind::deadlock:
    case Kind::none:
      break;
  }
  return "stopped";
}

std::string Groups::describe(const Resident& resident, const Fault& fault) const {
  const auto lanes = static_cast<std::uint32_t>(launch_.kernel->wave);
  const std::uint32_t thread = fault.wave * lanes + fault.lane;
  const auto& block = launch_.block;
  const emulation::Place place{
      .kernel = emulation::demangled(launch_.kernel->name),
      .block = resident.id,
      .thread = {{thread % block[0], thread / block[0] % block[1], thread / block[0] / block[1]}},
      .code = instruction(fault.pc)};
  return emulation::sentence(place, what(resident, fault));
}

std::string Groups::stuck() const {
  for (const Resident& one : resident_) {
    if (!one.busy) continue;
    std::string waves;
    for (std::uint32_t i = 0; i < wave_count_ && i < 4; ++i)
      if (one.states[i] != State::ended)
        waves += fmt::format("{}wave {} {} {}", waves.empty() ? "" : ", ", i,
                             one.states[i] == State::waiting ? "waits at the barrier before" : "turns at",
                             instruction(one.waves[i]->pc));
    return emulation::sentence(
        {.kernel = emulation::demangled(launch_.kernel->name), .block = one.id},
        fmt::format("waits for ever: no wave of any resident block changes memory or registers any more ({})",
                    waves));
  }
  return "";
}

}  // namespace podium::amd
