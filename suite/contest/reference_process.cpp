// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/contest/reference_process.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

#include "suite/compile/interpreter.hpp"
#include "suite/contest/device_access.hpp"
#include "suite/contest/failure.hpp"
#include "suite/contest/judge_link.hpp"
#include "suite/protocol/channel.hpp"
#include "suite/protocol/reference.hpp"

namespace podium::contest {
namespace {

using protocol::ReferenceClock;

}  // namespace

Descriptor ReferenceProcess::start(const std::filesystem::path& program, const Executables& executables,
                                   const protocol::Opened& device, const Limits& limits) {
  end();
  auto [judges, its] = protocol::socket_pair();
  const Descriptor product = opened(program);
  clock_.reset(memfd_create("podium-clock", MFD_CLOEXEC));
  if (!clock_ || ftruncate(clock_.get(), sizeof(ReferenceClock)) != 0)
    throw Error(fmt::format("no memory for the reference's clock: {}", std::strerror(errno)));
  void* const page =
      mmap(nullptr, sizeof(ReferenceClock), PROT_READ | PROT_WRITE, MAP_SHARED, clock_.get(), 0);
  if (page == MAP_FAILED)
    throw Error(fmt::format("the reference's clock cannot be mapped: {}", std::strerror(errno)));
  page_ = new (page) ReferenceClock;
  output_.reset(memfd_create("podium-output", MFD_CLOEXEC));
  sandbox::Sandbox sandbox = worker_sandbox(executables, places_of(device, 1));
  const auto interpreter = compile::interpreter_of(product.get());
  for (const auto& folder : compile::prefixes_of(interpreter)) sandbox.kept.push_back(folder);
  if (!limits.hidden.empty()) sandbox.covered = {limits.hidden.string()};
  sandbox.memory_bytes = limits.memory;
  sandbox.scratch_bytes = std::min(sandbox.scratch_bytes, limits.memory / scratch_share);
  watch_ = WorkerWatch(limits.memory);
  watch_.begin_process();
  child_ = sandbox::Child({.program = interpreter,
                           .arguments = {"-I", "-B", "/proc/self/fd/4", "3"},
                           .descriptors = {its.get(), product.get()},
                           .environment = executables.environment,
                           .output = output_.get(),
                           .sandbox = std::move(sandbox)});
  return std::move(judges);
}

void ReferenceProcess::end() {
  child_.end();
  if (page_) munmap(std::exchange(page_, nullptr), sizeof(ReferenceClock));
  clock_.reset();
}

std::chrono::milliseconds ReferenceProcess::asked() const {
  if (!page_) return std::chrono::milliseconds(0);
  const auto& clock = *static_cast<const ReferenceClock*>(page_);
  std::chrono::nanoseconds all(clock.spent.load());
  if (const auto since = clock.since.load(); since != 0)
    all += std::chrono::steady_clock::now().time_since_epoch() - std::chrono::nanoseconds(since);
  return std::chrono::duration_cast<std::chrono::milliseconds>(all);
}

bool ReferenceProcess::over() const {
  return page_ && static_cast<const ReferenceClock*>(page_)->over.load() != 0;
}

bool ReferenceProcess::ended_by_itself() const {
  return page_ && static_cast<const ReferenceClock*>(page_)->over.load() == 1;
}

void ReferenceProcess::look() { watch_.look(child_); }

std::string ReferenceProcess::how_it_ended() {
  if (!child_) return "";
  if (watch_.ended_for()) return "; it took " + watch_.ended_for()->text;
  if (child_.ran_out()) return "; it took " + watch_.excess_of_memory().text;
  const auto end = child_.ended(death_notice);
  if (!end) return "";
  const std::string words = last_words(output_.get());
  return fmt::format("; it {}{}", words_of(*end), words.empty() ? "" : "; last words: " + words);
}

}  // namespace podium::contest
