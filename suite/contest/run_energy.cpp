// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The energy of a call: the same call again and again, between two steps of the device's counter.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "suite/contest/turn.hpp"
#include "suite/measure/samples.hpp"
#include "suite/record/fields.hpp"
#include "suite/record/metrics.hpp"

namespace podium::contest {
namespace {

constexpr int first_index = 3'000'000;  // of these samples' seeds
constexpr double first_look = 0.1;      // seconds; to see how long a call takes when it follows another
constexpr double looked_at = 1.2;       // seconds; the first 0.2 of them are not used

// Of the tensors that contestants change in place, the first; empty: none.
std::string changed_in_place(const problem::Instance& instance) {
  const auto found = std::ranges::find_if(instance.tensors, [](const auto& tensor) {
    return tensor.visible && tensor.role == problem::Role::inout;
  });
  return found == instance.tensors.end() ? "" : found->name;
}

}  // namespace

// False: the contestant failed, and is out.
bool Runner::take_energy(Turn& turn, int workload, record::Entry& entry) {
  record::Measurement& energy = entry.measured[record::energy];
  const auto& instance = instances_[static_cast<std::size_t>(workload)];
  if (const std::string name = changed_in_place(instance); !name.empty()) {
    energy.text = fmt::format("{} is changed in place: a second call would not compute the same", name);
    return true;
  }
  if (const auto now = session().telemetry(true); std::isnan(now.energy)) {
    energy.text = fmt::format("the device tells no energy ({})", protocol::get(now.source));
    return true;
  }
  // Not the cold time but that of calls in a row decides how many fill the time.
  double microseconds = entry.median.value;
  protocol::Sampled repeated{};
  for (const double seconds : {first_look, looked_at}) {
    const int calls = measure::repeats_for(seconds, microseconds, protocol::most_repeats);
    const auto sampled = session().sample(first_index + (seconds == looked_at),
                                          Session::How{.waits = entry.blocking,
                                                       .calls = calls,
                                                       .mode = protocol::Mode::repeated,
                                                       .seconds = 1e-6 * microseconds * calls});
    if (const auto* failure = std::get_if<Failure>(&sampled)) return fail(turn, entry, *failure), false;
    repeated = std::get<protocol::Sampled>(sampled);
    microseconds = repeated.judge_microseconds / repeated.calls;
    entry.worst = std::max(entry.worst, repeated.worst);
  }
  if (std::isnan(repeated.watts)) {
    energy.text = fmt::format("the device's counter of energy moved too seldom in {:.2f} s",
                              1e-6 * repeated.judge_microseconds);
    return true;
  }
  energy.numbers = {{record::energy.key, record::number(repeated.watts * microseconds)},
                    {record::watts.key, record::number(repeated.watts)},
                    {"microseconds", record::number(microseconds)},
                    {"calls", repeated.calls}};
  return true;
}

}  // namespace podium::contest
