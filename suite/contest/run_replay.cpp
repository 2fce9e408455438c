// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A call that a verdict named, made again: its inputs, its place in memory, its structure and what of its
// outputs is verified, after as many calls with other inputs as the instance had before.
#include <fmt/format.h>

#include <algorithm>

#include "suite/contest/turn.hpp"

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

// The command that repeats what `entry` says, but for the call.
std::string Runner::command_of(const Turn& turn, const record::Entry& entry) const {
  const auto& contestant = turn.entrant->contestant;
  return fmt::format("podium verify {} {}{} --contestant {} --workload {}/{}", entry.problem,
                     options_.device_words, options_.full ? " --full" : "",
                     at_home(*turn.entrant) ? contestant.name : contestant.file.string(), entry.types,
                     entry.workload);
}

// The call itself and those before it; what failed.
std::optional<Failure> Runner::replay(int workload, const Turn& turn, record::Entry& entry) {
  const Replay& wanted = *options_.replay;
  const Kind kind = kind_of(wanted.call);
  const auto begun =
      session().begin(workload, -1, turn.owner, judges_seconds_[static_cast<std::size_t>(workload)],
                      options_.full, wanted.structure);
  if (const auto* failure = std::get_if<Failure>(&begun)) return *failure;
  for (int other = 0; other < kind.before; ++other) {
    const auto sampled = session().sample(first_other + other, Session::How{.mode = kind.mode});
    // Whether its outputs are right is not asked of this one.
    if (const auto* failure = std::get_if<Failure>(&sampled); failure && failure->again.empty())
      return *failure;
  }
  const auto sampled = session().sample(
      wanted.call, Session::How{.calls = kind.together ? std::max(1, session().begun().most_calls) : 1,
                                .mode = kind.mode,
                                .seed = wanted.seed});
  if (const auto* failure = std::get_if<Failure>(&sampled)) return *failure;
  const auto& sample = std::get<protocol::Sampled>(sampled);
  entry.text = protocol::get(sample.text);
  entry.worst = sample.worst;
  entry.left_out = sample.left_out;
  entry.blocking = sample.blocking != 0;
  entry.seeds.push_back(sample.seed);
  const auto ended = session().end();
  if (const auto* failure = std::get_if<Failure>(&ended)) return *failure;
  return std::nullopt;
}

void Runner::replay(Turn& turn) {
  if (turn.entrant->product.status != compile::Product::Status::built) return verify(turn);  // says why
  int workload = -1;
  try {
    for (const int test : board_->tests) {
      workload = test;
      tell(turn, workload, -1);
      begin_turn();
      auto entry = blank(turn, workload, -1);
      if (!eligible(turn, entry, workload)) {
        if (turn.out) return;
        continue;
      }
      const auto started = session().start(turn.entrant->product.file);
      if (const auto* failure = std::get_if<Failure>(&started)) return fail(turn, entry, *failure);
      if (const auto failure = replay(workload, turn, entry)) return fail(turn, entry, *failure);
      sink_(entry);
    }
    if (const auto found = session().release()) fail(turn, blank(turn, -1, -1), *found);
  } catch (const DeviceLost& e) {
    fail(turn, blank(turn, workload, -1), {Verdict::device_lost, e.what()});
    lose_device();
  }
}

}  // namespace podium::contest
