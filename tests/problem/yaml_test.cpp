// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// YAML: the tree and its lines, and everything that a file must not be.
#include "suite/problem/yaml/yaml.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "suite/base/error.hpp"
#include "suite/problem/yaml/cursor.hpp"
#include "suite/problem/yaml/utf8.hpp"
#include "tests/processor_time.hpp"

namespace podium::yaml {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string refusal(const std::string& source) {
  const auto start = processor_time();
  std::string text = "accepted";
  try {
    parse(source, "p.yaml");
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::input);
    text = error.what();
  }
  EXPECT_LT(processor_time() - start, std::chrono::seconds(10));
  EXPECT_LT(text.size(), 500u);
  return text;
}

std::string refusal_of_file(const std::filesystem::path& file) {
  try {
    read_file(file);
    return "accepted";
  } catch (const Error& error) {
    return error.what();
  }
}

std::string repeat(const std::string& piece, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += piece;
  return text;
}

class YamlFile : public testing::Test {
 protected:
  YamlFile() { std::filesystem::create_directories(path_); }
  ~YamlFile() override { std::filesystem::remove_all(path_); }
  std::filesystem::path path_ =
      std::filesystem::temp_directory_path() / ("podium-yaml-" + std::to_string(::getpid()));
};

TEST(Yaml, TreeWithLines) {
  const Node root = parse("a: 1\nb:\n  - x\n  - \"2\"\nc: { d: , e: [] }\n", "p.yaml");
  ASSERT_EQ(root.kind, Node::Kind::map);
  ASSERT_EQ(root.children.size(), 3u);
  EXPECT_EQ(root.find("a")->text, "1");
  EXPECT_FALSE(root.find("a")->quoted);
  const Node& b = *root.find("b");
  EXPECT_EQ(b.key_line, 2);
  EXPECT_EQ(b.children[1].line, 4);
  EXPECT_TRUE(b.children[1].quoted);
  EXPECT_EQ(root.find("c")->find("d")->kind, Node::Kind::null);
  EXPECT_EQ(root.find("c")->find("e")->kind, Node::Kind::list);
  EXPECT_EQ(root.find("z"), nullptr);
}

TEST(Yaml, TextOfABlockBeginsBelow) {
  const Node root = parse("a: |\n  text\n  more\nb: \"|\"\nc: >\n  folded\n", "p.yaml");
  EXPECT_EQ(root.find("a")->line, 2);
  EXPECT_EQ(root.find("a")->text, "text\nmore\n");
  EXPECT_EQ(root.find("b")->line, 4);
  EXPECT_EQ(root.find("c")->line, 6);
}

TEST(Yaml, LinesCountFromTheFirst) { EXPECT_EQ(parse("a: 1\nb: 2\n", "k.cpp", 10).find("b")->line, 11); }

TEST(Yaml, EmptyIsNull) { EXPECT_EQ(parse("", "p.yaml").kind, Node::Kind::null); }

TEST(Yaml, DeepNesting) {
  const std::string deep = "nested more than 64 deep";
  EXPECT_THAT(refusal(repeat("[", 10000)), StartsWith("p.yaml:1: found "));  // unclosed, so a mistake already
  EXPECT_THAT(refusal(repeat("[", 500000) + repeat("]", 500000)), HasSubstr(deep));
  EXPECT_THAT(refusal(repeat("{a: ", 10000)), StartsWith("p.yaml:1: found "));
  EXPECT_THAT(refusal(repeat("{a: ", 10000) + repeat("}", 10000)), HasSubstr(deep));
  EXPECT_THAT(refusal(repeat("[", 10000) + repeat("]", 10000)), HasSubstr(deep));
  EXPECT_THAT(refusal(repeat("- ", 10000) + "a"), HasSubstr(deep));
  std::string stairs;
  for (int i = 0; i < 1000; ++i) stairs += std::string(static_cast<std::size_t>(i), ' ') + "a:\n";
  EXPECT_THAT(refusal(stairs), HasSubstr(deep));
  EXPECT_EQ(refusal(repeat("[", 64) + repeat("]", 64)), "accepted");
  EXPECT_THAT(refusal(repeat("[", 65) + repeat("]", 65)), HasSubstr(deep));
}

