// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Contestants are found by suffix and metadata; every mistake is a sentence with file and line.
#include "suite/compile/contestant.hpp"

#include <gmock/gmock.h>

#include "suite/base/error.hpp"
#include "suite/compile/metadata.hpp"
#include "suite/problem/model/arch.hpp"
#include "tests/compile/workshop.hpp"

namespace podium::compile {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

class Discovery : public testing::Test {
 protected:
  Discovery() : problem(problem::parse("scale", scale_yaml, "problem.yaml")) {}

  std::vector<Contestant> found(const std::string& backend = "host") {
    return discover(problem, problem_files(folder.path()), backend);
  }
  std::string mistake(const std::string& backend = "host") {
    std::string all;
    for (const auto& c : found(backend))
      if (!c.fault.empty()) all += (all.empty() ? "" : "\n") + c.fault;
    return all.empty() ? "no mistake" : all;
  }
  // The mistake in one file with this metadata.
  std::string in(const std::string& metadata, const std::string& name = "a.cpp") {
    folder.write(name, metadata);
    return mistake();
  }
  std::vector<std::string> names(const std::string& backend) {
    std::vector<std::string> result;
    for (const auto& c : found(backend)) result.push_back(c.file.filename().string());
    return result;
  }

  Folder folder;
  problem::Problem problem;
};

TEST_F(Discovery, TheLongestSuffixDecidesTheKind) {
  for (const char* name : {"a.gpu.cpp", "b.cu", "c.hip", "d.cpp", "e.kokkos.cpp"})
    folder.write(name, "// podium:\n//   title: x\n");
  folder.write("problem.yaml", "podium: 1\n");
  folder.write("helper.cpp", "int f();\n");
  folder.write("helper.hpp", "// podium: { title: no contestant by its suffix }\n");
  folder.write(".hidden.cpp", "// podium:\n");
  fs::create_directory(folder.path() / "folder.cpp");
  EXPECT_THAT(names("host"), ElementsAre("a.gpu.cpp", "d.cpp", "e.kokkos.cpp"));
  EXPECT_THAT(names("cuda"), ElementsAre("a.gpu.cpp", "b.cu", "e.kokkos.cpp"));
  EXPECT_THAT(names("hip"), ElementsAre("a.gpu.cpp", "c.hip", "e.kokkos.cpp"));
  const auto all = found();
  EXPECT_EQ(all[0].name, "a");
  EXPECT_EQ(all[0].language->name, "portable");
  EXPECT_TRUE(emulated(all[0], "host"));
  EXPECT_FALSE(emulated(all[0], "cuda"));
  EXPECT_EQ(all[1].language->name, "native");
  EXPECT_FALSE(emulated(all[1], "host"));
  EXPECT_EQ(all[2].language->name, "kokkos");
}

TEST_F(Discovery, AllMetadataIsRead) {
  folder.write(
      "a.cu",
      "\xef\xbb\xbf// SPDX-License-Identifier: Apache-2.0\r\n/* more\n   words */\n\n"
      "// podium:\r\n//   title: \"Fast: very\"\r\n//   author: Ada   # who\r\n//   source: a paper\r\n"
      "//   types: { real: f32 }\n//   arch: sm_90a\n//   backends: [cuda]\n//   needs: [cublas, cub]\n"
      "//   when: n % 4 == 0\n//\n// no part of it is this: the block has ended\n\n");
  const auto mistakes = mistake("cuda");
  EXPECT_THAT(mistakes,
              HasSubstr("a.cu:15"));  // ... because comments that follow at once belong to the block
  folder.write(
      "a.cu",
      "/* one line */\n// podium:\n//   title: \"Fast: very\"\n//   author: Ada   # who\n//   source: a "
      "paper\n"
      "//   types: { real: f32 }\n//   arch: sm_90a\n//   backends: [cuda]\n//   needs: [cublas, cub]\n"
      "//   when: n % 4 == 0\n\n// prose: not YAML: at all\n#include <x>\n");
  const auto c = found("cuda").at(0);
  EXPECT_EQ(c.problem, "scale");
  EXPECT_EQ(c.title, "Fast: very");
  EXPECT_EQ(c.author, "Ada");
  EXPECT_EQ(c.source, "a paper");
  EXPECT_THAT(c.types, ElementsAre(Pair("real", ElementsAre("f32"))));
  EXPECT_EQ(c.arch, "sm_90a");
  EXPECT_THAT(c.backends, ElementsAre("cuda"));
  EXPECT_THAT(c.needs, ElementsAre("cublas", "cub"));
  EXPECT_EQ(c.when.text, "n % 4 == 0");
  EXPECT_EQ(c.when.at.line, 10);
  EXPECT_TRUE(serves(c, problem.choices[0]));
  EXPECT_FALSE(serves(c, problem.choices[1]));
}

TEST_F(Discovery, OneLineIsEnough) {
  folder.write("a.cpp", "// podium: { title: \"All on one line\", types: { real: [f64] } }\n");
  EXPECT_EQ(found().at(0).title, "All on one line");
  folder.write("a.cpp", "// podium:\n#include <x>\n");
  EXPECT_EQ(found().at(0).title, "");
  EXPECT_TRUE(serves(found().at(0), problem.choices[1]));
}

TEST_F(Discovery, MistakesNameFileLineAndTheNearestName) {
  EXPECT_THAT(in("\n// podium:\n//   titel: x\n"),
              testing::AllOf(HasSubstr("a.cpp:3: titel: unknown key"), HasSubstr("nearest: \"title\"")));
  EXPECT_THAT(in("// podium:\n//   types: { rael: [f32] }\n"),
              testing::AllOf(HasSubstr("a.cpp:2"), HasSubstr("real")));
  EXPECT_THAT(in("// podium:\n//   types: { real: [f32, f46] }\n"),
              testing::AllOf(HasSubstr("a.cpp:2: types.real"), HasSubstr("\"f64\"")));
  EXPECT_THAT(in("// podium:\n//   types: [f32]\n"), HasSubstr("a.cpp:2: types: expected a map"));
  EXPECT_THAT(in("// podium:\n//   types: { real: [] }\n"),
              HasSubstr("a.cpp:2: real: expected a name or a list"));
  EXPECT_THAT(in("// podium:\n//   arch: sm90\n"), HasSubstr("a.cpp:2: arch: found 'sm90'"));
  EXPECT_THAT(in("// podium:\n//   backends: [cuda]\n"), HasSubstr("a.cpp:2: backends"));
  EXPECT_THAT(in("// podium:\n//   needs: [openmp, openmp]\n"),
              HasSubstr("a.cpp:2: needs: found 'openmp' twice"));
  EXPECT_THAT(in("// podium:\n//   title: a\n//   title: b\n"), HasSubstr("a.cpp:3"));
  EXPECT_THAT(in("// podium:\n//   title: a: b\n"), HasSubstr("a.cpp:2"));
  EXPECT_THAT(in("// podium:\n//   title: [a]\n"), HasSubstr("a.cpp:2: title: expected one line"));
  EXPECT_THAT(in("// podium:\n// title: x\n"), HasSubstr("a.cpp:2: title: found beside `podium`"));
  EXPECT_THAT(in("\n// podium:# x\n"), HasSubstr("a.cpp:2: podium: found no such key, expected `podium: {`"));
  EXPECT_THAT(in("// podium:\n//   backends: \"ho\\nst\"\n"),
              HasSubstr("a.cpp:2: backends: found \"ho st\""));
  EXPECT_THAT(in("// podium:{ title: x }\n"), HasSubstr("a.cpp:1: "));
  EXPECT_THAT(in("// podium:\n//   title:\n\nint x;\n"), HasSubstr("a.cpp:2: title: expected one line"));
  EXPECT_THAT(in("// podium:\n//   title: &a x\n"), HasSubstr("a.cpp:2"));
  EXPECT_THAT(in("// podium:\n//   title: " + std::string(20000, '[') + "\n"), HasSubstr("a.cpp:2"));
  EXPECT_THAT(in("// podium:\n//   title: \xff\n"), HasSubstr("a.cpp:2"));
  EXPECT_THAT(in("// podium:\n\n// podium:\n"), HasSubstr("a.cpp:3: found a second"));
  EXPECT_THAT(in("#include <x>\n// podium:\n//   title: late\n"),
              HasSubstr("a.cpp:2: found the `podium:` block after"));
}

TEST_F(Discovery, EveryMistakeOfEveryFileIsTold) {
  folder.write("a.cpp", "// podium:\n//   x: 1\n//   arch: z\n");
  folder.write("b.cpp", "// podium:\n//   y: 1\n");
  const auto text = mistake();
  EXPECT_THAT(text, HasSubstr("a.cpp:2"));
  EXPECT_THAT(text, HasSubstr("a.cpp:3"));
  EXPECT_THAT(text, HasSubstr("b.cpp:2"));
}

TEST_F(Discovery, AMisspeltKindIsADotInTheName) {
  EXPECT_THAT(in("// podium:\n", "a.kokos.cpp"),
              HasSubstr("a.kokos.cpp: found the contestant's name 'a.kokos'"));
}

TEST_F(Discovery, OneNameTwiceForABackendAndTypesIsAMistake) {
  folder.write("a.cu", "// podium:\n");
  folder.write("a.hip", "// podium:\n");
  folder.write("a.cpp", "// podium:\n");
  EXPECT_EQ(mistake("cuda"), "no mistake");
  folder.write("a.gpu.cpp", "// podium:\n");
  EXPECT_THAT(mistake("cuda"), testing::AllOf(HasSubstr("a.gpu.cpp: 'a' is also the name of"),
                                              HasSubstr("a.cu"), HasSubstr("on cuda with types f32")));
  folder.write("a.cu", "// podium:\n//   types: { real: [f32] }\n");
  folder.write("a.gpu.cpp", "// podium:\n//   types: { real: [f64] }\n//   backends: [cuda, hip]\n");
  EXPECT_EQ(mistake("cuda"), "no mistake");
  EXPECT_EQ(mistake("host"), "no mistake");
  EXPECT_NE(mistake("hip"), "no mistake");  // a.hip serves all types
}

// Whoever hands in a file cannot take another's name, nor its row.
TEST_F(Discovery, OfTwoWithOneNameThatBesideItsProblemKeepsIt) {
  const Folder elsewhere;
  problem.file = folder.write("problem.yaml", scale_yaml);
  const auto home = folder.write("a.cpp", "// podium:\n"), foreign = elsewhere.write("a.cpp", "// podium:\n");
  const auto both = discover(problem, {foreign, home}, "host");
  ASSERT_EQ(both.size(), 2u);
  EXPECT_EQ(both[0].name, "a");
  EXPECT_EQ(both[0].file, home);
  EXPECT_EQ(both[0].fault, "");
  EXPECT_EQ(both[1].name, "a.cpp");
  EXPECT_THAT(both[1].fault, HasSubstr("'a' is also the name of " + home.string()));
}

TEST_F(Discovery, AFileThatIsWrongCostsNoOther) {
  problem.file = folder.write("problem.yaml", scale_yaml);
  folder.write("a.cpp", "// podium:\n");
  folder.write("a.gpu.cpp", "// podium: { titel: x }\n");
  folder.write("b.cpp", "// podium: { titel: x }\n");
  folder.write("c.cpp", "// podium: { title: \"\xff\" }\n");
  fs::create_symlink("/nowhere/at/all", folder.path() / "d.cpp");
  fs::create_symlink("e.cpp", folder.path() / "e.cpp");
  std::vector<std::string> names;
  for (const auto& c : found()) {
    names.push_back(c.name);
    EXPECT_EQ(c.fault.empty(), c.name == "a") << c.name << ": " << c.fault;
  }
  EXPECT_THAT(names, ElementsAre("a", "a.gpu.cpp", "b", "c", "d", "e"));
}

TEST_F(Discovery, PythonNamesItsFramework) {
  folder.write("a.py", "# podium: { title: x }\n");
  folder.write("b.py", "# podium: { framework: torch }\n");
  folder.write("helper.py", "import os\n");
  const auto all = found();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].framework, "numpy");
  EXPECT_EQ(all[1].framework, "torch");
  folder.write("b.py", "# podium: { framework: numyp }\n");
  EXPECT_THAT(found().at(1).fault, HasSubstr("b.py:1: framework: found \"numyp\", expected one of numpy"));
  folder.write("b.py", "import os\n");
  folder.write("a.py", "import os\n");
  folder.write("c.cpp", "// podium: { framework: numpy }\n");
  EXPECT_THAT(found().at(0).fault, HasSubstr("framework: unknown key"));
}

