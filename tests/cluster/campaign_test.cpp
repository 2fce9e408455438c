// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The campaign's file: what it means, every mistake in one sentence with its line, and the schema and the
// tables that are made of the same keys.
#include "suite/cluster/campaign.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "suite/base/file_text.hpp"
#include "suite/cluster/format.hpp"
#include "tests/paths.hpp"
#include "tests/problem/schema_validator.hpp"
#include "tests/refusal.hpp"

namespace podium::cluster {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string least = R"(podium_campaign: 1
partitions:
  h200: { backend: cuda, time_limit: 4 h }
)";

const std::string full = R"(podium_campaign: 1
name: nightly
problems:
  - sum
  - { name: softmax, types: [f16], contestants: [online], level: quick }
types: [f32, f16]
contestants: [online, naive]
level: bench
repeats: { rounds: 9, runs: 3 }
shards: { target: 45 min }
options: { isolated: true, cold_only: true, energy: true, require_sandbox: true }
common: { problem: sum, types: f32, contestant: naive }
partitions:
  h200:
    partition: gpu-h200
    backend: cuda
    arch: sm_90
    gres: gpu:h200:1
    constraint: "h200&nvlink"
    account: project
    qos: low
    time_limit: "1-12:00:00"
    modules: [cuda/13.0, gcc/13]
    container: { apptainer: images/podium-cuda.sif }
    scratch: $TMPDIR
    setup: ["ulimit -l unlimited"]
    sbatch: [--exclude=n17]
    shared: { cache: /shared/cache }
    problems: [sum]
  mi300: { backend: hip, arch: gfx942, time_limit: 90 min, container: { pyxis: podium-rocm.sqsh } }
)";

TEST(Campaign, LeastFileHasDefaults) {
  const Campaign campaign = campaign_of(least, "runs/weekly.yaml");
  EXPECT_EQ(campaign.name, "weekly");
  EXPECT_EQ(campaign.level, "bench");
  EXPECT_EQ(campaign.rounds, 7);
  EXPECT_EQ(campaign.runs, 1);
  EXPECT_EQ(campaign.target, 1800);
  EXPECT_EQ(campaign.common.problem, "vector_add");
  ASSERT_EQ(campaign.partitions.size(), 1U);
  EXPECT_EQ(campaign.partitions[0].partition, "h200");
  EXPECT_EQ(campaign.partitions[0].time_limit, 4 * 3600);
}

TEST(Campaign, EveryKeyIsRead) {
  const Campaign campaign = campaign_of(full, "x.yaml");
  EXPECT_EQ(campaign.name, "nightly");
  ASSERT_EQ(campaign.problems.size(), 2U);
  EXPECT_EQ(campaign.problems[1].level, "quick");
  EXPECT_THAT(campaign.problems[1].contestants, ElementsAre("online"));
  EXPECT_EQ(campaign.rounds, 9);
  EXPECT_EQ(campaign.runs, 3);
  EXPECT_EQ(campaign.target, 45 * 60);
  EXPECT_TRUE(campaign.isolated && campaign.cold_only && campaign.energy && campaign.require_sandbox);
  EXPECT_EQ(campaign.common.contestant, "naive");
  ASSERT_EQ(campaign.partitions.size(), 2U);
  const Partition& h200 = campaign.partitions[0];
  EXPECT_EQ(h200.partition, "gpu-h200");
  EXPECT_EQ(h200.time_limit, 36 * 3600);
  EXPECT_EQ(h200.apptainer, "images/podium-cuda.sif");
  EXPECT_EQ(h200.shared_cache, "/shared/cache");
  EXPECT_EQ(campaign.partitions[1].pyxis, "podium-rocm.sqsh");
}

TEST(Campaign, DurationsAreThoseOfPeopleAndOfSlurm) {
  for (const auto& [text, seconds] : std::vector<std::pair<std::string, double>>{{"90 s", 90},
                                                                                 {"30min", 1800},
                                                                                 {"1.5 h", 5400},
                                                                                 {"2 d", 172800},
                                                                                 {"04:00:00", 14400},
                                                                                 {"4:30", 16200},
                                                                                 {"1-12:00:00", 129600}})
    EXPECT_EQ(seconds_of(text), seconds) << text;
  for (const char* text :
       {"", "30", "5 hours", "4:0", "4:60:00", "1-", "-1-00:00:00", "x", "1:2:3:4", "1e9 d x"})
    EXPECT_LE(seconds_of(text), 0) << text;
}

struct Mistake {
  std::string wrong;     // lines of the file
  std::string sentence;  // or a part of it
};

class Mistakes : public testing::TestWithParam<Mistake> {};

TEST_P(Mistakes, IsToldWithItsLine) {
  const std::string told = refusal([&] { campaign_of(GetParam().wrong, "c.yaml"); });
  EXPECT_THAT(told, HasSubstr(GetParam().sentence));
  EXPECT_THAT(told, HasSubstr("c.yaml:"));
}

const std::string head = "podium_campaign: 1\n",
                  one = "partitions: { a: { backend: cuda, time_limit: 1 h } }\n";