TEST(Yaml, AliasBomb) {
  std::string bomb = "a: &a [x, x, x, x, x, x, x, x, x]\n";
  for (char c = 'b'; c <= 'z'; ++c) {
    const std::string before = "*" + std::string(1, static_cast<char>(c - 1));
    bomb += std::string(1, c) + ": &" + std::string(1, c) + " [" + repeat(before + ", ", 8) + before + "]\n";
  }
  EXPECT_THAT(refusal(bomb), HasSubstr("p.yaml:1: found a YAML anchor, expected plain data"));
  EXPECT_THAT(refusal("a: *b\n"), StartsWith("p.yaml:1: "));
  EXPECT_THAT(refusal("a: &b 1\n"), HasSubstr("YAML anchor"));
}

TEST(Yaml, DuplicateKeys) {
  EXPECT_EQ(refusal("a: 1\nb: 2\na: 3\n"),
            "p.yaml:3: found the key \"a\" twice in one map, expected it once; remove one");
  EXPECT_THAT(refusal("{ a: { x: 1, x: 2 } }"), HasSubstr("the key \"x\" twice"));
  EXPECT_EQ(refusal("{ a: { x: 1 }, b: { x: 2 } }"), "accepted");
}

TEST(Yaml, OtherRefusals) {
  EXPECT_THAT(refusal("a: 1\n---\nb: 2\n"), HasSubstr("second YAML document"));
  EXPECT_THAT(refusal("a: !!str 1\n"), HasSubstr("p.yaml:1: found a YAML tag"));
  EXPECT_THAT(refusal("? [a, b]\n: c\n"), HasSubstr("a list or map as a key"));
  EXPECT_THAT(refusal("? { a: b }\n: c\n"), HasSubstr("a list or map as a key"));
  EXPECT_THAT(refusal("{ : c }"), StartsWith("p.yaml:1: "));
  EXPECT_THAT(refusal("a: [1, 2\nb: 3\n"), HasSubstr("found text that is not YAML"));
  EXPECT_THAT(refusal("a: 1\n  b: 2\n"), StartsWith("p.yaml:2: found text that is not YAML"));
  EXPECT_THAT(refusal("a: \"open\n"), StartsWith("p.yaml:1: found text that is not YAML"));
  EXPECT_THAT(refusal("a: 'open\nb: 2\n"), StartsWith("p.yaml:2: found text that is not YAML"));
  // What is missed at the end is missed on the last line that there is.
  EXPECT_THAT(refusal("a:\n  b: [1,\n"), StartsWith("p.yaml:2: found text that is not YAML"));
  EXPECT_EQ(refusal("a: 1\n...\n"), "accepted");
  EXPECT_EQ(refusal("---\na: |\n  text"), "accepted");
  EXPECT_THAT(refusal(std::string((1 << 20) + 1, ' ')), HasSubstr("expected at most 1048576"));
}

TEST(Yaml, BinaryGarbage) {
  EXPECT_EQ(refusal(std::string("a: 1\nb: \0", 9)),
            "p.yaml:2: found the byte 0x00, expected UTF-8 text; save the file as UTF-8");
  EXPECT_THAT(refusal("\x7f"
                      "ELF\x02\x01"),
              HasSubstr("the byte 0x7f"));
  EXPECT_THAT(refusal("a: \xff\xfe"), HasSubstr("the byte 0xff"));
  EXPECT_THAT(refusal("a: \xc0\xaf"), HasSubstr("the byte 0xc0"));          // overlong
  EXPECT_THAT(refusal("a: \xed\xa0\x80"), HasSubstr("the byte 0xed"));      // surrogate
  EXPECT_THAT(refusal("a: \xf4\x90\x80\x80"), HasSubstr("the byte 0xf4"));  // beyond U+10FFFF
  EXPECT_THAT(refusal("a: \xe2\x82"), HasSubstr("the byte 0xe2"));          // cut short
  EXPECT_EQ(refusal("a: \xe2\x82\xac \xf0\x9f\x8f\x86 \xc3\xa4"), "accepted");
  std::string noise;
  for (unsigned i = 0, state = 1; i < 100000; ++i)
    noise += static_cast<char>((state = state * 1664525u + 1013904223u) >> 24);
  EXPECT_THAT(refusal(noise), HasSubstr("expected UTF-8 text"));
}

