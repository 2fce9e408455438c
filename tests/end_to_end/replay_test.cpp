// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// `podium verify --seed S --call N`: the command at the end of a row makes the call again that it is about.
#include <gtest/gtest.h>

#include <sstream>

#include "tests/end_to_end/command.hpp"
#include "tests/paths.hpp"

namespace podium::test {
namespace {

const fs::path cheats = fs::path(source_dir()) / "tests/cheats";

std::vector<std::string> words(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> all;
  for (std::string word; in >> word;) all.push_back(word);
  return all;
}

// The command that a row's text, or the line behind a row, ends in, without "podium".
std::vector<std::string> again(const std::string& text) {
  const std::string mark = "again: podium ";
  const auto at = text.find(mark);
  return at == std::string::npos ? std::vector<std::string>{} : words(text.substr(at + mark.size()));
}

// What is said about the call, without the command.
std::string evidence(const std::string& row) {
  const std::string last = " wrong";  // "1 of 9 verified elements wrong"
  const auto begin = row.find("c["), end = row.find(last, begin);
  return begin == std::string::npos || end == std::string::npos
             ? "none in: " + row
             : row.substr(begin, end + last.size() - begin);
}

std::vector<std::string> with(std::vector<std::string> command, const std::string& option,
                              const std::string& value) {
  for (std::size_t k = 0; k + 1 < command.size(); ++k)
    if (command[k] == option) command[k + 1] = value;
  return command;
}

// Wrong for half of all contents: it fails again with the seed of the row, to the last digit, and
// passes with some other.
TEST(Replay, MakesACallAgainThatIsWrongForItsContentsAlone) {
  const auto first = podium({"verify", "vector_add", "--device", device(), "--quiet", "--contestant",
                             (cheats / "vector_add/certain_contents.gpu.cpp").string()});
  ASSERT_EQ(first.status, 1) << first.out << first.err;
  std::istringstream rows(first.out);
  int repeated = 0;
  for (std::string row, next; std::getline(rows, row) && !row.empty() && std::getline(rows, next);) {
    const auto command = again(next);
    ASSERT_FALSE(command.empty()) << row << '\n' << next;
    for (int time = 0; time < 2; ++time) {
      const auto second = podium(command);
      EXPECT_EQ(second.status, 1) << second.err;
      EXPECT_EQ(evidence(second.out), evidence(row));
    }
    int passed = 0;
    for (int seed = 1; seed <= 30 && passed == 0; ++seed)
      passed += podium(with(command, "--seed", std::to_string(seed))).status == 0;
    EXPECT_GT(passed, 0) << "fails with every seed: " << next;
    ++repeated;
  }
  EXPECT_EQ(repeated, 2) << first.out;  // f16 and f32
}

// A file that is wrong from its fifth call on: native on the CPU, where kernels are not timed.
fs::path wrong_from_its_fifth(const Scratch& scratch) {
  const std::string head = R"(// podium: { title: Wrong from its fifth call on, types: { real: [f32] } }
#include <podium/vector_add.hpp>
namespace {
)",
                    native = R"(
void add(const problem::Arguments& args, float more, podium::Stream) {
  for (std::int64_t i = 0; i < args.c.size(); ++i) args.c.data[i] = args.a.data[i] + args.b.data[i] + more;
})",
                    kernel = R"(
__global__ void element(problem::Arguments args, float more) {
  const std::int64_t i = blockIdx.x * std::int64_t(256) + threadIdx.x;
  if (i < args.n * args.n) args.c.data[i] = args.a.data[i] + args.b.data[i] + more;
}
void add(const problem::Arguments& args, float more, podium::Stream stream) {
  if (args.c.size() == 0) return;
  podium::launch(element, dim3(unsigned(podium::ceil_div(args.c.size(), 256))), dim3(256), 0, stream, args, more);
})",
                    rest = R"(
struct Contestant {
  int calls = 0;
  void run(const problem::Arguments& args, podium::Stream stream) {
    add(args, args.n == 1024 && ++calls > 4 ? 1.0f : 0.0f, stream);
  }
};
}  // namespace
)";
  return device() == "host" ? scratch.write("fifth.cpp", head + native + rest)
                            : scratch.write("fifth.gpu.cpp", head + kernel + rest);
}

// Of a run, on a workload that is verified by a sample; right for the first calls of an instance, so that
// those before it have to be made, too.
TEST(Replay, MakesTheCallsBeforeIt) {
  const Scratch scratch;
  const auto file = wrong_from_its_fifth(scratch);
  const auto ended = podium({"run", "vector_add", "--device", device(), "--quick", "--rounds", "1",
                             "--results", scratch.results().string(), "--contestant", file.string()});
  const auto runs = scratch.runs();
  ASSERT_EQ(runs.size(), 1u) << ended.err;
  const auto* failed = find(runs[0], "fifth", "wrong");
  ASSERT_NE(failed, nullptr) << ended.out;
  auto command = with(again(failed->text), "--contestant", file.string());
  ASSERT_FALSE(command.empty()) << failed->text;
  const auto second = podium(command);
  EXPECT_EQ(second.status, 1) << second.err;
  EXPECT_EQ(evidence(second.out), evidence(failed->text));
  EXPECT_EQ(podium(with(command, "--call", "0")).status, 0) << "it is right in its first call";
}