// Files of the problem's own are no contestants, whatever they say; all others are, with or without metadata.
TEST_F(Discovery, BesideAnAdapterPythonNeedsNoMetadata) {
  for (const char* name : {"reference.py", "adapter.py", "task.py", "plain.py"})
    folder.write(name, "def f(x): return x\n");
  folder.write("helper.cpp", "int f();\n");
  folder.write("named.py", "# podium: { title: Named, framework: numba }\n");
  folder.write("utils.py", "# podium: { title: x }\n");
  EXPECT_THAT(names("host"), ElementsAre("named.py", "utils.py"));
  problem.file = folder.path() / "problem.yaml";
  problem.python = problem::PythonFile{"reference.py", "torch", {"utils.py"}, {}};
  EXPECT_THAT(names("host"), ElementsAre("named.py"));
  problem.adapter = problem::PythonFile{"adapter.py", "torch", {"task.py"}, {}};
  EXPECT_THAT(names("host"), ElementsAre("named.py", "plain.py"));
  EXPECT_THAT(names("cuda"), ElementsAre("plain.py"));
  const auto all = found();
  EXPECT_EQ(all[0].framework, "numba");
  EXPECT_EQ(all[1].framework, "torch");
  EXPECT_EQ(all[1].title, "plain.py");
  EXPECT_EQ(all[1].name, "plain");
}

