// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Provenance: round trip, folder names, and that nothing private gets in.
#include "suite/record/provenance.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "suite/base/error.hpp"

namespace podium::record {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::StartsWith;

constexpr std::int64_t gib = std::int64_t{1} << 30;

TEST(Slug, OfDevices) {
  EXPECT_EQ(
      slug({.backend = "cuda", .product = "NVIDIA H200", .architecture = "sm_90", .memory = 150'110'011'392}),
      "nvidia-h200-sm_90-140g");
  EXPECT_EQ(slug({.backend = "cuda",
                  .product = "NVIDIA H200",
                  .architecture = "sm_90",
                  .memory = 18 * gib,
                  .partition = "MIG 1g.18gb"}),
            "nvidia-h200-sm_90-18g-mig-1g.18gb");
  EXPECT_EQ(slug({.backend = "hip",
                  .product = "AMD Instinct MI300X",
                  .architecture = "gfx942",
                  .memory = 192 * gib,
                  .partition = "CPX",
                  .power_cap = 750}),
            "amd-instinct-mi300x-gfx942-192g-cpx-750w");
  EXPECT_EQ(slug({.backend = "hip", .product = "NVIDIA H200", .architecture = "sm_90", .memory = 140 * gib}),
            "nvidia-h200-sm_90-140g-hip");
  EXPECT_EQ(slug({.backend = "host",
                  .product = "Intel(R) Xeon(R) Gold 6226R CPU @ 2.90GHz",
                  .architecture = "x86-64-v4",
                  .memory = 8 * gib,
                  .partition = "2 threads"}),
            "intel-xeon-gold-6226r-x86-64-v4-8g-2-threads");
}

TEST(DeviceKey, SaysWhetherItIsEmulated) {
  const auto read = [](nlohmann::json json) { return device_from(json, "device").emulated; };
  EXPECT_TRUE(read(to_json({.product = "AMD Instinct MI300X", .emulated = true})));
  EXPECT_FALSE(read(to_json({.product = "named (emulated)", .emulated = false})));
  // Records before there was the field.
  EXPECT_TRUE(read({{"product", "AMD Instinct MI300X (emulated)"}}));
  EXPECT_FALSE(read({{"product", "AMD Instinct MI300X"}}));
}

TEST(Slug, IsAlwaysOneHarmlessName) {
  for (const std::string product :
       {"", "..", "../../etc/passwd", "a/b", ".hidden", "\xc3\xa9\n\t\"'", "-rf"}) {
    const std::string name = slug({.backend = "cuda", .product = product});
    EXPECT_THAT(name, MatchesRegex("[a-z0-9_][a-z0-9._-]*")) << product;
  }
  EXPECT_EQ(slug({.backend = "host", .product = std::string(1000, 'x')}).size(), 120u);
}

TEST(RunFolder, HoldsDeviceTimeAndFourDigits) {
  const std::chrono::sys_seconds time{std::chrono::seconds{1'738'331'100}};
  EXPECT_EQ(utc(time), "2025-01-31T13:45:00Z");
  EXPECT_EQ(run_folder("results", {.backend = "cuda", .product = "NVIDIA H200", .architecture = "sm_90"},
                       time, 0xabc0012),
            "results/nvidia-h200-sm_90/20250131T134500Z-0012");
}

TEST(Provenance, ComesBackWhole) {
  const Provenance p{
      .podium = "0.1.0",
      .commit = "0123456789ab",
      .command = "podium run softmax",
      .started = "2025-01-31T13:45:00Z",
      .device = {.backend = "cuda",
                 .product = "NVIDIA H200",
                 .architecture = "sm_90",
                 .memory = 140 * gib,
                 .partition = "MIG",
                 .power_cap = 700},
      .driver = "580.1, CUDA 13.0",
      .multiprocessors = 132,
      .last_level_cache = 60 << 20,
      .cpu = "Xeon",
      .kernel = "Linux 6.1",
      .compilers = {{.backend = "cuda", .version = "nvcc 13.0", .flags = {"-O3", "-Iinclude"}}},
      .contestants = {{.problem = "softmax",
                       .name = "online",
                       .title = "One pass",
                       .author = "A",
                       .source = "S",
                       .kind = "portable",
                       .tier = "native",
                       .file = "online.gpu.cpp",
                       .sha256 = "ab",
                       .included = {{"tiles.hpp", "ef"}}}},
      .boards = {{.problem = "softmax",
                  .title = "Row-wise softmax",
                  .types = "f32",
                  .stage = "bench",
                  .baseline = "cudnn",
                  .sha256 = "cd",
                  .workloads = {"a", "b"},
                  .empty_call = 1.3,
                  .judge_overhead = 151,
                  .tolerance = 20}},
      .sandbox = {"uid", "seccomp"},
      .order_seed = 0xfedcba9876543210,
      .rounds = 9,
      .isolated = true,
      .copy_bytes_per_second = 4.2e12,
      .read_bytes_per_second = 4.4e12,
      .write_bytes_per_second = 4.3e12,
      .calibrated = "2025-01-30T10:00:00Z",
      .arithmetic = {{"fma_f32", 6e13}, {"matrix_bf16", 7.4e14}},
      .wall_seconds = 12.5,
      .ended = "ended by SIGINT",
      .spent = {.building = 1,
                .copy_rate = 1.25,
                .rehearsals = 2,
                .starts = 3,
                .warm_ups = 4,
                .columns = 0.375,
                .calls = 0.5,
                .fills = 0.25,
                .checks = 0.125,
                .waits = 0.75,
                .canaries = 0.0625,
                .readings = 0.03125,
                .rests = 0.015625,
                .samples = 77,
                .wait = 12,
                .wait_unflushed = 7,
                .parts = {.asking = 1, .arming = 2, .stopping = 3, .waking = 4, .own = 5},
                .parts_unflushed = {.waking = 6}},
      .secrets = {1, 0xffffffffffffffff}};
  const auto json = to_json(p);
  const Provenance got = provenance_from(nlohmann::json::parse(json.dump()));
  EXPECT_EQ(to_json(got), json);
  EXPECT_EQ(got.boards.at(0).workloads, p.boards[0].workloads);
  EXPECT_EQ(got.read_bytes_per_second, 4.4e12);
  EXPECT_EQ(got.write_bytes_per_second, 4.3e12);
  EXPECT_EQ(got.boards.at(0).empty_call, 1.3);
  EXPECT_EQ(got.boards.at(0).judge_overhead, 151);
  EXPECT_EQ(got.boards.at(0).tolerance, 20);
  EXPECT_FALSE(to_json(Provenance{.boards = {{.problem = "sum"}}}).at("boards")[0].contains("empty_call"));
  EXPECT_LT(provenance_from({{"boards", {{{"problem", "sum"}}}}}).boards.at(0).empty_call, 0);
  EXPECT_EQ(got.contestants.at(0).title, "One pass");
  EXPECT_EQ(got.order_seed, p.order_seed);
  EXPECT_EQ(got.secrets, p.secrets);
  EXPECT_EQ(got.device.power_cap, 700);
  EXPECT_EQ(got.spent.canaries, 0.0625);
  EXPECT_EQ(got.spent.readings, 0.03125);
  EXPECT_EQ(got.spent.rests, 0.015625);
  EXPECT_EQ(got.spent.copy_rate, 1.25);
  EXPECT_EQ(got.spent.samples, 77);
  EXPECT_EQ(got.spent.wait, 12);
  EXPECT_EQ(got.spent.wait_unflushed, 7);
  EXPECT_EQ(got.spent.parts.stopping, 3);
  EXPECT_EQ(got.spent.parts.own, 5);
  EXPECT_EQ(got.spent.parts_unflushed.waking, 6);
  EXPECT_EQ(got.spent.sum(), 13.359375);
}

TEST(Provenance, AbsentFieldsAreDefaultsAndWrongOnesNamed) {
  EXPECT_EQ(provenance_from(nlohmann::json::object()).rounds, 0);
  const auto message = [](const nlohmann::json& json) -> std::string {
    try {
      provenance_from(json);
    } catch (const Error& e) {
      return e.what();
    }
    return "no error";
  };
  EXPECT_EQ(provenance_from(nlohmann::json::object()).spent.sum(), 0);
  EXPECT_THAT(message({{"spent", {{"fills", "many"}}}}), HasSubstr("run.json: spent: field 'fills'"));
  EXPECT_THAT(message({{"spent", {{"wait_parts", {{"own", "much"}}}}}}),
              HasSubstr("run.json: spent: wait_parts: field 'own'"));
  EXPECT_EQ(provenance_from({{"spent", {{"wait_microseconds", 9}}}}).spent.parts.sum(), 0) << "older runs";
  EXPECT_THAT(message({{"rounds", "many"}}), HasSubstr("run.json: field 'rounds'"));
  EXPECT_THAT(message({{"arithmetic", {{"fma_f32", "fast"}}}}), HasSubstr("arithmetic: field 'fma_f32'"));
  EXPECT_THAT(message({{"device", 1}}), HasSubstr("run.json: device: found number"));
  EXPECT_THAT(message({{"boards", {{{"problem", 1}}}}}), HasSubstr("boards[0]: field 'problem'"));
  EXPECT_THAT(message({{"order_seed", "0x1"}}), HasSubstr("'order_seed' is '0x1'"));
}

TEST(CommandLine, CanBeTypedAgainAndNamesNoFolder) {
  EXPECT_EQ(
      command_line({"/home/someone/podium/build/bin/podium", "run", "soft max", "--problems=/home/someone/p",
                    "it's", "--results", "/srv/private/results", "a/b.cu", ""}),
      "podium run 'soft max' --problems=p 'it'\\''s' --results results a/b.cu ''");
}

TEST(WithoutFolders, CutsAbsolutePathsOnly) {
  EXPECT_THAT(
      without_folders({"-O3", "-I/opt/x/include", "/usr/bin/g++", "-Wl,-rpath,/opt/lib:/opt/x/lib64",
                       "-DX=/a/b", "-Isrc/include", "-DY=1/2", "https://example.org/a", "/", "/a/b/"}),
      ElementsAre("-O3", "-Iinclude", "g++", "-Wl,-rpath,lib:lib64", "-DX=b", "-Isrc/include", "-DY=1/2",
                  "https://example.org/a", "", "b/"));
}

TEST(WithoutFolders, InSentences) {
  EXPECT_EQ(without_folders_in(
                "/a/b/rows.cpp needs kokkos, not found: see `/opt/k/` (/srv/x.log)\n/a/b/c.cu:12:3: error"),
            "rows.cpp needs kokkos, not found: see `k/` (x.log)\nc.cu:12:3: error");
  EXPECT_EQ(without_folders_in("opened '/proc/7/mem', /dev/shm/x; 1/2 of a/b at https://example.org/x/y"),
            "opened '/proc/7/mem', /dev/shm/x; 1/2 of a/b at https://example.org/x/y");
  EXPECT_EQ(without_folders_in(" two  spaces "), " two  spaces ");
  EXPECT_EQ(without_folders_in(""), "");
}

TEST(CpuModel, FromProc) {
  EXPECT_EQ(cpu_model("processor\t: 0\nvendor_id\t: x\nmodel\t\t: 106\nmodel name\t: AMD EPYC 9654\n"),
            "AMD EPYC 9654");
  EXPECT_EQ(cpu_model("processor : 0\nBogoMIPS : 50.00\n"), "unknown");
  EXPECT_EQ(cpu_model(""), "unknown");
}

TEST(KernelRelease, NamesNoHost) { EXPECT_THAT(kernel_release(), StartsWith("Linux ")); }

TEST(Sha256, OfThePublishedVector) {  // FIPS 180-2, appendix B.1
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Commit, OfARepositoryAndWithoutOne) {
  std::string pattern = std::filesystem::temp_directory_path() / "podium-commit'-XXXXXX";
  ASSERT_NE(mkdtemp(pattern.data()), nullptr);
  const std::filesystem::path folder = pattern;
  EXPECT_EQ(commit_of(folder, ""), "unknown");
  EXPECT_EQ(commit_of(folder, "built-in"), "built-in");
  const auto in_folder = [&](const std::string& command) {
    return std::system(("cd \"" + folder.string() + "\" && ( " + command + " ) >/dev/null 2>&1").c_str());
  };
  std::ofstream(folder / "a") << "1";
  if (in_folder("git init && git add a && git -c user.name=a -c user.email=a@b commit -m a") != 0)
    GTEST_SKIP() << "git is not installed";
  EXPECT_THAT(commit_of(folder, "built-in"), MatchesRegex("[0-9a-f]{12}"));
  EXPECT_EQ(commit_of(std::nullopt, "built-in"), "built-in");
  std::ofstream(folder / "a") << "2";
  EXPECT_THAT(commit_of(folder, "built-in"), MatchesRegex("[0-9a-f]{12}-dirty"));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace podium::record
