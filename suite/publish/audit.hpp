// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What was checked in a run, how often, and what was refused and why.
#pragma once
#include <nlohmann/json.hpp>

#include "suite/record/provenance.hpp"
#include "suite/record/record.hpp"

namespace podium::publish {

nlohmann::json audit_of(const record::Run& run, const record::Provenance& provenance);

// Clock, temperature and power as they were at the end of each timed entry, in the order of the run; null
// where the device did not say.
nlohmann::json series_of(const record::Run& run);

}  // namespace podium::publish
