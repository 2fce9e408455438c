// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Keeps a plan for each size in a static variable

// expect: right
// Plans depend on sizes, not on contents: what outlives the instance is how to cut the work, not its
// result.
#include <podium/sum.hpp>

#include <map>
#include <vector>

namespace {
using Plan = std::vector<std::int64_t>;  // where each part begins
std::map<std::int64_t, Plan> plans;      // by size

const Plan& plan_of(std::int64_t n) {
  Plan& plan = plans[n];
  for (std::int64_t at = 0; plan.empty() || plan.back() < n; at += 4096) plan.push_back(at < n ? at : n);
  return plan;
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    const Plan& plan = plan_of(args.n);
    double total = 0;
    for (std::size_t part = 0; part + 1 < plan.size(); ++part) {
      double sum = 0;
      for (std::int64_t i = plan[part]; i < plan[part + 1]; ++i) sum += args.x.data[i];
      total += sum;
    }
    args.y() = float(total);
  }
};
}  // namespace
