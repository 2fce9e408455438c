// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What a person sees of a run: on a terminal one line that changes and each board's table as soon as it is
// ranked; elsewhere few plain lines; and one page at the end.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "tests/end_to_end/command.hpp"
#include "tests/paths.hpp"

namespace podium::test {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

constexpr char problem[] = R"YAML(podium: 1
title: Copies
axes: [n]
types: { real: [f64, f32] }
tensors:
  x: { role: input, dtype: real, shape: [n], fill: { uniform: { low: 0, high: 1 } } }
  y: { role: output, dtype: real, shape: [n], tolerance: { ulp: 0 } }
reference:
  y: { index: [i], value: "x(i)" }
baseline: { host: loop }
workloads:
  test: [ { n: 5 } ]
  quick: [ { n: 1000 }, { n: 2000 } ]
  bench: [ { n: 4000 } ]
)YAML";
constexpr char loop[] = R"CPP(// podium: { title: Loop }
#include <podium/PROBLEM.hpp>
                              struct Contestant {
                                void run(const problem::Arguments& a, podium::Stream) {
                                  for (std::int64_t i = 0; i < a.n; ++i) a.y(i) = a.x(i);
                                }
                              };
)CPP";

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

class Page : public testing::Test {
 protected:
  Page() {
    for (const std::string name : {"first", "second"}) {
      scratch_.write("problems/" + name + "/problem.yaml", problem);
      scratch_.write("problems/" + name + "/loop.cpp", replaced(loop, "PROBLEM", name));
    }
  }

  std::vector<std::string> with_folders(std::vector<std::string> arguments) const {
    for (const auto& more : {std::string("--problems"), (scratch_.path() / "problems").string()})
      arguments.push_back(more);
    if (arguments[0] != "run") return arguments;
    for (const auto& more : {std::string("--results"), scratch_.results().string()})
      arguments.push_back(more);
    return arguments;
  }

  Scratch scratch_;
};

// What `podium` writes to a terminal of 100 columns, standard error included.
std::string on_terminal(const std::vector<std::string>& arguments) {
  const std::string program = programs_dir() + "/podium";
  winsize size{.ws_row = 40, .ws_col = 100, .ws_xpixel = 0, .ws_ypixel = 0};
  int terminal = -1;
  const pid_t pid = forkpty(&terminal, nullptr, nullptr, &size);
  if (pid == 0) {
    cpu_set_t one;  // so that few compilations are due together, on any machine
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    sched_setaffinity(0, sizeof one, &one);
    unsetenv("COLUMNS");
    setenv("PODIUM_CACHE", cache_dir().c_str(), 1);
    if (std::getenv("PODIUM_TEST_PROGRAMS")) setenv("PODIUM_TOOLCHAIN", toolchain().c_str(), 1);
    std::vector<std::string> words{program};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (auto& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    execv(program.c_str(), argv.data());
    _exit(127);
  }
  std::string all;
  char block[4096];
  for (ssize_t count; (count = read(terminal, block, sizeof block)) > 0;)
    all.append(block, static_cast<std::size_t>(count));
  close(terminal);
  int status = 0;
  waitpid(pid, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 0) << all;
  return all;
}

// The lines that stay: what the line that changes has shown was wiped before each of them.
std::vector<std::string> lines_that_stay(const std::string& all) {
  constexpr std::string_view wipe = "\r\033[K";
  std::vector<std::string> lines;
  std::istringstream in(all);
  for (std::string line; std::getline(in, line);) {
    if (line.ends_with('\r')) line.pop_back();
    const auto last = line.rfind(wipe);
    lines.push_back(last == std::string::npos ? line : line.substr(last + wipe.size()));
  }
  return lines;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const auto& line : lines) text += line + "\n";
  return text;
}

TEST_F(Page, OnATerminalTablesComeBoardByBoard) {
  // Its second problem's contestant has never been compiled.
  scratch_.write("problems/second/loop.cpp",
                 replaced(loop, "PROBLEM", "second") + "// " + std::to_string(std::random_device{}()) + "\n");
  const std::string all = on_terminal(with_folders({"run", "--device", "host"}));
  const auto first = all.find("first · f32 · quick"), building = all.find("done: second/f32/loop.cpp"),
             second = all.find("second · f32 · quick"), page = all.find("2 boards in ");
  ASSERT_NE(first, std::string::npos) << all;
  EXPECT_LT(first, building) << "the second problem is built after the first has its table\n" << all;
  EXPECT_LT(building, second) << all;
  EXPECT_LT(second, page) << all;

  const std::string stay = joined(lines_that_stay(all));
  EXPECT_EQ(stay.find('\033'), std::string::npos) << stay;
  EXPECT_EQ(stay.find('\r'), std::string::npos) << stay;
  EXPECT_THAT(stay, Not(HasSubstr("compiling, "))) << "progress is wiped";
  EXPECT_THAT(stay, Not(HasSubstr(" %] ")));
  EXPECT_THAT(all, HasSubstr("board 2 of 2: second/f32")) << "progress is shown";
}

TEST_F(Page, ElsewhereLinesArePlainAndFew) {
  const Ended ended = podium(with_folders({"run", "--device", "host"}));
  ASSERT_EQ(ended.status, 0) << ended.err;
  for (const std::string& text : {ended.out, ended.err})
    EXPECT_TRUE(std::ranges::none_of(text, [](unsigned char c) { return c < 0x20 && c != '\n'; })) << text;
  EXPECT_LE(std::ranges::count(ended.err, '\n'), 4) << "that it compiles, what is run, and a line a board\n"
                                                    << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("first · f32 · quick"));
  EXPECT_THAT(ended.out, Not(HasSubstr("n=1000 "))) << "times by workload stand in the report";
}

