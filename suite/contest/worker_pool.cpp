// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/contest/worker_pool.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <csignal>
#include <thread>
#include <utility>

#include "suite/base/backend.hpp"
#include "suite/compile/interpreter.hpp"
#include "suite/contest/device_access.hpp"
#include "suite/record/spent.hpp"

namespace podium::contest {
namespace {

using std::chrono::milliseconds;

}  // namespace

WorkerPool::WorkerPool(JudgeLink& judge, const protocol::Opened& device, Executables executables,
                       Limits limits, double& starts)
    : judge_(judge),
      device_(device),
      executables_(std::move(executables)),
      limits_(std::move(limits)),
      starts_(starts),
      watch_(limits_.memory) {}

JudgeLink::Supervision WorkerPool::supervision() {
  const auto any = [this](const auto& of) {
    bool ended = of(worker_, watch_);
    for (const auto& peer : peers_) ended = of(peer->process, peer->watch) || ended;
    return ended;
  };
  return {.look = [any] { return any([](auto& of, auto& watch) { return watch.look(of.child); }); },
          .time_out =
              [this, any] {
                return any([this](auto& of, auto& watch) { return watch.time_out(of.child, share_); });
              }};
}

WorkerProcess& WorkerPool::process_of(int rank) {
  return rank == 0 ? worker_ : peers_.at(static_cast<std::size_t>(rank - 1))->process;
}

WorkerWatch& WorkerPool::watch_of(int rank) {
  return rank == 0 ? watch_ : peers_.at(static_cast<std::size_t>(rank - 1))->watch;
}

milliseconds WorkerPool::allow(std::chrono::seconds share, int calls) {
  share_ = share;
  return share + calls * judges_time_;
}

std::optional<Failure> WorkerPool::start(const std::filesystem::path& plugin, const std::string& key) {
  release();
  const record::Stopwatch watch(starts_);
  watch_.begin_turn();
  if (const auto number = key.empty() ? std::nullopt : parking_.number_of(key)) {
    auto taken = parking_.take(key);
    if (taken.worker) {
      worker_ = std::move(*taken.worker);
      return std::nullopt;
    }
    dismiss(*number);
    if (taken.ran) woke_.insert(plugin);
  }
  // Nobody but itself can have woken one that has a user id of its own.
  if (woke_.contains(plugin) && sandbox::granted().has(sandbox::Means::uid))
    return Failure{Verdict::ran_while_parked,
                   "one of its threads ran between its turns, while others were being measured"};
  return launch(plugin, key);
}

std::optional<Failure> WorkerPool::launch(const std::filesystem::path& plugin, const std::string& key) {
  const int number = free_number();
  for (int rank = 0; rank < ranks_; ++rank)
    if (const auto failure =
            launch(rank, {.number = number, .key = key, .plugin = plugin, .child = {}, .output = {}}))
      return failure;
  return std::nullopt;
}

std::optional<Failure> WorkerPool::launch(int rank, WorkerProcess process) {
  auto [judges, workers] = protocol::socket_pair();
  Descriptor product, library;
  sandbox::Start start{.program = executables_.worker,
                       .arguments = {"--socket", "3"},
                       .descriptors = {workers.get()},
                       .environment = executables_.environment,
                       .output = -1,
                       .sandbox = {}};
  std::filesystem::path interpreter;
  if (!process.plugin.empty()) {
    product = opened(process.plugin);
    start.descriptors.push_back(product.get());
    start.arguments.insert(start.arguments.end(), {"--plugin", "4"});
    interpreter = compile::interpreter_of(product.get());
  }
  if (!interpreter.empty()) {  // neither variables nor the user's folders add to its modules
    library = opened(executables_.library);
    start.descriptors.push_back(library.get());
    start.program = interpreter;
    start.arguments = {"-I", "-B", "/proc/self/fd/4", "/proc/self/fd/5", "3"};
  }
  process.output.reset(memfd_create("podium-output", MFD_CLOEXEC));
  if (limits_.under.empty()) {
    start.output = process.output.get();
    const auto places = places_of(device_, ranks_);
    start.sandbox = worker_sandbox(executables_, places);
    if (ranks_ > 1) start.sandbox->loopback = true;  // by which libraries' ranks find each other
    if (rank > 0) {
      start.sandbox->beside = worker_.child.pid();
      if (start.sandbox->uid) start.sandbox->uid = worker_.child.uid();
    }
    if (!limits_.hidden.empty()) start.sandbox->covered = {limits_.hidden.string()};
    for (const auto& folder : compile::prefixes_of(interpreter)) start.sandbox->kept.push_back(folder);
    const auto place = place_arguments(*start.sandbox, places[static_cast<std::size_t>(rank)]);
    start.arguments.insert(start.arguments.end(), place.begin(), place.end());
    start.sandbox->memory_bytes = limits_.memory;
    start.sandbox->scratch_bytes = std::min(start.sandbox->scratch_bytes, limits_.memory / scratch_share);
  } else {  // env finds the tool, as a shell would
    start.arguments.insert(start.arguments.begin(), start.program);
    start.arguments.insert(start.arguments.begin(), limits_.under.begin(), limits_.under.end());
    start.program = "/usr/bin/env";
  }
  if (rank > 0) peers_.push_back(std::make_unique<Peer>(Peer{{}, WorkerWatch(limits_.memory)}));
  WorkerProcess& kept = process_of(rank);
  kept = std::move(process);
  watch_of(rank).begin_process();
  kept.child = sandbox::Child(start);
  workers.reset();
  protocol::AddWorker message{};
  message.empty = kept.plugin.empty();
  message.pid = kept.child.pid();
  message.uid = kept.child.uid();
  message.worker = kept.number;
  message.rank = rank;
  const int descriptor = judges.get();
  return outcome(judge_.request(message, allow(limits_.setup), std::span(&descriptor, 1)));
}

std::optional<Failure> WorkerPool::restart() {
  return start(std::filesystem::path(worker_.plugin), std::string(worker_.key));
}

void WorkerPool::park() {
  if (!worker_.child) return;
  if (worker_.key.empty()) {
    release();
    return;
  }
  const record::Stopwatch watch(starts_);
  const int number = worker_.number;
  worker_.device_bytes = held_on_device();
  if (!parking_.park(std::exchange(worker_, {}))) dismiss(number);
  bound_parked();
}

void WorkerPool::bound_parked() {
  const std::int64_t most = limits_.memory / limits_.parked_memory;
  // One that takes all by itself does not cost the others their places.
  if (parking_.size() > 0 && parking_.newest_bytes() > most) dismiss(parking_.end_newest());
  while (parking_.size() + 1 >= protocol::max_workers || parking_.bytes() > most) end_oldest();
  while (parking_.size() > 0) {
    const auto memory = device_memory();
    if (memory.others - others_ <= memory.all / limits_.parked_device) return;
    end_oldest();
  }
}

bool WorkerPool::parked_may_act() const {
  return parking_.size() > 0 && (backend_named(protocol::get(device_.backend)).gpu || !parking_.holds());
}

void WorkerPool::end_parked() {
  while (parking_.size() > 0) end_oldest();
}

void WorkerPool::end_oldest() {
  if (parking_.oldest_ran()) woke_.insert(parking_.oldest_plugin());
  dismiss(parking_.end_oldest());
}

std::optional<Failure> WorkerPool::release() {
  if (!worker_.child) return std::nullopt;
  const record::Stopwatch watch(starts_);
  dismiss(worker_.number);
  std::optional<Failure> found;
  if (!limits_.under.empty()) {
    const auto patience = std::chrono::duration_cast<milliseconds>(limits_.call).count();
    const auto end = worker_.child.ended(static_cast<int>(patience));
    if (end != sandbox::succeeded)
      found = {Verdict::fault_found,
               fmt::format("{} {}", limits_.under.front(), end ? words_of(*end) : "did not end")};
  }
  worker_.child.end();
  end_peers();
  return found;
}

// The judge forgets a worker.
void WorkerPool::dismiss(int number) {
  try {
    protocol::Release message{};
    message.worker = number;
    if (judge_) judge_.must<protocol::Done>(judge_.request(message, limits_.judge));
  } catch (const Error&) {  // a judge that is gone is met again at the next request
  }
}

void WorkerPool::end_all() {
  release();
  end_parked();
}

int WorkerPool::free_number() const {
  int number = 0;
  while (parking_.has(number)) ++number;
  return number;
}

// Of the device's memory, beside what others held before and what the parked ones hold.
std::int64_t WorkerPool::held_on_device() {
  const std::int64_t held = device_memory().others - others_ - parking_.device_bytes();
  if (held < 0) others_ += held;  // somebody else has gone
  return std::max<std::int64_t>(0, held);
}

// A driver tells how much of a device's memory is taken, and not surely by whom: what is missing may be
// somebody else's, who shares the device. What comes back when the worker ends was the worker's, unless
// somebody else left in that moment: so it is accused when a second process of its own shows the same.
std::variant<WorkerPool::Bound, Failure> WorkerPool::bound_device_memory() {
  const std::int64_t most = limits_.device_memory > 0 ? limits_.device_memory : device_.memory / 4 * 3;
  const std::int64_t before = held_on_device();
  if (before <= most) return Bound::held;
  const std::filesystem::path plugin = worker_.plugin;
  const std::string key = worker_.key;
  if (const auto found = release()) return *found;
  std::int64_t left = held_on_device();
  for (int looks = 0; looks < 10 && left > 0; ++looks) {  // a driver may take a while
    std::this_thread::sleep_for(milliseconds(20));
    left = held_on_device();
  }
  const std::int64_t held = before - left;
  if (held > most && !suspected_.insert(plugin).second)
    return Failure{Verdict::out_of_memory, fmt::format("held {} MiB of the device's memory, more than {} MiB",
                                                       held >> 20, most >> 20)};
  others_ += left;
  if (const auto failure = start(plugin, key)) return *failure;
  return Bound::renewed;
}

void WorkerPool::note_memory_of_others() { others_ = device_memory().others; }

protocol::MemoryIs WorkerPool::device_memory() {
  return judge_.must<protocol::MemoryIs>(judge_.request(protocol::Memory{}, limits_.judge));
}

std::optional<Failure> WorkerPool::outcome(const protocol::Packet& packet) {
  if (packet.type() == protocol::Type::refused) return failure(judge_.answer_in<protocol::Refused>(packet));
  judge_.answer_in<protocol::Done>(packet);
  return std::nullopt;
}

Failure WorkerPool::failure(const protocol::Refused& refused) {
  int rank = std::clamp(refused.rank, 0, static_cast<int>(peers_.size()));
  for (int other = 0; other <= static_cast<int>(peers_.size()); ++other)  // that podium ended, and why
    if (const auto& ended = watch_of(other).ended_for(); ended && ended->verdict != Verdict::hung)
      rank = other;
  Failure failure = why(refused, rank);
  if (peers_.empty()) return failure;
  const std::string name = fmt::format("rank {}", rank);
  if (!failure.text.starts_with("rank")) failure.text = fmt::format("{}: {}", name, failure.text);
  worker_.child.end();  // a group has no use for what is left of it
  end_peers();
  return failure;
}

Failure WorkerPool::why(const protocol::Refused& refused, int rank) {
  if (refused.verdict == Verdict::none) judge_.fault_of_problem(protocol::get(refused.text));
  if (refused.verdict == Verdict::right)
    judge_.give_up("the judge broke the protocol: it refused a result that it had accepted");
  WorkerProcess& worker = process_of(rank);
  const WorkerWatch& watch = watch_of(rank);
  const std::string said = plain(protocol::get(refused.text));
  if (watch.ended_for()) {
    Failure failure = *watch.ended_for();
    if (failure.verdict == Verdict::hung && refused.verdict == Verdict::gone)
      failure.text = fmt::format("{}: {}", said, failure.text);
    return failure;
  }
  if (worker.child.ran_out()) return watch.excess_of_memory();
  if (refused.verdict == Verdict::threw)
    return {.verdict = refused.verdict, .text = said, .printed = last_printed(worker.output.get())};
  if (refused.verdict != Verdict::gone) return {of_judge(refused.verdict), said};
  const auto end = worker.child.ended(death_notice);
  if (end == sandbox::End(sandbox::Killed{SIGKILL}) && watch.memory_ran_out())
    return {Verdict::out_of_memory, "the machine had no memory left, and the kernel ended it"};
  Failure failure = failure_of(end);
  if (const std::string words = last_words(worker.output.get()); !words.empty())
    failure.text += "; last words: " + words;
  return failure;
}

}  // namespace podium::contest
