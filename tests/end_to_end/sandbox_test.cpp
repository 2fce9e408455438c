// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The sandbox as a user meets it: rows in plain words, what is left afterwards, what doctor and records say.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "tests/end_to_end/command.hpp"

namespace podium::test {
namespace {

using testing::HasSubstr;
using testing::Not;

Ended verify(const fs::path& contestant, std::vector<std::string> more = {}) {
  std::vector<std::string> arguments{"verify", "sum",          "--device",
                                     "host",   "--contestant", contestant.string()};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return podium(arguments);
}

std::string contestant(const std::string& includes, const std::string& before, const std::string& run) {
  return "// podium: { title: A contestant }\n#include <podium/sum.hpp>\n" + includes + "\nnamespace {\n" +
         before +
         "\nstruct Contestant {\n  void run(const problem::Arguments& args, "
         "podium::Stream) {\n" +
         run +
         "\n    double sum = 0;\n    for (std::int64_t i = 0; i < args.n; ++i) sum += args.x.data[i];\n"
         "    args.y() = float(sum);\n  }\n};\n}  // namespace\n";
}

// Processes of that name, whoever's.
int named(const std::string& name) {
  int count = 0;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    std::string comm;
    std::getline(std::ifstream(entry.path() / "comm"), comm);
    count += comm == name;
  }
  return count;
}

struct Without {
  explicit Without(const char* names) { setenv("PODIUM_SANDBOX_WITHOUT", names, 1); }
  ~Without() { unsetenv("PODIUM_SANDBOX_WITHOUT"); }
};

TEST(Sandboxed, MemoryThatAChildTakesIsItsContestants) {
  const Scratch scratch;
  const auto file = scratch.write("bomb.cpp", contestant("#include <sys/mman.h>\n#include <unistd.h>", "", R"(
    if (fork() == 0)
      for (;;) {
        void* more = mmap(nullptr, 1 << 24, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (more != MAP_FAILED) std::memset(more, 1, 1 << 24);
      }
    for (;;) pause();)"));
  const auto ended = verify(file, {"--memory", "300"});
  EXPECT_EQ(ended.status, 1);
  EXPECT_THAT(ended.out, HasSubstr("out of memory"));
  EXPECT_THAT(ended.out, HasSubstr("more than 300 MiB of host memory"));
}

// Tensors of 192 MiB, which the judge has filled. Added up, those of a worker would count.
TEST(Sandboxed, TheJudgesMemoryIsNotItsContestants) {
  if (podium({"doctor"}).out.find("yes  memory group") == std::string::npos)
    GTEST_SKIP() << "podium may make no control groups here: `podium doctor` says why";
  const auto ended = podium({"verify", "vector_add", "--device", "host", "--contestant", "threads",
                             "--workload", "f32/n=4096", "--memory", "160"});
  EXPECT_EQ(ended.status, 0) << ended.out << ended.err;
}

TEST(Sandboxed, WhatAContestantLeavesBehindEnds) {
  const Scratch scratch;
  const std::string name = "left" + std::to_string(getpid());
  const auto file = scratch.write(
      "daemon.cpp", contestant("#include <signal.h>\n#include <sys/prctl.h>\n#include <unistd.h>", "", R"(
    static const bool once = [] {
      if (fork() == 0) {
        setsid();
        if (fork() != 0) _exit(0);
        setsid();
        prctl(PR_SET_NAME, ")" + name + R"(");
        for (int s = 1; s < NSIG; ++s) signal(s, SIG_IGN);
        for (;;) pause();
      }
      return true;
    }();
    static_cast<void>(once);)"));
  Command command({"verify", "sum", "--device", "host", "--contestant", file.string()});
  bool seen = false;
  while (command.running()) seen = named(name) > 0 || seen;
  EXPECT_EQ(command.wait().status, 0);
  EXPECT_TRUE(seen) << "there was none";
  EXPECT_EQ(named(name), 0);
}

TEST(Sandboxed, AFloodOfOutputHurtsNobody) {
  const Scratch scratch;
  const auto file = scratch.write("flood.cpp", contestant("#include <unistd.h>\n#include <vector>", "", R"(
    static const std::vector<char> block(1 << 20, 'x');
    for (int i = 0; i < 100; ++i)
      for (const int stream : {1, 2})
        if (write(stream, block.data(), block.size()) < 0) break;)"));
  const auto ended = verify(file);
  EXPECT_EQ(ended.status, 0) << ended.out;
  EXPECT_LT(ended.out.size() + ended.err.size(), std::size_t{100000});
}

// A just-in-time compiler in its own process, and one that it starts.
TEST(Sandboxed, AContestantMayCompileAndLoad) {
  const Scratch scratch;
  const auto file =
      scratch.write("jit.cpp", contestant("#include <dlfcn.h>\n#include <stdlib.h>\n#include <stdio.h>\n"
                                          "#include <string>\n#include <stdexcept>",
                                          "", R"(
    const std::string at = std::string(getenv("TMPDIR")) + "/jit";
    if (FILE* source = fopen((at + ".c").c_str(), "w")) {
      fputs("float one(void) { return 1; }\n", source);
      fclose(source);
    }
    if (system(("cc -shared -fPIC -o " + at + ".so " + at + ".c").c_str()) != 0)
      throw std::runtime_error("did not compile");
    void* const library = dlopen((at + ".so").c_str(), RTLD_NOW);
    const auto one = library ? reinterpret_cast<float (*)()>(dlsym(library, "one")) : nullptr;
    if (!one || one() != 1) throw std::runtime_error("did not load");)"));
  const auto ended = verify(file);
  EXPECT_EQ(ended.status, 0) << ended.out << ended.err;
}

TEST(Sandboxed, DoctorNamesWhatIsMissingAndWhy) {
  const auto whole = podium({"doctor"});
  EXPECT_EQ(whole.status, 0);
  for (const char* name : {"uid", "seccomp", "network namespace", "mount namespace", "landlock"})
    EXPECT_THAT(whole.out, HasSubstr(name));
  const Without without("seccomp,landlock");
  const auto less = podium({"doctor", "--require-sandbox"});
  EXPECT_EQ(less.status, 2);
  EXPECT_THAT(less.out,
              HasSubstr("no   seccomp            left out by PODIUM_SANDBOX_WITHOUT; no system call"));
  EXPECT_THAT(less.out, HasSubstr("no   landlock"));
  EXPECT_THAT(less.out, HasSubstr("results are unattested"));
}

TEST(Sandboxed, AMeansThatIsNoneIsSaid) {
  const Without without("secomp");
  const auto ended = podium({"doctor"});
  EXPECT_EQ(ended.status, 2);
  EXPECT_THAT(ended.err, HasSubstr("\"secomp\""));
  EXPECT_THAT(ended.err, HasSubstr("nearest: \"seccomp\""));
}

TEST(Sandboxed, RequiredItRefusesToRun) {
  const Scratch scratch;
  const Without without("seccomp");
  const auto ended = podium({"run", "sum", "--device", "host", "--quick", "--rounds", "1",
                             "--require-sandbox", "--results", scratch.results().string()});
  EXPECT_EQ(ended.status, 2);
  EXPECT_THAT(ended.err, HasSubstr("--require-sandbox: this machine does not grant"));
  EXPECT_THAT(ended.err, HasSubstr("seccomp (left out by PODIUM_SANDBOX_WITHOUT)"));
  EXPECT_TRUE(scratch.runs().empty());
}

TEST(Sandboxed, ARunRecordsWhatHeldAndTheTableSaysSo) {
  const Scratch scratch;
  const Without without("seccomp,landlock");
  const auto ended = podium({"run", "sum", "--device", "host", "--quick", "--rounds", "1", "--cold-only",
                             "--contestant", "serial", "--results", scratch.results().string()});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("unattested: contestants were not kept from the judge by "));
  EXPECT_THAT(ended.out, HasSubstr("seccomp (left out by"));
  const auto runs = scratch.runs();
  ASSERT_EQ(runs.size(), 1u);
  const auto& sandbox = runs[0].provenance.at("sandbox");
  EXPECT_EQ(std::count(sandbox.begin(), sandbox.end(), "seccomp"), 0);
  EXPECT_EQ(std::count(sandbox.begin(), sandbox.end(), "own scratch"), 1);
  const auto& missing = runs[0].provenance.at("sandbox_without");
  EXPECT_EQ(missing.at("landlock"), "left out by PODIUM_SANDBOX_WITHOUT");
  std::ifstream report(runs[0].folder / "report.md");
  const std::string text{std::istreambuf_iterator<char>(report), {}};
  EXPECT_THAT(text, HasSubstr("| attested | no: contestants were not kept from the judge by "));
}

}  // namespace
}  // namespace podium::test
