// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/judge/loaded_problem.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <utility>

#include "suite/base/error.hpp"
#include "suite/judge/arena_tensors.hpp"
#include "suite/judge/placement.hpp"
#include "suite/problem/instance/instantiate.hpp"
#include "suite/problem/parse/parse.hpp"
#include "suite/protocol/channel.hpp"

namespace podium::judge {

const problem::Instance& Workloads::add(int index) {
  const auto& stated = problem_.workloads.at(static_cast<std::size_t>(index));
  Known made{.instance = instantiate(problem_, choice_, stated)};
  return known_.insert_or_assign(index, std::move(made)).first->second.instance;
}

const problem::Instance& Workloads::of_round(int index, std::int64_t round, const Secret& secret,
                                             std::uint64_t seed) {
  Known& known = known_.at(index);
  if (problem_.structure.empty() || (seed == 0 && known.drawn && known.round == round)) return known.instance;
  known.drawn = false;
  known.packed.reset();
  for (auto& structure : known.instance.structure) structure.words.reset();  // memory for the next ones
  const auto& stated = problem_.workloads.at(static_cast<std::size_t>(index));
  known.seed =
      seed != 0 ? seed : seed_of(secret, "structure", {problem_.name, choice_.name, stated.name, round});
  known.instance = instantiate(problem_, choice_, stated, known.seed);
  known.drawn = true;
  known.round = round;
  return known.instance;
}

std::shared_ptr<const PackedStructure> Workloads::structure(int index) {
  Known& known = known_.at(index);
  if (!known.packed) known.packed = std::make_shared<PackedStructure>(device_, known.instance);
  return known.packed;
}

namespace {

// Before what the problem says: sdk/podium/ranks.hpp, Meetings.
constexpr std::size_t meetings_bytes = 64 << 10;

// What a call of 0.2 ms, the longest for which it matters, moves on the fastest memory of today, and more.
constexpr std::int64_t most_arena_together = std::int64_t{2} << 30;  // bytes

std::string read_all(int descriptor) {
  struct stat status{};
  if (fstat(descriptor, &status) != 0) throw Error("reading the problem's descriptor failed");
  std::string text(static_cast<std::size_t>(status.st_size), '\0');
  std::size_t at = 0;
  while (at < text.size()) {
    const ssize_t got = pread(descriptor, text.data() + at, text.size() - at, static_cast<off_t>(at));
    if (got <= 0) throw Error("reading the problem's descriptor failed");
    at += static_cast<std::size_t>(got);
  }
  return text;
}

// An arena of `wanted` bytes, or where the device has not that much, of the `needed`.
std::unique_ptr<device::Arena> share(device::Device& device, std::int64_t wanted, std::int64_t needed) {
  if (wanted > needed) try {
      return device.share(static_cast<std::size_t>(wanted));
    } catch (const Error&) {  // what is needed may still fit
    }
  return device.share(static_cast<std::size_t>(needed));
}

}  // namespace

std::unique_ptr<LoadedProblem> load_problem(device::Device& device, const protocol::LoadProblem& request,
                                            int text, int program) {
  auto loaded = std::make_unique<LoadedProblem>();
  loaded->problem = problem::parse(protocol::get(request.name), read_all(text), protocol::get(request.file));
  loaded->choice = &loaded->problem.choices.at(static_cast<std::size_t>(request.choice));
  loaded->program = device.load(program);
  loaded->evaluator = std::make_unique<Evaluator>(device, *loaded->program, loaded->problem, *loaded->choice);
  loaded->clock = std::make_unique<ClockProbe>(device, *loaded->program);
  loaded->workloads = std::make_unique<Workloads>(device, loaded->problem, *loaded->choice);
  return loaded;
}

void make_arenas(device::Device& device, LoadedProblem& loaded, std::span<const std::int32_t> workloads) {
  const bool alone = loaded.ranks.size() == 1;
  std::int64_t bytes = 0, together = 0, symmetric = 0;
  std::size_t kept = 0;
  const problem::Workload* largest = nullptr;
  for (const int index : workloads) {
    const auto& workload = loaded.problem.workloads.at(static_cast<std::size_t>(index));
    const auto instance = problem::part_of_rank(loaded.workloads->add(index));
    // Room for short calls several at a time, too: short ones have small tensors.
    const std::int64_t room = std::min(most_arena_together, device.description().memory / 16);
    const int calls = alone ? calls_within(instance, room, protocol::most_together) : 1;
    together = std::max(together, arena_bytes(instance, calls));
    symmetric = std::max(symmetric, static_cast<std::int64_t>(instance.symmetric));
    if (calls > 1) kept = std::max(kept, static_cast<std::size_t>(calls) * bytes_kept(instance));
    if (arena_bytes(instance) <= bytes) continue;
    bytes = arena_bytes(instance);
    largest = &workload;
  }
  if (!largest) throw Error("cannot size the arena: no workloads were named");
  for (LoadedProblem::Rank& rank : loaded.ranks) try {
      if (!rank.arena || static_cast<std::int64_t>(rank.arena->bytes()) < together) {
        rank.arena.reset();
        rank.arena = share(*rank.device, together, bytes);
      }
      const std::size_t wanted = meetings_bytes + static_cast<std::size_t>(symmetric);
      if (!alone && (!rank.symmetric || rank.symmetric->bytes() < wanted)) {
        rank.symmetric.reset();
        rank.symmetric = rank.device->share(wanted);
      }
    } catch (const Error& e) {
      throw Error(fmt::format("{}:{}: the tensors of workload {} do not fit this device: {}",
                              largest->at.file, largest->at.line, largest->name, e.what()));
    }
  // Now, for later contestants could hold all that the device has left.
  if (kept > 0 && (!loaded.kept || loaded.kept->bytes() < kept)) try {
      loaded.kept.reset();
      loaded.kept = device.allocate(kept);
    } catch (const device::OutOfMemory&) {  // single calls then
    }
}

}  // namespace podium::judge
