// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A calibration as people read it.
#pragma once
#include <string>

#include "suite/record/calibration.hpp"

namespace podium::report {

std::string label_of(const std::string& name);  // "fma_f32": "multiply-add, f32"
std::string value_text(double value,
                       const std::string& unit);  // "4.223 TB/s", "50.80 TFLOP/s", "3.710 µs", "1.002"

// "table" (for the terminal), "md", "json" (as it is stored) or "svg" (its roofline).
std::string render(const record::Calibration& calibration, const std::string& format);

// One sentence if the times scattered, or grew, so much that the machine was hardly idle; "" if they are
// sound.
std::string doubts_about(const record::Calibration& calibration);

}  // namespace podium::report
