// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// One of the four constructors that a contestant may have, as FORM says; run tells what it was given.
#include <podium/scale.hpp>

namespace {
struct Contestant {
  float seen = 1;
#if FORM == 3
  Contestant(const problem::Workload& w, podium::Workspace& s, podium::Stream)
      : seen(w.factor + *s.device<float>(1)) {}
#elif FORM == 2
  Contestant(const problem::Workload& w, podium::Workspace& s) : seen(w.factor + *s.pinned<float>(1)) {}
#elif FORM == 1
  explicit Contestant(const problem::Workload& w) : seen(w.factor) {}
#else
  Contestant() = default;
#endif
  Contestant(const Contestant&) = delete;  // made in place
  void run(const problem::Arguments& a, podium::Stream) { a.y(0, 0) = podium::cast<problem::real>(seen); }
};
}  // namespace
