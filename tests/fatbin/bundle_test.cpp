// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Compressed offload bundles that this test writes itself; those that are damaged are refused in one
// sentence. clang's own are read by tests/emulators/amd/compressed_test.py.
#include "suite/fatbin/bundle.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "tests/fatbin/by_zstandard.hpp"
#include "tests/fatbin/written_bundle.hpp"
#include "tests/refusal.hpp"

namespace podium::bundle {
namespace {

using testing::HasSubstr, written::with_header;

std::string text() {
  std::string all = "__CLANG_OFFLOAD_BUNDLE__";
  for (int i = 0; i < 500; ++i) all += "v_add_u32 v" + std::to_string(i) + ", v1, v2;\n";
  return all;
}

TEST(Bundle, OfBothVersionsIsDecompressedWhateverIsBehindIt) {
  const auto code = text(), stored = by_zstandard(code);
  for (const std::uint16_t version : {2, 3}) {
    const auto bytes = with_header(version, stored, code.size());
    EXPECT_EQ(decompressed(bytes), code);
    EXPECT_EQ(decompressed(bytes + "and more"), code);
    EXPECT_EQ(header_of(std::string_view(bytes).substr(0, most_header_bytes)).stored_bytes, bytes.size());
  }
}

TEST(Bundle, ThatIsDamagedOrOfAnotherKindIsRefusedInOneSentence) {
  const auto code = text(), stored = by_zstandard(code);
  const auto said = [&](const std::string& bytes) { return refusal([&] { decompressed(bytes); }); };
  EXPECT_THAT(said(with_header(1, stored, code.size())), HasSubstr("version 1, expected 2 or 3"));
  EXPECT_THAT(said(with_header(4, stored, code.size())), HasSubstr("version 4, expected 2 or 3"));
  EXPECT_THAT(said(with_header(3, stored, code.size(), 0)), HasSubstr("method 0, expected Zstandard"));
  EXPECT_THAT(said(with_header(3, stored, code.size() - 1)), HasSubstr("damaged"));
  EXPECT_THAT(said(with_header(3, stored, code.size() + 1)),
              HasSubstr("its header says " + std::to_string(code.size() + 1)));
  EXPECT_THAT(said(with_header(3, stored, most_bytes + 1)), HasSubstr("expected at most"));
  EXPECT_THAT(said(with_header(3, "", 8, 1, 1)), HasSubstr("31 bytes, of which its header has 32"));
  const auto whole = with_header(2, stored, code.size());
  for (std::size_t bytes = 0; bytes < whole.size(); ++bytes)
    EXPECT_THAT(said(whole.substr(0, bytes)), HasSubstr("cut off")) << bytes;
}

TEST(Bundle, WithAnyByteChangedIsDecompressedOrRefused) {
  const auto code = text(), whole = with_header(3, by_zstandard(code), code.size());
  std::mt19937 random(1);
  int refused = 0;
  for (int k = 0; k < 2000; ++k) {
    auto bytes = whole;
    bytes[random() % bytes.size()] ^= static_cast<char>(1u << random() % 8);
    refused += refusal([&] { decompressed(bytes); }) != "not refused" ? 1 : 0;
  }
  EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace podium::bundle
