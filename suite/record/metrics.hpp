// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Every metric, once: to add one, describe it here and measure it. None of them ranks.
#pragma once
#include <array>

#include "suite/record/metric.hpp"

namespace podium::record {

inline constexpr Metric hot{.key = "hot_us",
                            .record = "hot",
                            .header = "hot",
                            .meaning = "inputs just written, nothing flushed",
                            .closing = "all of one round, and never ranked"};

inline constexpr Metric graph{.key = "graph_us",
                              .record = "graph",
                              .header = "graph",
                              .meaning = "captured once and replayed",
                              .closing = "all of one round, and never ranked",
                              .absence = Absence::told_of_each,
                              .noun = "time in a graph"};

inline constexpr Metric end_to_end{.key = "end_to_end_us",
                                   .record = "end_to_end",
                                   .header = "end to end",
                                   .meaning = "by the host's clock, launch included",
                                   .closing = "all of one round, and never ranked"};

inline constexpr Metric steady{
    .key = "steady_us",
    .record = "steady",
    .closing = "of one round, and never ranked",
    .difference =
        "in a steady stream, each call also pays for writing what the previous call left in caches"};

// What serving pays beside calls: plans, handles, tuning. Of each round, and of one instance.
inline constexpr Metric constructor{.key = "constructor_us",
                                    .record = "constructor",
                                    .header = "constructor",
                                    .importance = 1,
                                    .meaning = "until the work that it enqueued is done",
                                    .closing = "by the judge's clock, and never ranked",
                                    .by_judges_clock = true};

// Measured only where it was asked for.
inline constexpr Metric energy{.key = "energy_uj",
                               .record = "energy",
                               .unit = Unit::microjoules,
                               .form = Form::number,
                               .header = "energy",
                               .meaning =
                                   "of the whole device for a call, idle power included, while "
                                   "the same call was repeated on one set of tensors",
                               .closing = "of one round, and never ranked",
                               .absence = Absence::told_once,
                               .noun = "energy"};

inline constexpr Metric watts{.key = "watts",
                              .record = "energy",
                              .unit = Unit::plain,
                              .form = Form::number,
                              .aggregation = Aggregation::none};

// Of several ranks: what each had to send, over the time of a call, and that over what the link was measured
// to carry.
inline constexpr Metric bus_rate{.key = "bus_gb_per_s",
                                 .record = "ranks",
                                 .unit = Unit::plain,
                                 .form = Form::number,
                                 .header = "bus GB/s",
                                 .importance = 3,
                                 .meaning = "the least that each rank sends, over the time",
                                 .closing = "and never ranked"};

inline constexpr Metric link_share{.key = "link_percent",
                                   .record = "ranks",
                                   .unit = Unit::plain,
                                   .form = Form::number,
                                   .header = "% link",
                                   .importance = 3,
                                   .meaning = "that, over a copy between two devices",
                                   .closing = "and never ranked"};

inline constexpr Metric skew{.key = "skew_us",
                             .record = "ranks",
                             .form = Form::number,
                             .header = "skew",
                             .meaning = "from the first rank's beginning to the last one's",
                             .closing = "and never ranked"};

// In the order of tables.
inline constexpr std::array all_metrics{&hot,    &graph, &end_to_end, &steady,     &constructor,
                                        &energy, &watts, &bus_rate,   &link_share, &skew};

}  // namespace podium::record
