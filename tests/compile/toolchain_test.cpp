// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// toolchain.yaml as CMake writes it, and compilers that change under it.
#include "suite/compile/toolchain.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/stat.h>

#include "suite/base/error.hpp"
#include "suite/compile/subprocess.hpp"
#include "tests/compile/workshop.hpp"
#include "tests/paths.hpp"

namespace podium::compile {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* yaml_text = R"(podium: 1
sdk: ../../sdk
program: "program"
backends:
  host:
    compiler: "{0}/g++"
    version: "GCC (Debian) 12.2.0"
    stamp: "{1}"
    flags: ["-O2", "-DX=\"a b\""]
    program_compiler: bin/tool
    program_version: "GCC (Debian) 12.2.0"
    needs:
      openmp: {{ found: true, version: "", compile: ["-fopenmp"], link: [] }}
      tbb: {{ found: false, hint: "install libtbb-dev" }}
)";

class ToolchainFile : public testing::Test {
 protected:
  Toolchain read(const std::string& stamp = "1.1") {
    return read_toolchain(folder.write("build/x/toolchain.yaml",
                                       fmt::format(fmt::runtime(yaml_text), folder.path().string(), stamp)));
  }
  void compiler(const std::string& says) {
    folder.write("g++", "#!/bin/sh\necho '" + says + "'\n");
    fs::permissions(folder.path() / "g++", fs::perms::owner_all);
  }
  std::string stamp() {
    struct stat status{};
    ::stat((folder.path() / "g++").c_str(), &status);
    return fmt::format("{}.{}", status.st_size, status.st_mtim.tv_sec);
  }
  std::string mistake(const std::string& text) {
    try {
      read_toolchain(folder.write("t.yaml", text));
    } catch (const Error& e) {
      return e.what();
    }
    return "no mistake";
  }
  Folder folder;
};

TEST_F(ToolchainFile, IsRead) {
  const auto tools = read();
  EXPECT_EQ(tools.sdk, folder.path() / "sdk");  // relative to the file: the tree can be moved
  EXPECT_EQ(tools.program, folder.path() / "build/x/program");
  const auto& host = tools.backends.at("host");
  EXPECT_THAT(host.flags, ElementsAre("-O2", "-DX=\"a b\""));
  EXPECT_EQ(host.program_compiler, folder.path() / "build/x/bin/tool");
  EXPECT_TRUE(host.needs.at("openmp").found);
  EXPECT_FALSE(host.needs.at("tbb").found);
  EXPECT_EQ(host.needs.at("tbb").hint, "install libtbb-dev");
  EXPECT_EQ(host.version, "GCC (Debian) 12.2.0");  // its compiler is not here: what was recorded counts
}

TEST_F(ToolchainFile, ACompilerThatWasReplacedIsAskedAgain) {
  compiler("g++ (Debian) 13.1.0");
  EXPECT_EQ(read(stamp()).backends.at("host").version, "GCC (Debian) 12.2.0");  // unchanged: not asked
  const auto host = read("7.7").backends.at("host");
  EXPECT_EQ(host.version, "GCC (Debian) 13.1.0");
  EXPECT_EQ(host.program_version, "GCC (Debian) 13.1.0");
}

TEST_F(ToolchainFile, MistakesAreSentences) {
  EXPECT_THAT(mistake("podium: 1\nsdk: a\nprogram: b\nbackends: { host: { flgas: [] } }\n"),
              testing::AllOf(HasSubstr("t.yaml:4: flgas: unknown key"), HasSubstr("nearest: \"flags\"")));
  EXPECT_THAT(mistake("podium: 2\nsdk: a\nprogram: b\nbackends: { host: {} }\n"),
              HasSubstr("run cmake again"));
  EXPECT_THAT(mistake("podium: 1\n"), HasSubstr("run cmake again"));
  EXPECT_THAT(mistake("[\n"), HasSubstr("t.yaml"));
  EXPECT_THROW(read_toolchain(folder.path() / "gone.yaml"), Error);
}

TEST(Toolchain, OfThisBuildIsUpToDateAndComplete) {
  const fs::path file = fs::path(test::binary_dir()) / "toolchain.yaml";
  const auto tools = read_toolchain(file);
  EXPECT_TRUE(fs::exists(tools.sdk / "podium/podium.hpp"));
  EXPECT_TRUE(fs::exists(tools.program / "podium_program.hpp"));
  const auto recorded = text_of(file);
  for (const auto& [name, backend] : tools.backends) {
    EXPECT_TRUE(fs::exists(backend.compiler)) << name;
    EXPECT_THAT(recorded, HasSubstr(backend.stamp)) << name;  // CMake and Podium agree on what a stamp is
    EXPECT_TRUE(backend.needs.contains("kokkos")) << name;
    for (const auto& [need, what] : backend.needs)
      EXPECT_TRUE(what.found || !what.hint.empty()) << name << " " << need;
  }
  // ... and on what a version is: a wrong stamp has the compiler asked.
  Folder folder;
  auto text = recorded;
  const auto host = tools.backends.at("host");
  text.replace(text.find(host.stamp), host.stamp.size(), "1.1");
  EXPECT_EQ(read_toolchain(folder.write("toolchain.yaml", text)).backends.at("host").version, host.version);
}

TEST(Subprocess, PassesOutputVariablesAndStatusOn) {
  std::vector<std::string> lines;
  const int status =
      run_program({"/bin/sh", "-c", "echo $GREETING; echo b >&2; printf c; exit 3"}, {{"GREETING", "a"}},
                  [&](const std::string& line) { lines.push_back(line); });
  EXPECT_THAT(lines, ElementsAre("a", "b", "c"));
  EXPECT_EQ(status, 3);
  EXPECT_EQ(run_program({"/bin/sh", "-c", "kill -9 $$"}, {}, [](const std::string&) {}), 128 + 9);
  EXPECT_THROW(run_program({"/nowhere/cc"}, {}, [](const std::string&) {}), Error);
}

}  // namespace
}  // namespace podium::compile
