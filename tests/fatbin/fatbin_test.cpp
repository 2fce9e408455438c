// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Entries of fatbins that this test writes itself; those that are damaged are refused in one sentence, and
// take no more memory than their bytes deserve.
#include "suite/fatbin/fatbin.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <lz4.h>
#include <sys/resource.h>

#include <random>

#include "tests/fatbin/by_zstandard.hpp"
#include "tests/fatbin/written_fatbin.hpp"
#include "tests/refusal.hpp"

namespace podium::fatbin {
namespace {

using testing::HasSubstr;

constexpr std::uint64_t lz4 = 0x2011, zstandard = 0x8011, plain = 0x11;

std::string text() {
  std::string all = "\n\n\n.version 9.0\n.target sm_90\n";
  for (int i = 0; i < 500; ++i) all += "add.s32 %r" + std::to_string(i) + ", %r1, %r2;\n";
  return all;
}
std::string by_lz4(const std::string& code) {
  std::string stored(static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(code.size()))), '\0');
  stored.resize(static_cast<std::size_t>(LZ4_compress_default(
      code.data(), stored.data(), static_cast<int>(code.size()), static_cast<int>(stored.size()))));
  return stored;
}
std::string first_code(std::string_view bytes) { return code_of(entries(bytes).at(0)); }
std::string first_code(const written::Entry& entry) { return first_code(written::fatbin({entry})); }

struct Method {
  std::uint64_t flags;
  std::string stored;
  const char* name;
};
std::vector<Method> methods() {
  return {{lz4, by_lz4(text()), "LZ4"}, {zstandard, by_zstandard(text()), "Zstandard"}};
}

long peak_kib() {
  rusage used;
  getrusage(RUSAGE_SELF, &used);
  return used.ru_maxrss;
}

TEST(Fatbin, EntriesHaveTheirCodeHoweverItIsCompressed) {
  const auto all = written::fatbin({{2, 80, plain, "machine"},
                                    {1, 80, lz4, by_lz4(text()), text().size()},
                                    {1, 90, zstandard, by_zstandard(text()), text().size()}});
  const auto found = entries(all);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].kind, Kind::machine);
  EXPECT_EQ(found[1].kind, Kind::ptx);
  EXPECT_EQ(found[2].number, 90u);
  EXPECT_EQ(found[1].compression, Compression::lz4);
  EXPECT_EQ(found[2].compression, Compression::zstandard);
  EXPECT_EQ(code_of(found[0]), "machine");
  EXPECT_EQ(code_of(found[1]), text());
  EXPECT_EQ(code_of(found[2]), text());
}

TEST(Fatbin, WhatIsBehindItIsNotRead) {
  const auto all = written::fatbin({{1, 90, plain, "text"}});
  EXPECT_EQ(entries(all + std::string(100, '?')).size(), 1u);
}

TEST(Fatbin, DamagedCodeIsRefused) {
  for (const auto& [flags, stored, name] : methods()) {
    auto changed = stored;
    for (std::size_t i = 40; i < 80; ++i) changed[i] = '\xff';
    EXPECT_THAT(refusal([&] { first_code({1, 90, flags, changed, text().size()}); }), HasSubstr(name));
    const auto cut = stored.substr(0, stored.size() / 2);
    EXPECT_THAT(refusal([&] { first_code({1, 90, flags, cut, text().size()}); }), HasSubstr(name));
    EXPECT_THAT(refusal([&] { first_code({1, 90, flags, stored, text().size() + 1}); }),
                HasSubstr("found compressed code of"));
    EXPECT_NE(refusal([&] { first_code({1, 90, flags, stored, text().size() - 1}); }), "not refused");
  }
}

TEST(Fatbin, ClaimsTakeNoMemory) {
  const long before = peak_kib();
  for (const auto& [flags, stored, name] : methods()) {
    for (const std::uint64_t claim : {~std::uint64_t{0}, std::uint64_t{1} << 40, most_code_bytes + 1})
      EXPECT_THAT(
          refusal([&] { first_code({1, 90, flags, stored, claim}); }),
          HasSubstr("is said to have " + std::to_string(claim) + " bytes, expected at most 268435456"));
    EXPECT_NE(refusal([&] { first_code({1, 90, flags, stored, most_code_bytes}); }), "not refused");
  }
  EXPECT_LT(peak_kib() - before, 64 << 10);
}

TEST(Fatbin, OtherLayoutsAreRefused) {
  const auto all = written::fatbin({{1, 90, lz4, by_lz4(text()), text().size()}});
  EXPECT_THAT(refusal([] { entries(""); }), HasSubstr("cut off"));
  EXPECT_THAT(refusal([&] { entries("?" + all); }), HasSubstr("another layout"));
  EXPECT_THAT(refusal([&] { entries(std::string_view(all).substr(0, all.size() - 1)); }),
              HasSubstr("cut off"));
  auto short_header = all;
  short_header[16 + 4] = 63;
  EXPECT_THAT(refusal([&] { entries(short_header); }), HasSubstr("entry of another layout"));
  auto longer = all;
  longer[16 + 16 + 3] = 1;  // more compressed bytes than the entry has
  EXPECT_THAT(refusal([&] { entries(longer); }), HasSubstr("cut off"));
}

TEST(Fatbin, CutOrChangedAnywhereIsReadOrRefused) {
  std::mt19937 random(1);
  int refused = 0;
  for (const auto& [flags, stored, name] : methods()) {
    const auto whole = written::fatbin({{1, 90, flags, stored, text().size()}});
    for (std::size_t size = 0; size < whole.size(); ++size)
      EXPECT_NE(refusal([&] { first_code(std::string_view(whole).substr(0, size)); }), "not refused");
    for (int change = 0; change < 5000; ++change) {
      auto changed = whole;
      for (int i = 0; i < 3; ++i) changed[random() % changed.size()] = static_cast<char>(random());
      refused += refusal([&] {
                   for (const auto& entry : entries(changed)) code_of(entry);
                 }) != "not refused";
    }
  }
  EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace podium::fatbin
