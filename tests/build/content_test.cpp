// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Digests, and the files that a source reaches.
#include "suite/build/content.hpp"

#include <gmock/gmock.h>

#include "suite/base/error.hpp"
#include "tests/build/workshop.hpp"

namespace podium::build {
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

TEST(Contents, FollowsQuotedIncludes) {
  Folder folder;
  const auto source = folder.write(
      "p/a.cpp",
      "#include \"b.hpp\"\n  #  include\t\"../q/c.hpp\"\n#include <d.hpp>\n#include \"gone.hpp\"\n");
  folder.write("p/b.hpp", "#include \"a.cpp\"\n// #include \"e.hpp\" in a comment does no harm\n");
  folder.write("q/c.hpp", "#include \"b.hpp\"\n");
  folder.write("q/b.hpp", "");
  folder.write("p/d.hpp", "");
  folder.write("p/e.hpp", "");
  EXPECT_THAT(names(Contents().closure(source)),
              UnorderedElementsAre("a.cpp", "b.hpp", "../q/c.hpp", "../q/b.hpp"));
}

TEST(Contents, TakesEveryNeighbourWhereAMacroSpellsTheInclude) {
  Folder folder;
  const auto source = folder.write("a.cpp", "#define H \"h.hpp\"\n#include H\n");
  folder.write("h.hpp", "");
  folder.write("other.hpp", "");
  EXPECT_THAT(names(Contents().closure(source)), UnorderedElementsAre("a.cpp", "h.hpp", "other.hpp"));
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
  const auto before = contents.closure(source);
  folder.write("a.cpp", "two");
  EXPECT_EQ(contents.closure(source)[0].sha256, before[0].sha256);
  EXPECT_NE(Contents().closure(source)[0].sha256, before[0].sha256);
}

TEST(Contents, RefusesWhatIsNoFile) {
  Folder folder;
  EXPECT_THROW(Contents().closure(folder.path()), Error);
  EXPECT_THROW(Contents().closure(folder.path() / "gone.cpp"), Error);
  EXPECT_THROW(read_text("/dev/zero"), Error);
}

}  // namespace
}  // namespace podium::build
