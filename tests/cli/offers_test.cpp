// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What partitions can run, of the problems of this checkout.
#include "suite/cli/offers.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/paths.hpp"
#include "tests/refusal.hpp"

namespace podium::cli {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class OffersOf : public testing::Test {
 protected:
  OffersOf() { setenv("PODIUM_TOOLCHAIN", test::toolchain().c_str(), 1); }

  // Of a partition with a container nothing is known of what was built.
  static Offers of(const std::string& rest, const fs::path& problems = test::source_dir() + "/kernels") {
    const auto campaign = cluster::campaign_of("podium_campaign: 1\n" + rest, "c.yaml");
    static std::vector<cluster::Campaign> kept;  // offers point into it
    kept.reserve(100);
    kept.push_back(campaign);
    return offers_of(kept.back(), "c.yaml", problems);
  }
};

const std::string h200 =
    "partitions: { a: { backend: cuda, arch: sm_90, time_limit: 1 h, container: { pyxis: i } } }\n";

TEST_F(OffersOf, BoardsHaveTheirContestants) {
  const Offers offers = of(h200 + "problems: [vector_add]\ntypes: [f32]\n");
  ASSERT_EQ(offers.offers.size(), 1U);
  EXPECT_THAT(offers.offers[0].cannot, IsEmpty());
  ASSERT_EQ(offers.offers[0].candidates.size(), 1U);
  const cluster::Candidate& one = offers.offers[0].candidates[0];
  EXPECT_EQ(text_of(one.board), "vector_add/f32");
  EXPECT_THAT(one.contestants, Contains("naive"));
  EXPECT_THAT(one.contestants, Contains("cub"));
  EXPECT_THAT(one.contestants, Not(Contains("serial")));
  EXPECT_THAT(one.named, IsEmpty());
  EXPECT_GT(one.workloads, 0);
}

TEST_F(OffersOf, TheBaselineComesAlongWithThoseThatAreNamed) {
  const Offers offers =
      of(h200 + "problems: [{ name: vector_add, contestants: [naive] }, sum]\ntypes: [f32]\n");
  ASSERT_EQ(offers.offers[0].candidates.size(), 2U);
  for (const cluster::Candidate& one : offers.offers[0].candidates)
    if (one.board.problem == "vector_add") {
      EXPECT_THAT(one.named, ElementsAre("naive"));
      EXPECT_EQ(one.contestants.size(), 2U);
    }
}

TEST_F(OffersOf, WhatCannotRunSaysWhy) {
  const auto whys = [](const Offers& offers) {
    std::string all;
    for (const cluster::Cannot& one : offers.offers[0].cannot)
      all += one.partition + ": " + one.problem + "/" + one.types + ": " + one.why + "\n";
    return all;
  };
  const fs::path folder = fs::temp_directory_path() / fmt::format("podium-offers-{}", getpid());
  fs::create_directories(folder / "newer");
  for (const char* file : {"problem.yaml", "naive.gpu.cpp"})
    fs::copy_file(test::source_dir() + "/kernels/vector_add/" + file, folder / "newer" / file);
  std::ofstream(folder / "newer/problem.yaml", std::ios::app) << "requires: { architectures: [sm_100] }\n";
  EXPECT_THAT(whys(of(h200, folder)), HasSubstr("a: newer/f32: "));
  EXPECT_THAT(whys(of(h200, folder)), HasSubstr("sm_90"));
  EXPECT_THAT(of(h200, folder).offers[0].candidates, IsEmpty());
  fs::remove(folder / "newer/naive.gpu.cpp");
  EXPECT_THAT(whys(of(h200, folder)), HasSubstr("a: newer/: no contestant runs on cuda"));
  fs::remove_all(folder);
  EXPECT_THAT(whys(of("partitions: { a: { backend: hip, time_limit: 1 h } }\nproblems: [sum]\n")),
              HasSubstr("this Podium was built without hip; build it with `cmake --preset hip`"));
}

TEST_F(OffersOf, UnknownNamesAreRefusedWithTheNearest) {
  const auto refused = [&](const std::string& rest) { return refusal([&] { of(rest); }); };
  EXPECT_THAT(refused(h200 + "problems: [vectoradd]\n"), HasSubstr("c.yaml: no such problem"));
  EXPECT_THAT(refused(h200 + "problems: [vectoradd]\n"), HasSubstr("nearest: \"vector_add\""));
  EXPECT_THAT(refused(h200 + "problems: [sum]\ntypes: [f23]\n"), HasSubstr("c.yaml: types: found \"f23\""));
  EXPECT_THAT(refused(h200 + "problems: [vector_add]\ncontestants: [naiv]\n"),
              HasSubstr("c.yaml: contestants: found \"naiv\""));
  EXPECT_THAT(refused(h200 + "problems: [{ name: vector_add, contestants: [naiv] }]\n"),
              HasSubstr("problems: vector_add: contestants: found \"naiv\""));
}

}  // namespace
}  // namespace podium::cli
