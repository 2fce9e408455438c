// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/base/interrupt.hpp"

#include <array>

namespace podium {
namespace {

struct Signal {
  int number;
  const char* name;
};
constexpr std::array<Signal, 3> signals = {{{SIGINT, "SIGINT"}, {SIGTERM, "SIGTERM"}, {SIGHUP, "SIGHUP"}}};

volatile std::sig_atomic_t noted = 0;

void note(int number) { noted = number; }

}  // namespace

Interruptible::Interruptible() {
  static_assert(count == signals.size());
  noted = 0;
  for (int i = 0; i < count; ++i) {
    sigaction(signals[static_cast<std::size_t>(i)].number, nullptr, &before_[i]);
    if (before_[i].sa_handler == SIG_IGN) continue;  // as nohup wants it
    struct sigaction action{};
    action.sa_handler = note;
    action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
    sigaction(signals[static_cast<std::size_t>(i)].number, &action, nullptr);
  }
}

Interruptible::~Interruptible() {
  for (int i = 0; i < count; ++i)
    sigaction(signals[static_cast<std::size_t>(i)].number, &before_[i], nullptr);
}

std::string_view interruption() {
  for (const Signal& signal : signals)
    if (noted == signal.number) return signal.name;
  return "";
}

}  // namespace podium