TEST_F(Discovery, PythonRunsWhereItsFrameworkHasArrays) {
  const auto of = [&](const std::string& metadata) {
    folder.write("a.py", "# podium: { " + metadata + " }\n");
    for (const auto& backend : {"host", "cuda"}) {
      const auto there = found(backend);
      if (!there.empty() && !there[0].fault.empty()) return there[0].fault;
    }
    return std::string(found("host").empty() ? "" : "host ") + (found("cuda").empty() ? "" : "cuda");
  };
  EXPECT_EQ(of("title: x"), "host ");
  EXPECT_EQ(of("framework: torch"), "host cuda");
  EXPECT_EQ(of("framework: torch, backends: [cuda]"), "cuda");
  EXPECT_EQ(of("backends: [cuda], framework: torch"), "cuda");
  EXPECT_EQ(of("framework: cupy"), "cuda");
  EXPECT_THAT(
      of("framework: cupy, backends: [host]"),
      HasSubstr("a.py:1: backends: found \"host\", expected cuda, where arrays of `framework: cupy` lie"));
  EXPECT_THAT(of("backends: [host, cuda]"), HasSubstr("found \"cuda\", expected host, where"));
  EXPECT_THAT(of("backends: [hip]"),
              HasSubstr("found \"hip\", expected one of host, cuda, which are those of this file's suffix"));
}

