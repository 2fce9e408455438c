// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Lets a timer wake it in others' turns, and writes over what they compute

// class: sabotage
// expect: right
// needs: hold
// with: --rounds 3
// A stop by SIGSTOP ends with SIGCONT, which a timer of its own can send. Held by ptrace it does not wake,
// and others keep their rows.
#include "twice.hpp"

namespace {
using Contestant = Saboteur<Timer, spoil>;
}  // namespace
