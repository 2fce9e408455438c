// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/judge/background_task.hpp"

#include <chrono>
#include <utility>

#include "suite/base/cpu_relax.hpp"

namespace podium::judge {
namespace {

// Until `state` is another. Looks first: a wake-up takes longer than what it waits for often does.
template <class State>
void while_still(const std::atomic<State>& state, State same) {
  constexpr std::chrono::milliseconds look{1};
  const auto end = std::chrono::steady_clock::now() + look;
  while (state == same && std::chrono::steady_clock::now() < end) cpu_relax();
  state.wait(same);
}

}  // namespace

BackgroundTask::~BackgroundTask() {
  if (!thread_.joinable()) return;
  cancel();
  become(leave);
  thread_.join();
}

void BackgroundTask::become(State state) {
  state_ = state;
  state_.notify_all();
}

void BackgroundTask::prepare(std::function<void()> work) {
  cancel();
  work_ = std::move(work);
  if (!thread_.joinable()) thread_ = std::thread([this] { serve(); });
  become(prepared);
}

void BackgroundTask::start() {
  if (state_ != prepared) return;
  started_ = true;
  become(running);
}

bool BackgroundTask::finish() {
  if (started_) while_still(state_, running);
  state_ = idle;  // for which nobody need be woken
  const bool worked = std::exchange(started_, false);
  if (const auto thrown = std::exchange(thrown_, nullptr)) std::rethrow_exception(thrown);
  return worked;
}

void BackgroundTask::cancel() {
  try {
    finish();
  } catch (...) {  // whoever cancels it asks for nothing
  }
}

void BackgroundTask::serve() {
  for (;;) {
    state_.wait(idle);
    if (state_ == prepared) while_still(state_, prepared);
    if (state_ == leave) return;
    if (state_ != running) continue;
    try {
      work_();
    } catch (...) {
      thrown_ = std::current_exception();
    }
    become(idle);
  }
}

}  // namespace podium::judge
