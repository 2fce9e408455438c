// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/record/metrics.hpp"

namespace podium::record {

std::span<const Metric* const> metrics() { return all_metrics; }

}  // namespace podium::record
