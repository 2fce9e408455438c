// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Rank 1 throws

// expect: threw
// In its constructor, while the others wait for it in theirs.
#include "honest.hpp"

namespace {
struct Contestant : Honest {
  explicit Contestant(const problem::Workload& workload) : Honest(workload) {
    if (workload.team.rank == 1) throw podium::Error("no, thanks");
    podium::meet(workload.team);
  }

  void run(const problem::Arguments& args, podium::Stream stream) { Honest::run(args, stream); }
};
}  // namespace
