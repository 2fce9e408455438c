// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: The quick sum, against which those are held that hand it over late

#include "quick_sum.hpp"

namespace {
struct Contestant {
  QuickSum sum;

  Contestant(const problem::Workload&, podium::Workspace& workspace) : sum(workspace) {}
  void run(const problem::Arguments& args, podium::Stream stream) { sum(args, stream); }
};
}  // namespace
