// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What devices' matrix units take, and which devices a problem runs on.
#include "suite/problem/model/requirement.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "suite/problem/parse/parse.hpp"
#include "tests/problem/sample.hpp"

namespace podium::problem {
namespace {

using testing::UnorderedElementsAre;

// As the data sheets of the devices have it.
TEST(Requirement, FeaturesOfDevices) {
  EXPECT_THAT(features_of("sm_70"), UnorderedElementsAre());                              // V100
  EXPECT_THAT(features_of("sm_75"), UnorderedElementsAre());                              // T4
  EXPECT_THAT(features_of("sm_80"), UnorderedElementsAre("f64", "tf32", "bf16"));         // A100
  EXPECT_THAT(features_of("sm_89"), UnorderedElementsAre("f64", "tf32", "bf16", "fp8"));  // L40
  EXPECT_THAT(features_of("sm_90"), UnorderedElementsAre("f64", "tf32", "bf16", "fp8"));  // H200
  for (const std::string blackwell : {"sm_100", "sm_103", "sm_110", "sm_120", "sm_121"})
    EXPECT_THAT(features_of(blackwell), UnorderedElementsAre("f64", "tf32", "bf16", "fp8", "fp6", "fp4"))
        << blackwell;
  EXPECT_THAT(features_of("gfx906"), UnorderedElementsAre());               // MI50
  EXPECT_THAT(features_of("gfx908"), UnorderedElementsAre("bf16"));         // MI100
  EXPECT_THAT(features_of("gfx90a"), UnorderedElementsAre("f64", "bf16"));  // MI250
  EXPECT_THAT(features_of("gfx942:sramecc+:xnack-"),
              UnorderedElementsAre("f64", "tf32", "bf16", "fp8"));                               // MI300
  EXPECT_THAT(features_of("gfx950"), UnorderedElementsAre("f64", "bf16", "fp8", "fp6", "fp4"));  // MI350
  EXPECT_THAT(features_of("gfx1030"), UnorderedElementsAre());                                   // RDNA 2
  EXPECT_THAT(features_of("gfx1100"), UnorderedElementsAre("bf16"));                             // RDNA 3
  EXPECT_THAT(features_of("gfx1201"), UnorderedElementsAre("bf16", "fp8"));                      // RDNA 4
  EXPECT_THAT(features_of(""), UnorderedElementsAre());
  EXPECT_THAT(features_of("x86-64-v3"), UnorderedElementsAre());
}

std::string without(const std::string& required, const std::string& backend,
                    const std::string& architecture) {
  const std::string text = with("requires: { memory: 2 GiB, scratch: 64 MiB }", "requires: " + required);
  return unmet(parse("p", text, "p.yaml"), backend, architecture);
}

TEST(Requirement, BackendsAndArchitecturesAreOneOf) {
  EXPECT_EQ(without("{}", "host", ""), "");
  EXPECT_EQ(without("{ backends: [cuda, host] }", "host", ""), "");
  EXPECT_EQ(without("{ backends: [cuda, host] }", "hip", "gfx942"),
            "p.yaml:31: requires.backends: found the backend hip, expected one of cuda, host");
  const std::string named = "{ architectures: [sm_90a, sm_100, gfx942] }";
  for (const std::string well : {"sm_90", "sm_100", "sm_103"}) EXPECT_EQ(without(named, "cuda", well), "");
  EXPECT_EQ(without(named, "hip", "gfx942:sramecc+"), "");
  for (const std::string other : {"sm_89", "sm_120"})
    EXPECT_EQ(without(named, "cuda", other), "p.yaml:31: requires.architectures: found " + other +
                                                 ", expected one of sm_90a, sm_100, gfx942");
  EXPECT_EQ(
      without(named, "host", ""),
      "p.yaml:31: requires.architectures: found the backend host, expected one of sm_90a, sm_100, gfx942");
  EXPECT_EQ(without("{ architectures: [sm_80+] }", "cuda", "sm_120"), "");
}

TEST(Requirement, FeaturesAreAllOf) {
  EXPECT_EQ(without("{ features: [bf16, fp8] }", "cuda", "sm_90"), "");
  EXPECT_EQ(without("{ features: [bf16, fp8] }", "cuda", "sm_80"),
            "p.yaml:31: requires.features: found sm_80, whose matrix units take f64, tf32, bf16, expected "
            "bf16, fp8");
  EXPECT_EQ(without("{ features: [bf16] }", "host", ""),
            "p.yaml:31: requires.features: found the CPU, which has no matrix units, expected bf16");
}

TEST(Requirement, SomeDeviceMeetsThemAll) {
  const auto mistake = [](const std::string& required) {
    return mistakes_of(with("requires: { memory: 2 GiB, scratch: 64 MiB }", "requires: " + required));
  };
  const auto nowhere = [](const std::string& stated) {
    return "p.yaml:31: requires: found what no device meets together (" + stated +
           "), expected what one does; sm_… are devices of cuda and gfx… of hip, and host has neither "
           "features "
           "nor architectures";
  };
  EXPECT_EQ(mistake("{ backends: [hip], architectures: [sm_90] }"),
            nowhere("backends hip, architectures sm_90"));
  EXPECT_EQ(mistake("{ backends: [cuda, host], architectures: [gfx942] }"),
            nowhere("backends cuda host, architectures gfx942"));
  EXPECT_EQ(mistake("{ backends: [host], features: [bf16] }"), nowhere("backends host, features bf16"));
  EXPECT_EQ(mistake("{ features: [fp8], architectures: [sm_75, gfx90a] }"),
            nowhere("features fp8, architectures sm_75 gfx90a"));
  EXPECT_EQ(mistake("{ backends: [hip], features: [tf32, fp4] }"),
            nowhere("backends hip, features tf32 fp4"));
  for (const char* well :
       {"{ backends: [host] }", "{ backends: [host, hip], features: [tf32] }", "{ features: [tf32, fp4] }",
        "{ architectures: [sm_75] }", "{ architectures: [gfx906, sm_90a], backends: [hip] }",
        "{ features: [fp4], architectures: [sm_80+] }", "{ features: [fp8], architectures: [sm_89] }"})
    EXPECT_EQ(mistake(well), "accepted") << well;
}

}  // namespace
}  // namespace podium::problem
