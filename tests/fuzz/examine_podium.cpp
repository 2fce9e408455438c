// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/examine_podium.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <variant>

#include "suite/contest/session.hpp"
#include "suite/protocol/samples.hpp"
#include "suite/record/record.hpp"
#include "tests/fuzz/promises.hpp"
#include "tests/fuzz/scene.hpp"

namespace podium::fuzz {
namespace {

using contest::Failure, contest::Session;
using protocol::Type;

// What was measured, as a row that is written and read back.
void expect_recordable(const std::vector<protocol::Sampled>& samples, const Failure* failure) {
  record::Entry entry;
  entry.problem = "doubling";
  entry.contestant = "loop";
  entry.verdict = failure ? failure->verdict : Verdict::right;
  entry.text = failure ? failure->text : "";
  for (const auto& sample : samples) {
    expect(std::isfinite(sample.event_microseconds) && std::isfinite(sample.judge_microseconds),
           "a sample without a time");
    entry.microseconds.push_back(sample.event_microseconds);
    entry.judge_microseconds.push_back(sample.judge_microseconds);
    entry.worst = sample.worst;
    entry.seeds.push_back(sample.seed);
  }
  if (!entry.microseconds.empty()) entry.median = measure::median(entry.microseconds);
  const auto replace = nlohmann::json::error_handler_t::replace;
  const std::string line = record::to_json(entry).dump(-1, ' ', false, replace);
  const std::string again =
      record::to_json(record::entry_from(nlohmann::json::parse(line))).dump(-1, ' ', false, replace);
  expect(line == again, "an entry that is another when it is read back: " + line);
}

class Asking {
 public:
  Asking(protocol::Channel judge, Asked& asked)
      : asked_(asked),
        problem_(problem::parse("doubling", scene_problem(), "problem.yaml")),
        session_(std::move(judge), 0, limits()) {}

  // False: of this type nothing is asked here.
  void ask(const Said& said) {
    switch (said.type()) {
      case Type::problem:
        return session_.load(problem_, 0, scene_program());
      case Type::arena:
        return session_.board({0, 1, 2});
      case Type::rehearse:
        return static_cast<void>(session_.rehearse(said.as<protocol::Rehearse>()->workload));
      case Type::begin:
        return note(
            session_.begin(said.as<protocol::Begin>()->workload, said.as<protocol::Begin>()->round, 0));
      case Type::sample:
        return sample(*said.as<protocol::Sample>());
      case Type::take_samples:
        return samples(*said.as<protocol::TakeSamples>());
      case Type::end:
        return note(session_.end());
      case Type::canary:
        return static_cast<void>(session_.canary());
      case Type::calibrate:
        return static_cast<void>(session_.memory_rates());
      case Type::seeds:
        return static_cast<void>(session_.secret());
      case Type::telemetry:
        return static_cast<void>(session_.telemetry());
      default:
        throw std::logic_error("a recorded request that is not played");
    }
  }

 private:
  static contest::Limits limits() {
    contest::Limits none;  // all that is said has been said: who has not answered never will
    none.call = none.setup = none.judge = std::chrono::seconds(0);
    return none;
  }

  void note(const std::optional<Failure>& failure) {
    if (!failure) return;
    ++asked_.failures;
    expect(failure->verdict != Verdict::none && failure->verdict != Verdict::right,
           "a failure without a verdict");
    expect_recordable({}, &*failure);
  }
  void sample(const protocol::Sample& request) {
    const auto outcome = session_.sample(
        request.index, {.waits = request.waits != 0, .calls = request.calls, .mode = request.mode});
    if (const auto* failure = std::get_if<Failure>(&outcome))
      note(*failure);
    else
      expect_recordable({std::get<protocol::Sampled>(outcome)}, nullptr);
  }
  void samples(const protocol::TakeSamples& request) {
    const std::vector<double> counted(request.microseconds, request.microseconds + request.counted);
    const auto taken = session_.samples(request.index, {.waits = request.waits != 0, .mode = request.mode},
                                        {.rule = {}, .counted = counted});
    asked_.failures += taken.failure.has_value();
    expect_recordable(taken.samples, taken.failure ? &*taken.failure : nullptr);
  }

  Asked& asked_;
  problem::Problem problem_;
  Session session_;
};

}  // namespace

Conversation for_podium(const Conversation& conversation) {
  static constexpr std::array played{Type::open,   Type::problem,   Type::arena,        Type::rehearse,
                                     Type::begin,  Type::sample,    Type::take_samples, Type::end,
                                     Type::canary, Type::calibrate, Type::seeds,        Type::telemetry};
  Conversation kept;
  bool keeps = false;
  Type before = Type::open;
  for (auto said = conversation.begin(); said != conversation.end(); ++said) {
    if (said->by == Side::worker) continue;
    if (said->by == Side::podium) {
      const auto next = std::find_if(said + 1, conversation.end(),
                                     [](const Said& other) { return other.by == Side::podium; });
      // Asked as part of these, by podium itself.
      const bool memory =
          said->type() == Type::memory && (before == Type::arena || before == Type::begin ||
                                           (next != conversation.end() && next->type() == Type::end));
      keeps = memory || std::ranges::find(played, said->type()) != played.end();
      before = said->type();
      if (memory) continue;
    }
    if (keeps) kept.push_back(*said);
  }
  return kept;
}

Asked examine_podium(const Conversation& conversation) {
  auto [podiums, judges] = protocol::socket_pair();
  const int most_bytes = 1 << 20;  // a judge that has said it all
  setsockopt(judges.get(), SOL_SOCKET, SO_SNDBUFFORCE, &most_bytes, sizeof most_bytes);
  bool silent = false;
  for (const Said& said : conversation) {
    if (said.by != Side::judge) continue;
    silent = said.silence();
    if (silent || send(judges.get(), said.bytes.data(), said.bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
      break;
  }
  if (!silent) shutdown(judges.get(), SHUT_WR);

  Asked asked;
  std::optional<Asking> podium;
  for (const Said& said : conversation) {
    if (said.by != Side::podium) continue;
    ++asked.asked;
    try {
      if (said.type() == Type::open)
        podium.emplace(protocol::Channel(std::move(podiums)), asked);
      else
        podium->ask(said);
      ++asked.well;
    } catch (const contest::DeviceLost&) {
      asked.lost = true;
      break;
    } catch (const Error&) {
      ++asked.faults;
      if (!podium) break;  // no device was opened
    } catch (const std::logic_error&) {
      throw;
    } catch (const std::exception& error) {
      throw std::logic_error(std::string("an error that is not podium's: ") + error.what());
    }
    std::array<char, 2 * protocol::max_message> asked_for;  // so that podium finds room
    while (recv(judges.get(), asked_for.data(), asked_for.size(), MSG_DONTWAIT) > 0) {
    }
  }
  return asked;
}

}  // namespace podium::fuzz
