// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What a table says of the sandbox that its contestants ran in.
#pragma once
#include <string>

#include "suite/record/provenance.hpp"

namespace podium::report {

// Why a run is unattested, in one sentence; empty: it is attested.
std::string unattested_text(const record::Provenance& provenance);

}  // namespace podium::report
