// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Workers of a session: started, parked, ended.
#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <utility>

#include "suite/contest/device_access.hpp"
#include "suite/contest/session_requests.hpp"
#include "suite/contest/session_watch.hpp"
#include "suite/contest/stopwatch.hpp"

namespace podium::contest {
namespace {

using std::chrono::milliseconds;

constexpr int scratch_share =
    8;  // of the memory that a worker may take, for each of its two folders in memory

}  // namespace

std::variant<std::monostate, Failure> Session::start(const std::filesystem::path& plugin,
                                                     const std::string& key) {
  release();
  const Stopwatch watch(spent_.starts);
  killed_for_.reset();
  if (const auto number = key.empty() ? std::nullopt : parking_.number_of(key)) {
    auto taken = parking_.take(key);
    if (taken.worker) {
      worker_ = std::move(*taken.worker);
      return std::monostate{};
    }
    dismiss(*number);
    if (taken.ran) woke_.insert(plugin);
  }
  // Nobody but itself can have woken one that has a user id of its own.
  if (woke_.contains(plugin) && sandbox::granted().has(sandbox::Means::uid))
    return Failure{
        Verdict::ran_while_parked,
        "a thread of it ran between its turns, when it was to stand still and others were measured"};
  return launch(plugin, key);
}

std::variant<std::monostate, Failure> Session::launch(const std::filesystem::path& plugin,
                                                      const std::string& key) {
  auto [judges, workers] = protocol::socket_pair();
  Descriptor library;
  sandbox::Start start{.program = executables_.worker,
                       .arguments = {"--socket", "3"},
                       .descriptors = {workers.get()},
                       .environment = executables_.environment,
                       .output = -1,
                       .sandbox = {}};
  if (!plugin.empty()) {
    library = opened(plugin);
    start.descriptors.push_back(library.get());
    start.arguments.insert(start.arguments.end(), {"--plugin", "4"});
  }
  worker_ = {.number = free_number(), .key = key, .plugin = plugin, .child = {}, .output = {}};
  worker_.output.reset(memfd_create("podium-output", MFD_CLOEXEC));
  if (limits_.under.empty()) {
    start.output = worker_.output.get();
    const std::string pci = protocol::get(device_.pci);
    start.sandbox = worker_sandbox(executables_, pci);
    if (!limits_.hidden.empty()) start.sandbox->covered = {limits_.hidden.string()};
    const auto place = place_arguments(*start.sandbox, pci);
    start.arguments.insert(start.arguments.end(), place.begin(), place.end());
    start.sandbox->memory_bytes = limits_.memory;
    start.sandbox->scratch_bytes = std::min(start.sandbox->scratch_bytes, limits_.memory / scratch_share);
  } else {  // env finds the tool, as a shell would
    start.arguments.insert(start.arguments.begin(), executables_.worker);
    start.arguments.insert(start.arguments.begin(), limits_.under.begin(), limits_.under.end());
    start.program = "/usr/bin/env";
  }
  memory_kills_ = kernel_memory_kills();
  worker_.child = sandbox::Child(start);
  workers.reset();
  protocol::Worker message{};
  message.empty = plugin.empty();
  message.pid = worker_.child.pid();
  message.uid = worker_.child.uid();
  message.worker = worker_.number;
  const int descriptor = judges.get();
  return outcome(request(message, with_worker(limits_.setup), std::span(&descriptor, 1)));
}

void Session::park() {
  if (!worker_.child) return;
  if (worker_.key.empty()) {
    release();
    return;
  }
  const Stopwatch watch(spent_.starts);
  const int number = worker_.number;
  worker_.device_bytes = held_on_device();
  if (!parking_.park(std::exchange(worker_, {}))) dismiss(number);
  bound_parked();
}

void Session::bound_parked() {
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

bool Session::parked_may_act() const {
  return parking_.size() > 0 && (protocol::get(device_.backend) != "host" || !parking_.holds());
}

void Session::end_parked() {
  while (parking_.size() > 0) end_oldest();
}

void Session::end_oldest() {
  if (parking_.oldest_ran()) woke_.insert(parking_.oldest_plugin());
  dismiss(parking_.end_oldest());
}

std::optional<Failure> Session::release() {
  if (!worker_.child) return std::nullopt;
  const Stopwatch watch(spent_.starts);
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
  return found;
}

// The judge forgets a worker.
void Session::dismiss(int number) {
  try {
    protocol::Release message{};
    message.worker = number;
    if (judge_) must<protocol::Done>(request(message, limits_.judge));
  } catch (const Error&) {  // a judge that is gone is met again at the next request
  }
}

void Session::end_all() {
  release();
  end_parked();
}

int Session::free_number() const {
  int number = 0;
  while (parking_.has(number)) ++number;
  return number;
}

protocol::MemoryIs Session::device_memory() {
  return must<protocol::MemoryIs>(request(protocol::Memory{}, limits_.judge));
}

}  // namespace podium::contest
