// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What is said of a run beside its tables: where its wall time went, why it ended before its time, and
// whether its sandbox attests it.
#pragma once
#include <string>

#include "suite/record/provenance.hpp"

namespace podium::report {

// "12.3 s: building 1.1, rehearsals 0.2, ... waits 0.1 (34 µs a sample), other 0.3". Parts that round to
// nothing are left out. `wall`: seconds; only it, if nothing is known of its parts.
std::string spent_text(const record::Spent& spent, double wall);

// "": the run is whole. One that was killed recorded no end.
std::string ended_text(const record::Provenance& provenance);

// Why a run is unattested, in one sentence; empty: it is attested.
std::string unattested_text(const record::Provenance& provenance);

}  // namespace podium::report
