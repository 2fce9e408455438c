// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Contestants that attack by being compiled: bombs, files that are none of theirs, stale products.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include "suite/compile/builder.hpp"
#include "suite/sandbox/sandbox.hpp"
#include "tests/compile/workshop.hpp"
#include "tests/paths.hpp"

namespace podium::compile {
namespace {

using Status = Product::Status;
using testing::AnyOf;
using testing::HasSubstr;

constexpr std::int64_t mib = 1 << 20;

class Confined : public Workshop, public testing::Test {
 protected:
  Confined() { tools = read_toolchain(test::binary_dir() + "/toolchain.yaml"); }

  Product built(const std::string& text, const Limits& limits = {}) {
    contestant("a.cpp", text + native);
    return build(limits).at(0);
  }
  // Nothing of it is left in the cache but what its compiler said.
  std::int64_t bytes_in_cache() const {
    std::int64_t sum = 0;
    for (const auto& entry : fs::recursive_directory_iterator(cache()))
      if (entry.is_regular_file()) sum += static_cast<std::int64_t>(entry.file_size());
    return sum;
  }
  void expect_excess(const Product& product, const std::string& excess) const {
    EXPECT_EQ(product.status, Status::failed);
    EXPECT_THAT(product.message, HasSubstr("a.cpp: its compilation took " + excess));
    EXPECT_LT(bytes_in_cache(), 2 * mib);
  }
  static bool sees_all() {
    const auto means = sandbox::granted();
    return !means.has(sandbox::Means::mounts) && !means.has(sandbox::Means::landlock);
  }
};

TEST_F(Confined, AnHonestOneIsBuiltAndForPodiumAlone) {
  const auto product = built("");
  ASSERT_EQ(product.status, Status::built) << product.message;
  EXPECT_TRUE(build().at(0).cached);
  for (const auto& entry : fs::recursive_directory_iterator(cache())) {
    struct stat status{};
    ASSERT_EQ(::stat(entry.path().c_str(), &status), 0);
    const auto opened_by_workers = entry.path().extension() == ".plugin";
    EXPECT_EQ(status.st_mode & 0777, entry.is_directory() ? 0700u
                                     : opened_by_workers  ? 0444u
                                                          : 0600u)
        << entry.path();
  }
}

TEST_F(Confined, DiskIsLimited) {
  expect_excess(
      built("asm(\".section .data.big,\\\"aw\\\"\\n.fill 5368709120,1,0\\n.text\");", {.disk = 50 * mib}),
      "more than 50 MiB of disk");
}

TEST_F(Confined, ProcessorTimeIsLimited) {
  expect_excess(built(R"cpp(
                        constexpr long spin(long from) {
                          for (long i = 0; i < 1000; ++i)
                            for (long j = 0; j < 3000; ++j) from += j;
                          return from;
                        }
                        template <long N>
                        struct Spin {
                          static constexpr long value = spin(Spin<N - 1>::value);
                        };
                        template <>
                        struct Spin<0> {
                          static constexpr long value = 0;
                        };
                        constexpr long all = Spin<500>::value;
                      )cpp",
                      {.seconds = 2}),
                "longer than 2 s");
}

TEST_F(Confined, MemoryIsLimited) {
  expect_excess(built(R"cpp(
                        template <long N, int D>
                        struct Tree {
                          static constexpr int value = Tree<2 * N, D - 1>::value + Tree<2 * N + 1, D - 1>::value;
                        };
                        template <long N>
                        struct Tree<N, 0> {
                          static constexpr int value = 1;
                        };
                        constexpr int all = Tree<1, 24>::value;
                      )cpp",
                      {.bytes = 200 * mib}),
                "more than 200 MiB of memory");
}

