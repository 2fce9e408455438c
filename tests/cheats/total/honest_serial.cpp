// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium: { title: One element after the other }
#include "serial.hpp"

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) { args.y() = serial_total(args); }
};
}  // namespace