TEST_F(Discovery, WhatCannotBeReadIsASentence) {
  folder.write("a.cpp", std::string(17 << 20, 'x'));
  EXPECT_THAT(mistake(), HasSubstr("a.cpp: found more than 16 MiB"));
  folder.write("a.cpp", std::string("\0\1\2\xff// podium:\n", 15));
  EXPECT_TRUE(found().empty());  // binary garbage has no block in its opening comments
  EXPECT_THAT(discover(problem, {folder.path() / "gone.cpp"}, "host").at(0).fault,
              HasSubstr("gone.cpp: cannot be read: No such file"));
  EXPECT_THROW(problem_files(folder.path() / "gone"), Error);
}

TEST(Arch, AdmitsDevicesAndChoosesCode) {
  EXPECT_EQ(problem::code_for("", "cuda", "sm_90"), "sm_90");
  EXPECT_EQ(problem::code_for("sm_90a", "cuda", "sm_90"), "sm_90a");
  EXPECT_EQ(problem::code_for("sm_90a", "cuda", "sm_100"), std::nullopt);
  EXPECT_EQ(problem::code_for("sm_80", "cuda", "sm_89"), "sm_80");
  EXPECT_EQ(problem::code_for("sm_80", "cuda", "sm_90"), std::nullopt);
  EXPECT_EQ(problem::code_for("sm_80+", "cuda", "sm_90"), "sm_90");
  EXPECT_EQ(problem::code_for("sm_80+", "cuda", "sm_75"), std::nullopt);
  EXPECT_EQ(problem::code_for("sm_100f", "cuda", "sm_103"), "sm_100f");
  EXPECT_EQ(problem::code_for("sm_100f", "cuda", "sm_120"), std::nullopt);
  EXPECT_EQ(problem::code_for("sm_90a", "hip", "gfx942"), "gfx942");
  EXPECT_EQ(problem::code_for("gfx942", "hip", "gfx942:sramecc+:xnack-"), "gfx942");
  EXPECT_EQ(problem::code_for("gfx942", "hip", "gfx90a"), std::nullopt);
  EXPECT_EQ(problem::code_for("sm_90a", "host", ""), "");
  EXPECT_EQ(problem::code_for("gfx90a gfx942", "hip", "gfx942:xnack-"), "gfx942");
  EXPECT_EQ(problem::code_for("gfx90a gfx942", "hip", "gfx1100"), std::nullopt);
  EXPECT_EQ(problem::code_for("sm_100f sm_90a", "cuda", "sm_90"), "sm_90a");
  EXPECT_EQ(problem::code_for("sm_90a gfx942", "cuda", "sm_80"), std::nullopt);
  EXPECT_EQ(problem::code_for("sm_90a gfx942", "hip", "gfx90a"), std::nullopt);
  EXPECT_EQ(problem::code_for("sm_90a sm_80", "hip", "gfx90a"), "gfx90a") << "says nothing about the other's";
  for (const char* wrong : {"sm_9", "sm90", "sm_90b", "gfx", "90", "gfx942+"})
    EXPECT_NE(problem::arch_mistake(wrong), "") << wrong;
  for (const char* right : {"sm_75", "sm_90a", "sm_80+", "sm_103f", "sm_120a", "gfx90a", "gfx1201"})
    EXPECT_EQ(problem::arch_mistake(right), "") << right;
}

}  // namespace
}  // namespace podium::compile
