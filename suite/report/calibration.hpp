// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A calibration as people read it.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "suite/record/calibration.hpp"

namespace podium::report {

std::string label_of(const std::string& name);  // "fma_f32": "multiply-add, f32"
std::string value_text(double value,
                       const std::string& unit);  // "4.223 TB/s", "50.80 TFLOP/s", "3.710 µs", "1.002"

// "table" (for the terminal), "md", "json" (as it is stored) or "svg" (its roofline).
std::string render(const record::Calibration& calibration, const std::string& format);

// "matrix product, i8 scatters by 12 %" if the interval of a rate reaches further than a tenth of it: nothing
// is held against such a rate. "" if not, or of what is no rate.
std::string scatter_of(const record::Quantity& quantity);
// "one kernel became 1.50 times slower" if by more than a quarter: no rate of this calibration is used. "" if
// not.
std::string slowdown_of(const record::Calibration& calibration);
struct Arithmetic {
  std::map<std::string, double> rates;  // by quantity, operations a second
  std::vector<std::string> scattered;   // scatter_of() of those that are left out
};
// What a run with `driver` is held against. Throws podium::Error, with the reason alone, if the calibration
// was made with another driver or while the device became slower.
Arithmetic arithmetic_of(const record::Calibration& calibration, const std::string& driver);
// One sentence if the times scattered, or grew, so much that the machine was hardly idle; "" if they are
// sound.
std::string doubts_about(const record::Calibration& calibration);

}  // namespace podium::report
