// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The GPU's text of scans finds what the CPU's does: in packs looked at together, one by one, and left over.
#include <limits>
#include <regex>

#include "tests/judge/forms.hpp"

namespace podium::judge {
namespace {

// One output of each width; all elements are 1.
std::string outputs(int n) {
  std::string tensors = "tensors:\n", references = "reference:\n";
  for (const std::string dtype : {"f64", "f32", "f16", "u8"}) {
    tensors += "  " + dtype + "_y: { role: output, dtype: " + dtype + ", shape: [n]" +
               (dtype == "u8" ? "" : ", tolerance: { ulp: 1 }") + " }\n";
    references += "  " + dtype + "_y: { index: [i], value: \"1\" }\n";
  }
  return problem_of(tensors + references + "sample: { i: 7 }\n", "{ m: 1, n: " + std::to_string(n) + " }");
}

template <class T>
void write(Judged& judged, const std::string& name, T one, const std::vector<std::int64_t>& spoilt, T with) {
  T* const data = judged.data<T>(name.c_str());
  for (std::int64_t k = 0; k < judged.elements(name.c_str()); ++k) data[k] = one;
  for (const std::int64_t k : spoilt) data[k] = with;
}

std::string found(int n, bool emulated, const std::vector<std::int64_t>& spoilt, bool poison) {
  Judged judged(outputs(n), false, 0, 0, emulated);
  judged.device.most_groups = 2;
  judged.evaluator.fill(forms_seed);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  double none;
  std::memset(&none, forms_poison, sizeof none);
  write<double>(judged, "f64_y", 1, spoilt, poison ? none : nan);
  float none32;
  std::memset(&none32, forms_poison, sizeof none32);
  write<float>(judged, "f32_y", 1, spoilt, poison ? none32 : static_cast<float>(nan));
  write<std::uint16_t>(judged, "f16_y", 0x3c00, spoilt, poison ? 0xffff : 0x7e00);
  write<std::uint8_t>(judged, "u8_y", 1, spoilt, poison ? 0xff : 2);
  const Finding finding = judged.evaluator.verify(forms_seed, forms_poison);
  EXPECT_EQ(finding.right, spoilt.empty()) << finding.text;
  // Which suspects are compared, beside the first, follows the groups, and so is not the same everywhere.
  return std::regex_replace(finding.text, std::regex("; \\d+ of \\d+ verified elements wrong"), "");
}

TEST(ScanEmulated, FindsWhatTheCpuFinds) {
  constexpr int packs = 2 * 256 * 4;  // that two groups look at together: of 2, 4, 8 and 16 elements
  for (const int n : {1, 15, packs * 2 + 3, packs * 4 * 3 + 1, packs * 16 + 4099})
    for (const bool poison : {true, false}) {
      const std::int64_t last = n - 1;
      for (const std::vector<std::int64_t>& spoilt : {std::vector<std::int64_t>{},
                                                      {0},
                                                      {last},
                                                      {last / 2, last / 3, last / 2 + 1},
                                                      {last / 5 * 4, last}}) {
        SCOPED_TRACE(std::to_string(n) + (poison ? " poisoned" : " not finite"));
        const std::string text = found(n, false, spoilt, poison);
        EXPECT_EQ(found(n, true, spoilt, poison), text);
      }
    }
}

}  // namespace
}  // namespace podium::judge