// Of several calls behind one gate the last has the seed that was named. The contestant is wrong there alone:
// from its fifth call on, of which there are one to warm up and two before the gate, and for the contents of
// that call, which another that throws has told.
TEST(Replay, MakesTheLastOfSeveralCallsBehindOneGate) {
  const Scratch scratch;
  const std::string head = R"(// podium: { title: Of one call, types: { real: [f32] } }
#include <podium/vector_add.hpp>
#include <cstring>
#include <stdexcept>
#include <string>
namespace {
struct Contestant {
  int calls = 0;
  void run(const problem::Arguments& args, podium::Stream) {
    std::uint32_t first;
    std::memcpy(&first, args.a.data, sizeof first);
    const bool here = )";
  const auto tells = scratch.write("tells.cpp", head + R"(++calls > 1;
    if (here) throw std::runtime_error("it begins with " + std::to_string(first) + ".");
    for (std::int64_t i = 0; i < args.c.size(); ++i) args.c.data[i] = args.a.data[i] + args.b.data[i];
  }
};
}  // namespace
)");
  const auto verify = [](const fs::path& file, const std::string& seed, int call) {
    return podium({"verify", "vector_add", "--device", "host", "--quiet", "--workload", "f32/n=129",
                   "--contestant", file.string(), "--seed", seed, "--call", std::to_string(call)});
  };
  const std::string mark = "it begins with ";
  const auto told = verify(tells, "5eed", 0);
  const auto at = told.out.find(mark);
  ASSERT_NE(at, std::string::npos) << told.out << told.err;
  const std::string first = std::to_string(std::stoul(told.out.substr(at + mark.size())));

  const auto file = scratch.write("once.cpp", head + "++calls > 4 && first == " + first + R"(u;
    for (std::int64_t i = 0; i < args.c.size(); ++i)
      args.c.data[i] = args.a.data[i] + args.b.data[i] + (here ? 1.0f : 0.0f);
  }
};
}  // namespace
)");
  constexpr int together = 1'000'000;
  for (const int call : {together, together + 2}) {
    const auto last = verify(file, "5eed", call);
    EXPECT_EQ(last.status, 1) << last.out << last.err;
    EXPECT_NE(last.out.find("--seed 0000000000005eed"), std::string::npos) << last.out;
    const auto fifth = verify(file, "5eed", 3);  // of a call alone, by the same inputs
    EXPECT_EQ(fifth.status, 1) << fifth.out << fifth.err;
    EXPECT_EQ(evidence(last.out), evidence(fifth.out));
  }
  EXPECT_EQ(verify(file, "5eed", 0).status, 0) << "so few calls are right";
  EXPECT_EQ(verify(file, "5eed", 2).status, 0) << "as many as before the gate, and one more";
  EXPECT_EQ(verify(file, "5eee", together).status, 0) << "other contents are right";
}

// One element of a million, which a sample would seldom look at: the row's command looks at all of them, too.
TEST(Replay, LooksAtEveryElementWhereTheRowDid) {
  const Scratch scratch;
  const auto file = scratch.write(
      "one.cpp", R"(// podium: { title: Wrong in one element of a large output, types: { real: [f32] } }
#include <podium/vector_add.hpp>
namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    for (std::int64_t i = 0; i < args.c.size(); ++i)
      args.c.data[i] = args.a.data[i] + args.b.data[i] + (i == 700 * 1024 + 300 ? 1.0f : 0.0f);
  }
};
}  // namespace
)");
  const auto first = podium({"verify", "vector_add", "--device", "host", "--quiet", "--full", "--workload",
                             "f32/n=1024", "--contestant", file.string()});
  EXPECT_EQ(first.status, 1) << first.out << first.err;
  const auto command = again(first.out.substr(0, first.out.find_last_not_of('\n') + 1));
  ASSERT_FALSE(command.empty()) << first.out;
  for (int time = 0; time < 3; ++time) {
    const auto second = podium(command);
    EXPECT_EQ(second.status, 1) << second.out << second.err;
    EXPECT_EQ(evidence(second.out), evidence(first.out));
  }
}

TEST(Replay, SaysWhatItExpects) {
  const auto refused = [](std::vector<std::string> more) {
    std::vector<std::string> arguments{"verify", "sum", "--device", "host", "--quiet"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const auto ended = podium(arguments);
    EXPECT_EQ(ended.status, 2) << ended.out;
    return ended.err;
  };
  EXPECT_NE(refused({"--workload", "n=1025", "--seed", "xyz"}).find("hexadecimal"), std::string::npos);
  EXPECT_NE(refused({"--workload", "n=10255"}).find("n=1025"), std::string::npos);
  EXPECT_NE(refused({"--seed", "12"}).find("--workload"), std::string::npos);
  EXPECT_NE(refused({"--call", "1"}).find("--seed"), std::string::npos);
  EXPECT_NE(refused({"--workload", "n=1025", "--quick"}).find("--quick"), std::string::npos);
  EXPECT_NE(refused({"--full", "--quick"}).find("--quick"), std::string::npos);
}

}  // namespace
}  // namespace podium::test
