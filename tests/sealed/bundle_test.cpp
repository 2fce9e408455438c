// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What podium packs, the worker unpacks; anything else is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "suite/base/error.hpp"
#include "suite/protocol/bundle.hpp"

namespace podium::protocol {
namespace {

using testing::HasSubstr;

Bundle some() {
  Bundle bundle{.hash = "abc", .code = {std::string("\177ELF\0\xff", 6), ""}, .lists = {}};
  Bundle::List list{.axes = {1, -2, std::int64_t{1} << 52},
                    .parameters = {0.1, -std::numeric_limits<double>::infinity(), -0.0},
                    .scratch = {0, std::uint64_t{1} << 40}};
  list.prepare = {
      {.code = 0, .kernel = "p", .arguments = {{.kind = Bundle::Argument::Kind::scratch, .index = 1}}}};
  list.launches = {
      {.code = 1,
       .kernel = "k",
       .grid = {4294967295u, 2, 3},
       .block = {4, 5, 6},
       .shared = 7,
       .arguments = {{.kind = Bundle::Argument::Kind::number, .bytes = 8, .bits = ~std::uint64_t{0}}}}};
  bundle.lists = {list, {.axes = {1}, .parameters = {0.0}, .scratch = {}, .prepare = {}, .launches = {}}};
  return bundle;
}

std::string refusal(const std::string& bytes) {
  try {
    unpack(bytes);
    return "not refused";
  } catch (const Error& e) {
    return e.what();
  }
}

TEST(Bundle, ComesBackAsItWas) {
  const auto before = some(), after = unpack(pack(before));
  EXPECT_EQ(after.hash, before.hash);
  EXPECT_EQ(after.code, before.code);
  ASSERT_EQ(after.lists.size(), 2u);
  EXPECT_EQ(after.lists[0].axes, before.lists[0].axes);
  EXPECT_EQ(after.lists[0].scratch, before.lists[0].scratch);
  EXPECT_EQ(after.lists[0].prepare, before.lists[0].prepare);
  EXPECT_EQ(after.lists[0].launches, before.lists[0].launches);
}

TEST(Bundle, ListsAreFoundByAxesAndParameters) {
  const auto bundle = unpack(pack(some()));
  EXPECT_EQ(
      bundle.find({1, -2, std::int64_t{1} << 52}, {0.1, -std::numeric_limits<double>::infinity(), -0.0}),
      &bundle.lists[0]);
  EXPECT_EQ(bundle.find({1}, {0.0}), &bundle.lists[1]);
  EXPECT_EQ(bundle.find({1}, {-0.0}), nullptr);
  EXPECT_EQ(bundle.find({2}, {0.0}), nullptr);
  EXPECT_EQ(bundle.find({1}, {}), nullptr);
}

TEST(Bundle, WhatIsNoneIsRefused) {
  EXPECT_FALSE(is_bundle("\177ELF"));
  EXPECT_TRUE(is_bundle(pack(some())));
  EXPECT_THAT(refusal("\177ELF"), HasSubstr("another version"));
  EXPECT_THAT(refusal("podium sealed contestant 2\n"), HasSubstr("another version"));
  EXPECT_THAT(refusal("podium sealed contestant 1\n"), HasSubstr("cannot be read"));
  auto bundle = some();
  bundle.lists[0].launches[0].code = 2;
  EXPECT_THAT(refusal(pack(bundle)), HasSubstr("code that does not exist"));
  bundle = some();
  bundle.lists[0].prepare[0].arguments[0].index = 2;
  EXPECT_THAT(refusal(pack(bundle)), HasSubstr("an argument that does not exist"));
  bundle = some();
  bundle.lists[0].launches[0].arguments[0].bytes = 9;
  EXPECT_THAT(refusal(pack(bundle)), HasSubstr("an argument that does not exist"));
}

TEST(Bundle, CutOrChangedAnywhereIsReadOrRefused) {
  const auto whole = pack(some());
  std::mt19937 random(1);
  int refused = 0;
  for (std::size_t size = 0; size < whole.size(); ++size)
    refused += refusal(whole.substr(0, size)) != "not refused";
  EXPECT_EQ(refused, static_cast<int>(whole.size()));
  for (int change = 0; change < 20000; ++change) {
    auto changed = whole;
    for (int i = 0; i < 3; ++i) changed[27 + random() % (changed.size() - 27)] = static_cast<char>(random());
    refused += refusal(changed) != "not refused";
  }
  EXPECT_GT(refused, 5000);
}

}  // namespace
}  // namespace podium::protocol
