// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Every kind of bad input ends with exit status 2 and a sentence that names the place.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>

#include "tests/end_to_end/command.hpp"
#include "tests/processor_time.hpp"

namespace podium::test {
namespace {

constexpr char sound[] = R"YAML(podium: 1
title: Copy
axes: [n]
types: { real: [f32] }
tensors:
  x: { role: input, dtype: real, shape: [n], fill: { normal: { mean: 0, stddev: 1 } } }
  y: { role: output, dtype: real, shape: [n], tolerance: { ulp: 0 } }
reference:
  y: { index: [i], value: "x(i)" }
workloads:
  test: [ { n: 5 } ]
  quick: [ { n: 1000 } ]
)YAML";

std::string with(std::string from, std::string to) {
  std::string text = sound;
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

struct Case {
  const char* name;
  std::string text;
  std::vector<std::string> says;  // all of these stand in the sentence
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

std::vector<Case> cases() {
  std::string deep = "podium: 1\naxes: ", bomb = "podium: 1\na: &a [x, x, x, x, x, x, x, x, x]\n";
  deep += std::string(10000, '[') + std::string(10000, ']');
  for (char c = 'b'; c < 'j'; ++c) {
    bomb += std::string(1, c) + ": &" + c + " [";
    for (int i = 0; i < 9; ++i) bomb += std::string(i ? ", " : "") + "*" + static_cast<char>(c - 1);
    bomb += "]\n";
  }
  std::string garbage;
  for (int i = 0; i < 4096; ++i) garbage += static_cast<char>(i * 131 + i / 7);
  return {
      {"unknown_key", with("axes:", "axis:"), {"problem.yaml:3", "axis", "axes"}},
      {"unknown_dtype", with("[f32]", "[f33]"), {"problem.yaml:4", "f33", "f32"}},
      {"cyclic_formula", with("axes: [n]", "axes: { n: ~, a: b + 1, b: a + 1 }"), {"problem.yaml:3"}},
      {"negative_shape", with("shape: [n], fill", "shape: [n - 10], fill"), {"problem.yaml:6", "-5"}},
      {"overflowing_shape",
       with("shape: [n], fill", "shape: [n * 1000000000 * 1000000000], fill"),
       {"problem.yaml:6"}},
      {"reference_does_not_compile", with("x(i)", "x(i) +* 2"), {"problem.yaml:9"}},
      {"unknown_name_in_reference", with("x(i)", "xx(i)"), {"problem.yaml:9", "xx"}},
      {"output_without_reference",
       with("  y: { index: [i], value: \"x(i)\" }\n", "  z: { index: { i: n }, value: \"x(i)\" }\n"),
       {"problem.yaml:7", "y"}},
      {"index_out_of_range", with("x(i)", "x(i + 3)"), {"problem.yaml:9", "x", "[5]"}},
      {"duplicate_names", with("axes: [n]", "axes: [n, x]"), {"x"}},
      {"duplicate_keys", with("title: Copy\n", "title: Copy\ntitle: Again\n"), {"problem.yaml:3", "title"}},
      {"ten_thousand_deep", deep, {"problem.yaml:2", "64"}},
      {"alias_bomb", bomb, {"problem.yaml:2"}},
      {"huge_file", std::string(std::size_t{3} << 20, '#'), {"1048576"}},
      {"binary_garbage", garbage, {"problem.yaml"}},
      {"empty_file", "", {"problem.yaml"}},
  };
}

struct BadInput : testing::TestWithParam<Case> {};

TEST_P(BadInput, EndsWithASentenceAndStatusTwo) {
  const Scratch scratch;
  const auto file = scratch.write("problems/copy/problem.yaml", GetParam().text);
  scratch.write("problems/copy/loop.cpp",
                "// podium: { title: Loop }\n#include <podium/copy.hpp>\nstruct Contestant { void run(const "
                "problem::Arguments& a, "
                "podium::Stream) { for (std::int64_t i = 0; i < a.n; ++i) a.y(i) = a.x(i); } };\n");
  const auto before = processor_time_of_children();
  const auto checked = podium({"check", file.string()});
  EXPECT_LT(processor_time_of_children() - before, std::chrono::seconds(10));
  EXPECT_EQ(checked.status, 2) << checked.out << checked.err;
  for (const auto& part : GetParam().says)
    EXPECT_NE(checked.err.find(part), std::string::npos) << "no \"" << part << "\" in: " << checked.err;
  EXPECT_LT(checked.err.size(), 2000u) << checked.err;
  const auto ran = podium({"run", "--device", "host", "--rounds", "1", "--problems",
                           (scratch.path() / "problems").string(), "--results", scratch.results().string()});
  EXPECT_EQ(ran.status, 2) << ran.out << ran.err;
}
INSTANTIATE_TEST_SUITE_P(Files, BadInput, testing::ValuesIn(cases()),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(BadInput, TheSoundFileIsSound) {  // the cases above fail for what was changed, not for what was not
  const Scratch scratch;
  const auto file = scratch.write("problems/copy/problem.yaml", sound);
  const auto checked = podium({"check", file.string()});
  EXPECT_EQ(checked.status, 0) << checked.err;
}

TEST(BadInput, OfACommandNamesTheCommands) {
  const auto ended = podium({"verfy"});
  EXPECT_EQ(ended.status, 2);
  EXPECT_EQ(ended.out, "");
  EXPECT_EQ(ended.err.find("podium: command: found \"verfy\", expected one of "), 0u) << ended.err;
  EXPECT_NE(ended.err.find(" verify, "), std::string::npos) << ended.err;
  EXPECT_NE(ended.err.find("(nearest: \"verify\")\n"), std::string::npos) << ended.err;
  EXPECT_EQ(podium({"bogus"}).err.find("nearest"), std::string::npos);
}

constexpr char loop[] = R"c(#include <podium/copy.hpp>
struct Contestant {
  void run(const problem::Arguments& a, podium::Stream) {
    for (std::int64_t i = 0; i < a.n; ++i) a.y(i) = a.x(i);
  }
};
)c";

// Whoever hands in such a file spoils nobody's run.
TEST(BadInput, OfAContestantCostsItsRow) {
  const Scratch scratch;
  scratch.write("problems/copy/problem.yaml", sound + std::string("baseline: { host: loop }\n"));
  scratch.write("problems/copy/loop.cpp", std::string("// podium: { title: Loop }\n") + loop);
  scratch.write("problems/copy/misspelt.cpp", std::string("// podium: { titel: Loop }\n") + loop);
  scratch.write("problems/copy/latin.cpp", std::string("// podium: { title: \"\xe9\" }\n") + loop);
  scratch.write("problems/copy/asks.cpp",
                std::string("// podium: { title: Loop, when: 'columns > 1' }\n") + loop);
  scratch.write("problems/copy/twice.cpp", std::string("// podium: { title: Loop }\n") + loop);
  scratch.write("problems/copy/twice.gpu.cpp", "// podium: { title: Loop }\n");
  fs::create_symlink("/nowhere/at/all", scratch.path() / "problems/copy/nowhere.cpp");
  fs::create_symlink("itself.cpp", scratch.path() / "problems/copy/itself.cpp");
  fs::create_directory(scratch.path() / "problems/copy/folder.cpp");
  const auto ran = podium({"run", "--device", "host", "--rounds", "1", "--problems",
                           (scratch.path() / "problems").string(), "--results", scratch.results().string()});
  EXPECT_EQ(ran.status, 1) << ran.out << ran.err;
  const auto runs = scratch.runs();
  ASSERT_EQ(runs.size(), 1u) << ran.err;
  EXPECT_NE(find(runs[0], "loop", "right"), nullptr) << ran.out;
  const std::pair<const char*, const char*> bad[] = {{"misspelt", "misspelt.cpp:1: titel: unknown key"},
                                                     {"latin", "latin.cpp:1: found the byte 0xe9"},
                                                     {"asks", "asks.cpp:1: "},
                                                     {"twice.cpp", "'twice' is also the name of"},
                                                     {"twice.gpu.cpp", "'twice' is also the name of"},
                                                     {"nowhere", "nowhere.cpp: cannot be read"},
                                                     {"itself", "itself.cpp: cannot be read"}};
  for (const auto& [name, says] : bad) {
    const auto* row = find(runs[0], name, "bad file");
    ASSERT_NE(row, nullptr) << name << '\n' << ran.out << ran.err;
    EXPECT_NE(row->text.find(says), std::string::npos) << row->text;
  }
  const auto chosen = podium({"verify", "copy", "--device", "host", "--contestant", "loop", "--problems",
                              (scratch.path() / "problems").string()});
  EXPECT_EQ(chosen.status, 0) << chosen.out << chosen.err;
}

TEST(BadInput, OfAProblemCostsThatProblem) {
  const Scratch scratch;
  scratch.write("problems/copy/problem.yaml", sound);
  scratch.write("problems/copy/loop.cpp", std::string("// podium: { title: Loop }\n") + loop);
  for (const auto& [name, text] : {std::pair("a_misspelt", with("axes:", "axis:")),
                                   std::pair("b_does_not_compile", with("x(i)", "x(i) +* 2"))}) {
    scratch.write(fs::path("problems") / name / "problem.yaml", text);
    scratch.write(fs::path("problems") / name / "loop.cpp", "// podium: { title: Loop }\n");
  }
  const auto ran = podium({"run", "--device", "host", "--rounds", "1", "--problems",
                           (scratch.path() / "problems").string(), "--results", scratch.results().string()});
  EXPECT_EQ(ran.status, 2) << ran.out << ran.err;
  EXPECT_NE(ran.err.find("a_misspelt/problem.yaml:3: "), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("b_does_not_compile/problem.yaml:9: "), std::string::npos) << ran.err;
  const auto runs = scratch.runs();
  ASSERT_EQ(runs.size(), 1u) << ran.err;
  EXPECT_NE(find(runs[0], "loop", "right"), nullptr) << ran.out;
}

TEST(BadInput, UnreadableFile) {
  const Scratch scratch;
  const auto checked = podium({"check", (scratch.path() / "nothing/problem.yaml").string()});
  EXPECT_EQ(checked.status, 2);
  EXPECT_NE(checked.err.find("nothing/problem.yaml"), std::string::npos) << checked.err;
}

TEST(BadInput, WrongUsage) {
  EXPECT_EQ(podium({"run", "--no-such-flag"}).status, 2);
  EXPECT_EQ(podium({"dance"}).status, 2);
  const auto problem = podium({"run", "softmx"});
  EXPECT_EQ(problem.status, 2);
  EXPECT_NE(problem.err.find("softmax"), std::string::npos) << problem.err;
  const auto contestant = podium({"run", "sum", "--device", "host", "--contestant", "thread"});
  EXPECT_EQ(contestant.status, 2);
  EXPECT_NE(contestant.err.find("threads"), std::string::npos) << contestant.err;
  const auto device = podium({"run", "--device", "cuda:seven"});
  EXPECT_EQ(device.status, 2) << device.err;
  EXPECT_EQ(podium({"run", "--device", "abacus"}).status, 2);
}

TEST(BadInput, ADeviceThatIsNotThereIsStatusThree) {
  EXPECT_EQ(podium({"calibrate", "--device", "host:99"}).status, 3);
}

}  // namespace
}  // namespace podium::test