TEST_F(Page, SaysWhoWonWhereResultsLieAndWhatToTry) {
  const Ended ended = podium(with_folders({"run", "--device", "host"}));
  const auto page = ended.out.substr(std::min(ended.out.size(), ended.out.find("2 boards in ")));
  EXPECT_THAT(page, ContainsRegex("problem +types +winner +vs baseline"));
  EXPECT_THAT(page, ContainsRegex("first +f32 +loop +baseline"));
  EXPECT_THAT(page, ContainsRegex("second +f32 +loop +baseline"));
  const auto runs = scratch_.runs();
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_THAT(page, HasSubstr("results\n  " + runs[0].folder.string()));
  EXPECT_THAT(page, HasSubstr("try next\n  podium report " + runs[0].folder.string()));
  const std::string problems = " --problems " + (scratch_.path() / "problems").string();
  EXPECT_THAT(page, HasSubstr("\n  podium run first --full" + problems));
  EXPECT_THAT(page, HasSubstr("\n  podium new contestant first mine --kind cpp" + problems));
}

TEST_F(Page, DetailsStandInTheReportAndWithV) {
  const Ended verbose = podium(with_folders({"run", "first", "--device", "host", "-v"}));
  EXPECT_THAT(verbose.out, ContainsRegex("contestant +n=1000 +n=2000"));
  EXPECT_THAT(verbose.err, HasSubstr("first/f32  round 7/7"));
  EXPECT_THAT(verbose.err, ContainsRegex("podium: [0-9.]+ s: "));
  const Ended report = podium({"report", scratch_.runs().at(0).folder.string()});
  EXPECT_THAT(report.out, ContainsRegex("contestant +n=1000 +n=2000"));
  EXPECT_THAT(report.out, HasSubstr("an empty call takes"));
}

// Without a GPU, and without a word about what to run.
TEST_F(Page, TheDefaultIsOneChoiceOfTypesOfEachProblem) {
  const auto types_of = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--device", "host", "--rounds", "1", "--format", "json", "--quiet"});
    const Ended ended = podium(with_folders(arguments));
    EXPECT_EQ(ended.status, 0) << ended.err;
    std::vector<std::string> types;
    const auto json = nlohmann::json::parse(ended.out);
    for (const auto& board : json.at("boards")) types.push_back(board.at("types"));
    return types;
  };
  EXPECT_THAT(types_of({"run"}), testing::ElementsAre("f32", "f32"));
  EXPECT_THAT(types_of({"run", "first"}), testing::UnorderedElementsAre("f32", "f64")) << "it is named";
  EXPECT_THAT(types_of({"run", "--full"}), testing::SizeIs(4));
}

TEST_F(Page, OfAVerificationSaysHowEachBoardFared) {
  scratch_.write("problems/second/wrong.cpp",
                 replaced(replaced(loop, "PROBLEM", "second"), "a.x(i)", "a.x(i) + 1"));
  const Ended ended = podium(with_folders({"verify", "--device", "host", "--quiet"}));
  EXPECT_EQ(ended.status, 1) << ended.err;
  EXPECT_EQ(std::ranges::count(ended.err, '\n'), 1) << ended.err;
  const auto page = ended.out.substr(std::min(ended.out.size(), ended.out.find("4 boards: ")));
  EXPECT_THAT(page, HasSubstr("4 boards: 4 right, 2 failed, 0 not available here"));
  EXPECT_THAT(page, ContainsRegex("first +f32 +1 of 1"));
  EXPECT_THAT(page, ContainsRegex("second +f64 +1 of 2 +1"));
  EXPECT_THAT(page, ContainsRegex("failed\n(.*\n)?  second/f32 wrong: wrong: n=5: "));
  const std::string problems = " --problems " + (scratch_.path() / "problems").string();
  EXPECT_THAT(page, HasSubstr("try next\n  podium verify second --device host" + problems + " --contestant"));
  EXPECT_THAT(page, HasSubstr("\n  podium verify first --full" + problems));
  EXPECT_LT(ended.out.find("first/f32"), ended.out.find("second/f32")) << "rows come board by board";
}

// Whoever reads the tables may go.
TEST_F(Page, ARunOutlivesItsReader) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  close(ends[0]);
  const pid_t pid = fork();
  if (pid == 0) {
    dup2(ends[1], STDOUT_FILENO);
    signal(SIGPIPE, SIG_DFL);
    setenv("PODIUM_CACHE", cache_dir().c_str(), 1);
    if (std::getenv("PODIUM_TEST_PROGRAMS")) setenv("PODIUM_TOOLCHAIN", toolchain().c_str(), 1);
    std::vector<std::string> words = with_folders({"run", "--device", "host", "--rounds", "1", "--quiet"});
    words.insert(words.begin(), programs_dir() + "/podium");
    std::vector<char*> argv;
    for (auto& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    execv(argv[0], argv.data());
    _exit(127);
  }
  close(ends[1]);
  int status = 0;
  waitpid(pid, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  const auto runs = scratch_.runs();
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_EQ(runs[0].entries.back().problem, "second");
}

}  // namespace
}  // namespace podium::test
