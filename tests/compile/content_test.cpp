// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Digests, and the files that a source reaches.
#include "suite/compile/content.hpp"

#include <gmock/gmock.h>

#include "suite/base/error.hpp"
#include "tests/compile/workshop.hpp"

namespace podium::compile {
namespace {

using testing::UnorderedElementsAre;

TEST(Digest, IsSha256) {
  // FIPS 180-4, example of one block.
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Digest, TellsSequencesApart) {
  EXPECT_EQ(Digest().add("ab").add("c").hex(), Digest().add("ab").add("c").hex());
  EXPECT_NE(Digest().add("ab").add("c").hex(), Digest().add("a").add("bc").hex());
  EXPECT_NE(Digest().add(std::vector<std::string>{"a", "b"}).hex(),
            Digest().add(std::vector<std::string>{"a"}).add("b").hex());
  Digest digest;
  digest.add("x");
  EXPECT_EQ(digest.hex(), digest.hex());
}

std::vector<std::string> names(const std::vector<Input>& inputs) {
  std::vector<std::string> result;
  for (const auto& input : inputs) result.push_back(input.name);
  return result;
}

TEST(Contents, TakesTheHelpersOfAFolderAndOfTheProblemsBeside) {
  Folder folder;
  const auto source = folder.write("p/a.cpp", "// podium:\n//   title: t\n");
  for (const char* helper : {"p/b.hpp", "p/deep/c.inc", "p/plain.cpp", "q/d.hpp"}) folder.write(helper, "");
  for (const char* other : {"p/problem.yaml", "q/problem.yaml", "p/.hidden.hpp", "q/deep/e.hpp", "r/f.hpp"})
    folder.write(other, "");
  folder.write("p/rival.cpp", "// podium:\n//   title: t\n");
  EXPECT_THAT(names(Contents().around(source)),
              UnorderedElementsAre("a.cpp", "b.hpp", "deep/c.inc", "plain.cpp", "../q/d.hpp"));
  ::setenv("PODIUM_INCLUDE", (folder.path() / "r").c_str(), 1);
  EXPECT_THAT(names(Contents().around(source)), testing::Contains("../r/f.hpp"));
  ::unsetenv("PODIUM_INCLUDE");
}

// A contestant in somebody's home folder, beside keys, runs and data.
TEST(Contents, LeavesOutWhatNobodyMeansToInclude) {
  Folder folder;
  const auto source = folder.write("a.cpp", "");
  for (const char* other : {".ssh/id_rsa", "results/host/run/run.json", "results/host/run/entries.jsonl",
                            "a \"name\".txt", "a\\b.hpp"})
    folder.write(other, "");
  folder.write("below/b.hpp", "");
  std::filesystem::create_directory(folder.path() / "loop");
  std::filesystem::create_directory_symlink(folder.path(), folder.path() / "loop/again");
  EXPECT_THAT(names(Contents().around(source)), UnorderedElementsAre("a.cpp", "below/b.hpp"));
}

TEST(Contents, OfTooMuchLeavesOutTheLargest) {
  Folder folder;
  const auto source = folder.write("a.cpp", "");
  const std::string data(15 << 20, 'x');
  for (int i = 0; i < 5; ++i) folder.write("data" + std::to_string(i), data);
  folder.write("below/b.hpp", "");
  EXPECT_THAT(names(Contents().around(source)),
              UnorderedElementsAre("a.cpp", "below/b.hpp", "data0", "data1", "data2", "data3"));
  constexpr std::size_t many = 2000;
  for (std::size_t i = 0; i < many; ++i) folder.write("below/" + std::to_string(i), "");
  EXPECT_THAT(names(Contents().around(source)), testing::SizeIs(many));
}

TEST(Contents, NamesATreeRelativeToItsFolder) {
  Folder folder;
  folder.write("sdk/podium/podium.hpp", "abc");
  folder.write("sdk/podium/emulation/fiber.hpp", "");
  Contents contents;
  const auto inputs = contents.tree(folder.path() / "sdk", "sdk");
  EXPECT_THAT(names(inputs), testing::ElementsAre("sdk/podium/emulation/fiber.hpp", "sdk/podium/podium.hpp"));
  EXPECT_EQ(inputs[1].sha256, sha256_hex("abc"));
  EXPECT_THROW(contents.tree(folder.path() / "gone", "gone"), Error);
}

TEST(Contents, ReadsAFileOnce) {
  Folder folder;
  const auto source = folder.write("a.cpp", "one");
  Contents contents;
  const auto before = contents.around(source);
  folder.write("a.cpp", "two");
  EXPECT_EQ(contents.around(source)[0].sha256, before[0].sha256);
  EXPECT_NE(Contents().around(source)[0].sha256, before[0].sha256);
}

TEST(Contents, RefusesWhatIsNoFile) {
  Folder folder;
  EXPECT_THROW(Contents().around(folder.path()), Error);
  EXPECT_THROW(Contents().around(folder.path() / "gone.cpp"), Error);
  EXPECT_THROW(read_text("/dev/zero"), Error);
}

}  // namespace
}  // namespace podium::compile