TEST(Yaml, LargeButLegal) {
  EXPECT_EQ(refusal("[" + repeat("1,", 500000) + "1]"), "accepted");
  EXPECT_EQ(refusal("a: " + std::string(1000000, 'x')), "accepted");
  std::string keys;
  for (int i = 0; i < 80000; ++i) keys += "key" + std::to_string(i) + ": 1\n";
  EXPECT_EQ(refusal(keys), "accepted");
}

TEST(Yaml, CutsTextsForSentencesBetweenCharacters) {
  EXPECT_EQ(excerpt("abc"), "abc");
  EXPECT_EQ(excerpt("a\nb\tc"), "a b c");
  EXPECT_EQ(excerpt("\xe2\x82\xac\xe2\x82\xac", 4), "\xe2\x82\xac…");
}

TEST_F(YamlFile, UnreadableFiles) {
  EXPECT_THAT(refusal_of_file(path_ / "absent.yaml"),
              HasSubstr("absent.yaml: cannot be read: No such file or directory"));
  EXPECT_THAT(refusal_of_file(path_), HasSubstr("expected a regular file"));
  EXPECT_THAT(refusal_of_file("/dev/zero"), HasSubstr("expected a regular file"));
  ASSERT_EQ(::mkfifo((path_ / "pipe").c_str(), 0600), 0);
  EXPECT_THAT(refusal_of_file(path_ / "pipe"), HasSubstr("expected a regular file"));
  std::ofstream(path_ / "secret.yaml") << "a: 1\n";
  std::filesystem::permissions(path_ / "secret.yaml", std::filesystem::perms::none);
  if (::geteuid() != 0) {  // root reads everything
    EXPECT_THAT(refusal_of_file(path_ / "secret.yaml"), HasSubstr("Permission denied"));
  }
}

TEST_F(YamlFile, HugeFile) {
  std::ofstream(path_ / "huge.yaml") << "a";
  std::filesystem::resize_file(path_ / "huge.yaml", std::uintmax_t{1} << 40);  // sparse
  EXPECT_THAT(refusal_of_file(path_ / "huge.yaml"), HasSubstr("found more than 1048576 bytes"));
}

TEST(CoreNumbers, AsInYaml) {
  using problem::core_number;
  for (const auto& [text, value, integer] :
       std::vector<std::tuple<std::string, double, bool>>{{"12", 12, true},
                                                          {"-3", -3, true},
                                                          {"+3", 3, true},
                                                          {"0x1F", 31, true},
                                                          {"0o17", 15, true},
                                                          {"007", 7, true},
                                                          {"1.", 1, false},
                                                          {".5", 0.5, false},
                                                          {"-1.5e3", -1500, false},
                                                          {"1e8", 1e8, false}}) {
    const auto number = core_number(text);
    ASSERT_TRUE(number) << text;
    EXPECT_EQ(number->value, value) << text;
    EXPECT_EQ(number->integer, integer) << text;
  }
  EXPECT_TRUE(std::isinf(core_number(".inf")->value));
  for (const char* text : {"", "-", ".", "1_000", "1e", "inf", "nan", "NaN", "0b1", "-0x1", "--1", "+-1",
                           "1 ", "e5", "0x", "1e999"})
    EXPECT_FALSE(core_number(text)) << text;
}

}  // namespace
}  // namespace podium::yaml
