// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A calibration as a roofline (Williams, Waterman, Patterson 2009), an SVG without scripts.
#pragma once
#include <string>
#include <vector>

#include "suite/record/calibration.hpp"
#include "suite/record/record.hpp"

namespace podium::report {

struct RooflinePoint {
  std::string label;
  double bytes_per_second = 0, operations_per_second = 0;  // both positive
};

// Arithmetic intensity (operations a byte) and operations a second, both logarithmic: slopes for memory and
// cache, a level for each arithmetic rate, each a <line id="roof-NAME"> from the steepest slope to the right
// edge. <g id="axes"> states what its edges stand for and where they are (data-x-min, data-left ...). Throws
// podium::Error if no memory rate or no arithmetic rate was measured.
std::string roofline(const record::Calibration& calibration, const std::vector<RooflinePoint>& points);

// The points of a run on the calibrated device: the first of each board that states bytes and operations.
// Throws podium::Error for a run on another device.
std::vector<RooflinePoint> points_of(const record::Run& run, const record::Calibration& calibration);

}  // namespace podium::report
