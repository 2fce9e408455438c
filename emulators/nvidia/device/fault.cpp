// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Mistakes of kernels, told with the place where they happened.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "emulators/nvidia/device/scheduler.hpp"
#include "emulators/nvidia/device/team.hpp"

namespace podium::ptx {
namespace {

constexpr std::size_t most_told = 8;  // waiting warps in the report of a deadlock

std::string file_name(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

std::string what_it_waits_for(const GpuThread& thread, const Warp& warp) {
  switch (thread.waiting) {
    case Waiting::warp: {
      const auto mine = std::find_if(warp.meetings.begin(), warp.meetings.end(),
                                     [&](const Meeting& m) { return (m.arrived >> thread.lane & 1) != 0; });
      if (mine == warp.meetings.end()) return "a warp operation";
      return fmt::format("{} of lanes {:#x}, of which {:#x} came", mine->what, mine->mask, mine->arrived);
    }
    case Waiting::barrier: {
      const Bar& bar = thread.block->bars[thread.waits_at];
      return fmt::format("barrier {}, at which {} of {} threads arrived", thread.waits_at, bar.arrived,
                         bar.count < 0 ? thread.block->alive : bar.count);
    }
    case Waiting::mbarrier:
      return fmt::format("the mbarrier at {:#x}, phase {}", thread.waits_at, thread.waits_for);
    case Waiting::cluster:
      return "barrier.cluster";
    case Waiting::nothing:
      break;
  }
  return "memory that it looks at again and again";
}

}  // namespace

emulation::Place Launch::place(const GpuThread* thread, int line) const {
  emulation::Place place{.kernel = emulation::demangled(kernel_.name)};
  if (thread) {
    place.block = {thread->block->ids[0], thread->block->ids[1], thread->block->ids[2]};
    place.thread = {thread->tid[0], thread->tid[1], thread->tid[2]};
  }
  if (line > 0) place.code = fmt::format("PTX line {}", line);
  const auto* const end = kernel_.origins + kernel_.origin_count;
  const auto* const after = std::upper_bound(kernel_.origins, end, line,
                                             [](int at, const Origin& origin) { return at < origin.line; });
  if (after != kernel_.origins && (after - 1)->file >= 0)
    place.source =
        fmt::format("{}:{}", file_name(kernel_.files[(after - 1)->file]), (after - 1)->source_line);
  return place;
}

emulation::Place Launch::place_of_number(u32 number, int line) const {
  emulation::Place found = place(nullptr, line);
  const u32 threads = shape_.block_threads(), blocks = shape_.cluster_blocks();
  const auto split = [](u32 linear, const u32* extents) {
    return std::array<u32, 3>{linear % extents[0], linear / extents[0] % extents[1],
                              linear / extents[0] / extents[1]};
  };
  u32 clusters[3];
  for (u32 i = 0; i < 3; ++i) clusters[i] = shape_.clusters_along(i);
  const auto cluster = split(number / threads / blocks, clusters);
  auto block = split(number / threads % blocks, shape_.cluster);
  for (std::size_t i = 0; i < 3; ++i) block[i] += cluster[i] * shape_.cluster[i];
  found.block = block;
  found.thread = split(number % threads, shape_.block);
  return found;
}

std::string who(u32 number, int line, const char* did) {
  const emulation::Place at = launch().place_of_number(number, line);
  const auto [block, thread] = std::pair{*at.block, *at.thread};
  return fmt::format("block ({},{},{}), thread ({},{},{}) {} at {}", block[0], block[1], block[2], thread[0],
                     thread[1], thread[2], did,
                     at.source.empty() ? at.code : at.source + " (" + at.code + ")");
}

void Launch::fail(GpuThread* thread, int line, const std::string& what) {
  const emulation::Fault fault(place(thread, line), what);
  if (!fault_) fault_ = fault.what();
  if (!current_) throw fault;  // an asynchronous operation, later
  for (;;) current_->fiber->switch_to(scheduler_);
}

void Launch::abandon() { fail(nullptr, 0, "one thread has to run it"); }

void say_once(const Kernel& kernel, Note kind, const std::string& sentence) {
  static auto* const told = new std::set<std::pair<const Kernel*, Note>>;
  if (told->emplace(&kernel, kind).second) emulation::say(sentence);
}

void Launch::note(Note kind, const GpuThread& thread, int line, const std::string& what) {
  if (noted(kind)) return;  // a worker's clusters come in their order
  noted_ |= 1U << static_cast<u32>(kind);
  const std::string text = emulation::sentence(place(&thread, line), what);
  if (team_)
    team_->note(kind, thread.block->cluster->number, text);
  else
    say_once(kernel_, kind, text);
}

void fault(Thread* t, int line, const char* what) { launch().fail(&of(t), line, what); }

void unwritten(Thread* t, int line, const char* name, const char* what) {
  launch().fail(&of(t), line, fmt::format("the register {}, which nothing has written, {}", name, what));
}

void unknown(Thread* t, int line, const char* instruction, const char* why) {
  launch().fail(&of(t), line,
                fmt::format("the emulator does not know the instruction `{}` ({})", instruction, why));
}

std::string Launch::deadlock() const {
  std::string text = "deadlock: no thread can go on; ";
  const GpuThread* first = nullptr;
  std::size_t told = 0, more = 0;
  std::string last;
  for (const auto& cluster : running_)
    for (const Block& block : cluster->blocks)
      for (const Warp& warp : block.warps) {
        if (warp.alive == 0) continue;
        const GpuThread& thread = *warp.threads[static_cast<std::size_t>(__builtin_ctz(warp.alive))];
        if (!first) first = &thread;
        const std::string waits =
            fmt::format("waits at PTX line {} for {}", thread.line, what_it_waits_for(thread, warp));
        if (told == most_told || waits == last) {
          ++more;
          continue;
        }
        text += fmt::format("{}block ({},{},{}) warp {} {}", told++ ? "; " : "", block.ids[0], block.ids[1],
                            block.ids[2], warp.id, waits);
        last = waits;
      }
  if (more > 0) text += fmt::format("; and {} more warps", more);
  return emulation::sentence(place(first, first ? first->line : 0), text);
}

}  // namespace podium::ptx
