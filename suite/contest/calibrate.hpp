// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A device measured at its best: every probe that the judge knows, as quantities with names and units.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "suite/contest/overhead.hpp"
#include "suite/contest/session.hpp"
#include "suite/record/calibration.hpp"

namespace podium::contest {

// After session.load_calibration. `tell` hears the name of each probe before it is made. A quantity that the
// device cannot give has no samples and says why. Throws podium::Error, DeviceLost.
std::vector<record::Quantity> calibrate(Session& session,
                                        const std::function<void(const std::string&)>& tell);

std::vector<record::Quantity> quantities_of(const Overheads& overheads);  // of the judge's own clock

}  // namespace podium::contest
