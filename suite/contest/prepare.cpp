// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/contest/prepare.hpp"

#include <algorithm>
#include <deque>
#include <set>

#include "suite/base/parallel.hpp"
#include "suite/sandbox/process.hpp"

namespace podium::contest {
namespace {

constexpr int look = 20;  // milliseconds

std::deque<std::filesystem::path> products(std::span<const BoardPlan> boards) {
  std::set<std::filesystem::path> all;
  for (const auto& board : boards) {
    all.insert(board.program);
    for (const auto& entrant : board.entrants) all.insert(entrant.product.file);
  }
  all.erase(std::filesystem::path());  // what was not built
  return {all.begin(), all.end()};
}

}  // namespace

void prepare(std::span<const BoardPlan> boards, const Executables& executables,
             const std::function<void(int, int)>& progress) {
  if (executables.prepare.empty()) return;
  auto waiting = products(boards);
  const auto total = static_cast<int>(waiting.size());
  std::vector<sandbox::Child> running;
  for (int done = 0; done < total;) {
    while (!waiting.empty() && running.size() < static_cast<std::size_t>(processors())) {
      running.emplace_back(sandbox::Start{.program = executables.prepare,
                                          .arguments = {waiting.front().string()},
                                          .descriptors = {},
                                          .environment = executables.environment,
                                          .output = -1,
                                          .sandbox = {}});
      waiting.pop_front();
    }
    running.front().ended(look);
    std::erase_if(running, [&](sandbox::Child& child) {
      if (!child.ended(0)) return false;
      ++done;
      return true;
    });
    progress(done, total);
  }
}

}  // namespace podium::contest