INSTANTIATE_TEST_SUITE_P(
    Campaign, Mistakes,
    testing::Values(
        Mistake{"[]",
                "c.yaml:1: found a list, expected a campaign: a map that begins with podium_campaign: 1"},
        Mistake{one, "c.yaml:1: podium_campaign: found nothing, expected 1, the version of the format"},
        Mistake{"podium_campaign: 2\n" + one, "c.yaml:1: podium_campaign: found \"2\", expected 1"},
        Mistake{head, "partitions: found nothing, expected a map of partitions"},
        Mistake{head + "partitions: {}\n", "c.yaml:2: partitions: found an empty map, expected a partition"},
        Mistake{head + "partition:\n  a: { backend: cuda, time_limit: 1 h }\n",
                "c.yaml:2: unknown key: found \"partition\""},
        Mistake{head + one + "level: full\n",
                "c.yaml:3: level: found \"full\", expected one of quick, bench"},
        Mistake{head + one + "name: a b\n", "c.yaml:3: name: found \"a b\", expected a name of letters"},
        Mistake{head + one + "name: ../x\n", "c.yaml:3: name: found \"../x\", expected a name"},
        Mistake{head + one + "problems: []\n", "c.yaml:3: problems: found an empty list"},
        Mistake{head + one + "problems: sum\n",
                "c.yaml:3: problems: found \"sum\", expected a list of problems"},
        Mistake{head + one + "problems: [sum, sum]\n", "problems[1]: found \"sum\" twice, expected it once"},
        Mistake{head + one + "problems: [{ types: [f32] }]\n", "problems[0].name: found nothing"},
        Mistake{head + one + "problems: [{ name: sum, tpyes: [f32] }]\n", "unknown key: found \"tpyes\""},
        Mistake{head + one + "types: [f32, f32]\n", "types[1]: found \"f32\" twice"},
        Mistake{head + one + "contestants: [\"a;b\"]\n", "contestants[0]: found \"a;b\", expected a name"},
        Mistake{head + one + "repeats: 7\n", "c.yaml:3: repeats: found \"7\", expected a map"},
        Mistake{head + one + "repeats: { rounds: 0 }\n",
                "repeats.rounds: found \"0\", expected a whole number"},
        Mistake{head + one + "shards: { target: 30 }\n", "shards.target: found \"30\", expected a duration"},
        Mistake{head + one + "options: { isolated: yes }\n",
                "options.isolated: found \"yes\", expected true"},
        Mistake{head + one + "common: vector_add\n", "common: found \"vector_add\", expected a map"},
        Mistake{head + "partitions: { a: cuda }\n", "partitions.a: found \"cuda\", expected a map"},
        Mistake{head + "partitions: { \"a b\": { backend: cuda, time_limit: 1 h } }\n", "expected a name"},
        Mistake{head + "partitions: { a: { time_limit: 1 h } }\n", "partitions.a.backend: found nothing"},
        Mistake{head + "partitions: { a: { backend: cud, time_limit: 1 h } }\n",
                "partitions.a.backend: found \"cud\", expected one of"},
        Mistake{head + "partitions: { a: { backend: cuda } }\n", "partitions.a.time_limit: found nothing"},
        Mistake{head + "partitions:\n  a:\n    backend: cuda\n    time_limit: 5 hours\n",
                "c.yaml:5: partitions.a.time_limit: found \"5 hours\", expected a duration"},
        Mistake{head + "repeats: { runs: 0 }\npartitions: { a: { backend: cuda, time_limit: 1 h } }\n",
                "runs: found \"0\""},
        Mistake{head + "partitions: { a: { backend: cuda, time_limit: 1 h, setup: \"x\" } }\n",
                "setup: found \"x\", expected a list of lines"},
        Mistake{head + "partitions: { a: { backend: cuda, time_limit: 1 h, setup: [\"x\\ny\"] } }\n",
                "found several lines, expected one"},
        Mistake{head + "partitions: { a: { backend: cuda, time_limit: 1 h, container: {} } }\n",
                "container: found neither, expected one of apptainer and pyxis"},
        Mistake{head + "partitions: { a: { backend: cuda, time_limit: 1 h, container: { pyxis: a, apptainer: "
                       "b } } }\n",
                "container: found both"},
        Mistake{
            head +
                "problems: [sum]\npartitions: { a: { backend: cuda, time_limit: 1 h, problems: [smu] } }\n",
            "c.yaml:3: partitions.a.problems[0]: found \"smu\", expected sum"}));

TEST(Campaign, AllMistakesAreToldAtOnce) {
  const std::string told = refusal([] { campaign_of(head + "level: x\npartitions: { a: {} }\n", "c.yaml"); });
  for (const char* part : {"level: ", "partitions.a.backend: ", "partitions.a.time_limit: "})
    EXPECT_THAT(told, HasSubstr(part));
}

TEST(Campaign, TheReferenceHasTheTablesOfTheFormat) {
  const std::string page = podium::text_of(test::source_dir() + "/docs/campaigns.md");
  EXPECT_THAT(page, HasSubstr(campaign_tables())) << "docs/campaigns.md lacks these tables:\n"
                                                  << campaign_tables();
}

#ifdef PODIUM_HAS_VALIJSON
TEST(Campaign, TheSchemaAcceptsWhatIsReadAndRefusesUnknownKeys) {
  const test::JsonSchema schema(campaign_schema());
  const auto held = [&](const std::string& source) {
    return schema.held_against(problem::to_json(yaml::parse(source, "c.yaml")));
  };
  EXPECT_EQ(held(least), "");
  EXPECT_EQ(held(full), "");
  for (const Mistake& wrong :
       {Mistake{head + one + "levle: quick\n", ""}, Mistake{head + one + "level: full\n", ""},
        Mistake{head + "partitions: { a: { backend: cuda } }\n", ""},
        Mistake{head + "partitions: { a: { backend: cuda, time_limit: 5 hours } }\n", ""}})
    EXPECT_NE(held(wrong.wrong), "") << wrong.wrong;
}
#endif

}  // namespace
}  // namespace podium::cluster
