// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/contest/replay.hpp"

#include <algorithm>

namespace podium::contest {
namespace {

using protocol::Mode;

constexpr int first_other = 3'000'000;  // index of the calls before; its poison is that of index 0

struct Kind {
  Mode mode = Mode::cold;
  int before = 0;         // calls of the instance before it
  bool together = false;  // behind one gate with others
};

Kind kind_of(int call) {
  if (call >= column_index) {
    const int mode = (call - column_index) / column_indices;
    return {.mode = static_cast<Mode>(std::min(mode, static_cast<int>(Mode::steady))),
            .before = (call - column_index) % column_tries};
  }
  if (call >= together_index) return {.before = 2, .together = true};  // both poisons come before
  return {.before = call % try_indices};
}

}  // namespace

// The call itself and those before it; what failed.
std::optional<Failure> replay_call(Context& run, const BoardState& board, const Competitor& competitor,
                                   int workload, record::Entry& entry) {
  const Replay& wanted = *run.options.replay;
  Session& session = run.sessions.get();
  const Kind kind = kind_of(wanted.call);
  const auto begun = session.begin(workload, -1, competitor.owner, board.judges_seconds(workload),
                                   run.options.full, wanted.structure);
  if (const auto* failure = std::get_if<Failure>(&begun)) return *failure;
  for (int other = 0; other < kind.before; ++other) {
    const auto sampled = session.sample(first_other + other, Session::How{.mode = kind.mode});
    // Whether its outputs are right is not asked of this one.
    if (const auto* failure = std::get_if<Failure>(&sampled); failure && failure->again.empty())
      return *failure;
  }
  const auto sampled = session.sample(
      wanted.call, Session::How{.calls = kind.together ? std::max(1, session.begun().most_calls) : 1,
                                .mode = kind.mode,
                                .seed = wanted.seed});
  if (const auto* failure = std::get_if<Failure>(&sampled)) return *failure;
  const auto& sample = std::get<protocol::Sampled>(sampled);
  entry.text = protocol::get(sample.text);
  entry.worst = sample.worst;
  entry.left_out = sample.left_out;
  entry.blocking = sample.blocking != 0;
  entry.seeds.push_back(sample.seed);
  const auto ended = session.end();
  if (const auto* failure = std::get_if<Failure>(&ended)) return *failure;
  return std::nullopt;
}

}  // namespace podium::contest