TEST_F(Confined, MessagesAreLimited) {
  std::string flood = "#define A _Pragma(\"GCC warning \\\"a flood of words, a flood of words\\\"\")\n";
  for (const char* line : {"#define B A A A A A A A A A A\n", "#define C B B B B B B B B B B\n",
                           "#define D C C C C C C C C C C\n", "D D D D D D D D D D\n"})
    flood += line;
  expect_excess(built(flood, {.log = mib}), "more than 1 MiB of messages");
}

TEST_F(Confined, TheMachinesFilesAreOutOfReach) {
  if (sees_all()) GTEST_SKIP() << "no view of files is granted here";
  const auto secret = (folder.path() / "secret").string();
  folder.write("secret", "word\n");
  folder.write("results/host/run/entries.jsonl", "{}\n");
  built("");
  const auto other = fs::directory_iterator(cache() / "scale")->path().string();
  for (const auto& file :
       {std::string("/etc/shadow"), std::string("/etc/hostname"), secret, other,
        test::source_dir() + "/README.md", (folder.path() / "results/host/run/entries.jsonl").string()}) {
    ASSERT_TRUE(fs::exists(file)) << file;
    const auto assembled = built("asm(\".section .rodata\\n.incbin \\\"" + file + "\\\"\\n.text\");");
    EXPECT_EQ(assembled.status, Status::failed) << file;
    EXPECT_THAT(assembled.message, HasSubstr("file not found: " + file));
    EXPECT_EQ(built("\n#include \"" + file + "\"\n").status, Status::failed) << file;
    EXPECT_EQ(built("\n#if __has_include(\"" + file + "\")\n#error seen\n#endif\n").status, Status::built)
        << file;
  }
}

TEST_F(Confined, ARivalIsOutOfReach) {
  contestant("rival.cpp", native);
  EXPECT_THAT(built("\n#include \"rival.cpp\"\n").message, HasSubstr("rival.cpp: No such file"));
}

// Whatever an include looks like, and of whatever kind: what it brings belongs to the key.
class Spelt : public Confined, public testing::WithParamInterface<const char*> {};

TEST_P(Spelt, AChangedHelperIsCompiledAnew) {
  folder.write("kernels/scale/helper.hpp", "\"one\"\n");
  std::string text = GetParam();  // the assembler looks from the folder in which it runs
  if (const auto at = text.find("HELPER"); at != std::string::npos)
    text.replace(at, 6, staged("", folder.path() / "kernels/scale/helper.hpp").string());
  const auto before = built(text);
  ASSERT_EQ(before.status, Status::built) << before.message;
  EXPECT_TRUE(built(text).cached);
  folder.write("kernels/scale/helper.hpp", "\"two\"\n");
  const auto after = built(text);
  ASSERT_EQ(after.status, Status::built) << after.message;
  EXPECT_FALSE(after.cached);
  EXPECT_NE(after.file, before.file);
}

INSTANTIATE_TEST_SUITE_P(
    Include, Spelt,
    testing::Values(
        "\nconst char* word =\n#include \"helper.hpp\"\n;",
        "\nconst char* word =\n%:include \"helper.hpp\"\n;",
        "\nconst char* word =\n/**/ #include \"helper.hpp\"\n;",
        "\nconst char* word =\n#/**/include \"helper.hpp\"\n;",
        "\nconst char* word =\n#\\\ninclude \"helper.hpp\"\n;",
        "\n#define WHICH \"helper.hpp\"\nconst char* word =\n#include WHICH\n;",
        "\nconst char* word =\n#if __has_include(\"helper.hpp\")\n%:include \"helper.hpp\"\n#endif\n;",
        "\nasm(\".section .rodata\\n.incbin \\\"HELPER\\\"\\n.text\");"));

TEST_F(Confined, AHelperThatAppearsIsSeen) {
  const std::string text = "\n#if __has_include(\"late.hpp\")\n#include \"late.hpp\"\n#endif\n";
  EXPECT_EQ(built(text).status, Status::built);
  folder.write("kernels/scale/late.hpp", "#error late\n");
  EXPECT_EQ(built(text).status, Status::failed);
}

}  // namespace
}  // namespace podium::compile
