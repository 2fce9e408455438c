// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/base/interrupt.hpp"

#include <array>
#include <atomic>

namespace podium {
namespace {

struct Signal {
  int number;
  const char* name;
};
constexpr std::array<Signal, 3> signals = {{{SIGINT, "SIGINT"}, {SIGTERM, "SIGTERM"}, {SIGHUP, "SIGHUP"}}};

std::atomic<int> noted{0};
static_assert(std::atomic<int>::is_always_lock_free);

void note(int number) {
  if (noted.exchange(number) == 0) return;
  std::signal(number, SIG_DFL);  // the second: at once
  std::raise(number);
}

}  // namespace

Interruptible::Interruptible() {
  noted = 0;
  for (std::size_t i = 0; i < signals.size(); ++i) {
    sigaction(signals[i].number, nullptr, &before_.at(i));
    if (before_.at(i).sa_handler == SIG_IGN) continue;  // as nohup wants it
    struct sigaction action{};
    action.sa_handler = note;
    action.sa_flags = SA_RESTART;
    sigaction(signals[i].number, &action, nullptr);
  }
}

Interruptible::~Interruptible() {
  for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i].number, &before_.at(i), nullptr);
  noted = 0;
}

std::string_view interruption() {
  for (const Signal& signal : signals)
    if (noted == signal.number) return signal.name;
  return "";
}

}  // namespace podium
