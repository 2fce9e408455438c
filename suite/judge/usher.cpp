// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/judge/usher.hpp"

#include <chrono>
#include <utility>

#include "suite/base/breathe.hpp"

namespace podium::judge {
namespace {

// Until `state` is another. Looks first: a wake-up takes longer than what it waits for often does.
template <class State>
void while_still(const std::atomic<State>& state, State same) {
  constexpr std::chrono::milliseconds look{1};
  const auto end = std::chrono::steady_clock::now() + look;
  while (state == same && std::chrono::steady_clock::now() < end) breathe();
  state.wait(same);
}

}  // namespace

Usher::~Usher() {
  if (!thread_.joinable()) return;
  dismiss();
  become(leave);
  thread_.join();
}

void Usher::become(State state) {
  state_ = state;
  state_.notify_all();
}

void Usher::begin(std::function<void()> work) {
  dismiss();
  work_ = std::move(work);
  if (!thread_.joinable()) thread_ = std::thread([this] { serve(); });
  become(ready);
}

void Usher::go() {
  if (state_ != ready) return;
  told_ = true;
  become(going);
}

bool Usher::finish() {
  if (told_) while_still(state_, going);
  state_ = idle;  // for which nobody need be woken
  const bool worked = std::exchange(told_, false);
  if (const auto thrown = std::exchange(thrown_, nullptr)) std::rethrow_exception(thrown);
  return worked;
}

void Usher::dismiss() {
  try {
    finish();
  } catch (...) {  // whoever dismisses it asks for nothing
  }
}

void Usher::serve() {
  for (;;) {
    state_.wait(idle);
    if (state_ == ready) while_still(state_, ready);
    if (state_ == leave) return;
    if (state_ != going) continue;
    try {
      work_();
    } catch (...) {
      thrown_ = std::current_exception();
    }
    become(idle);
  }
}

}  // namespace podium::judge
