// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: The honest kernel that memory bounds, against which those are held that try to keep their inputs

#include "wide.hpp"

namespace {
struct Contestant {
  WideSum sum;
  Contestant(const problem::Workload&, podium::Workspace& workspace) : sum(workspace) {}
  void run(const problem::Arguments& args, podium::Stream stream) { sum(args, stream); }
};
}  // namespace
