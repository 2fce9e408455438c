// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What podium packs, the worker unpacks; anything else is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "suite/base/error.hpp"
#include "suite/protocol/sealed_program.hpp"

namespace podium::protocol {
namespace {

using testing::HasSubstr;

SealedProgram some() {
  SealedProgram program{.hash = "abc", .code = {std::string("\177ELF\0\xff", 6), ""}, .lists = {}};
  SealedProgram::List list{.axes = {1, -2, std::int64_t{1} << 52},
                           .parameters = {0.1, -std::numeric_limits<double>::infinity(), -0.0},
                           .scratch = {0, std::uint64_t{1} << 40}};
  list.prepare = {{.code = 0,
                   .kernel = "p",
                   .arguments = {{.kind = SealedProgram::Argument::Kind::scratch, .index = 1}}}};
  list.launches = {
      {.code = 1,
       .kernel = "k",
       .grid = {4294967295u, 2, 3},
       .block = {4, 5, 6},
       .shared = 7,
       .arguments = {
           {.kind = SealedProgram::Argument::Kind::number, .bytes = 8, .bits = ~std::uint64_t{0}}}}};
  program.lists = {list, {.axes = {1}, .parameters = {0.0}, .scratch = {}, .prepare = {}, .launches = {}}};
  return program;
}

std::string refusal(const std::string& bytes) {
  try {
    unpack(bytes);
    return "not refused";
  } catch (const Error& e) {
    return e.what();
  }
}

TEST(SealedProgram, ComesBackAsItWas) {
  const auto before = some(), after = unpack(pack(before));
  EXPECT_EQ(after.hash, before.hash);
  EXPECT_EQ(after.code, before.code);
  ASSERT_EQ(after.lists.size(), 2u);
  EXPECT_EQ(after.lists[0].axes, before.lists[0].axes);
  EXPECT_EQ(after.lists[0].scratch, before.lists[0].scratch);
  EXPECT_EQ(after.lists[0].prepare, before.lists[0].prepare);
  EXPECT_EQ(after.lists[0].launches, before.lists[0].launches);
}

TEST(SealedProgram, ListsAreFoundByAxesAndParameters) {
  const auto program = unpack(pack(some()));
  EXPECT_EQ(
      program.find({1, -2, std::int64_t{1} << 52}, {0.1, -std::numeric_limits<double>::infinity(), -0.0}),
      &program.lists[0]);
  EXPECT_EQ(program.find({1}, {0.0}), &program.lists[1]);
  EXPECT_EQ(program.find({1}, {-0.0}), nullptr);
  EXPECT_EQ(program.find({2}, {0.0}), nullptr);
  EXPECT_EQ(program.find({1}, {}), nullptr);
}

TEST(SealedProgram, WhatIsNoneIsRefused) {
  EXPECT_FALSE(is_sealed_program("\177ELF"));
  EXPECT_TRUE(is_sealed_program(pack(some())));
  EXPECT_THAT(refusal("\177ELF"), HasSubstr("another version"));
  EXPECT_THAT(refusal("podium sealed contestant 2\n"), HasSubstr("another version"));
  EXPECT_THAT(refusal("podium sealed contestant 1\n"), HasSubstr("cannot be read"));
  auto program = some();
  program.lists[0].launches[0].code = 2;
  EXPECT_THAT(refusal(pack(program)), HasSubstr("code that does not exist"));
  program = some();
  program.lists[0].prepare[0].arguments[0].index = 2;
  EXPECT_THAT(refusal(pack(program)), HasSubstr("an argument that does not exist"));
  program = some();
  program.lists[0].launches[0].arguments[0].bytes = 9;
  EXPECT_THAT(refusal(pack(program)), HasSubstr("an argument that does not exist"));
}

TEST(SealedProgram, CutOrChangedAnywhereIsReadOrRefused) {
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
