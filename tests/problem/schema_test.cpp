// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The schema for editors: docs/ holds it as it is, it accepts what the parser accepts, and it refuses unknown
// keys and words as the parser does. Valijson, a validator by others, is the judge.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "suite/problem/parse/format.hpp"
#include "suite/problem/parse/schema.hpp"
#include "tests/paths.hpp"
#include "tests/problem/sample.hpp"
#include "tests/problem/schema_validator.hpp"

namespace podium::problem {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

TEST(Schema, OfTheDocumentsIsUpToDate) {
  EXPECT_EQ(yaml::read_file(test::source_dir() + "/docs/problem.schema.json"), schema())
      << "podium schema >docs/problem.schema.json";
}

TEST(Schema, NamesOnlyDefinitionsThatItHas) {
  const json root = json::parse(schema());
  const std::string text = root.dump();
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find("#/definitions/", at)) != text.npos; ++found) {
    at += 14;
    const std::string name = text.substr(at, text.find('"', at) - at);
    EXPECT_TRUE(root["definitions"].contains(name)) << name;
  }
  EXPECT_GT(found, 60u);
}

#ifdef PODIUM_HAS_VALIJSON
TEST(Schema, AcceptsEveryProblemThatComesWithPodium) {
  int problems = 0;
  for (const auto& entry : fs::directory_iterator(test::source_dir() + "/kernels")) {
    if (!fs::exists(entry.path() / "problem.yaml")) continue;
    EXPECT_EQ(held_against(yaml::read_file(entry.path() / "problem.yaml")), "") << entry.path();
    ++problems;
  }
  EXPECT_GE(problems, 5);
  EXPECT_EQ(held_against(sample), "");
}

// The cases of mistakes.txt: whatever the parser refuses as a key or as a word of a list, so does the schema.
TEST(Schema, RefusesKeysAndWordsThatTheParserRefuses) {
  std::ifstream file(test::source_dir() + "/tests/problem/mistakes.txt");
  std::string from, to, sentences;
  int refused = 0;
  const auto append = [](std::string& text, const std::string& more) {
    text += (text.empty() ? "" : "\n") + more.substr(std::min<std::size_t>(more.size(), 2));
  };
  const auto finish = [&] {
    const bool of_keys = sentences.find("unknown key") != sentences.npos ||
                         sentences.find("which is not there yet") != sentences.npos;
    // names that the problem itself declares, indices in ranges and C++ are beyond a schema
    const bool beyond =
        sentences.find("workloads.") != sentences.npos || sentences.find("\"x.\"") != sentences.npos ||
        sentences.find("in a range") != sentences.npos || sentences.find("types[") != sentences.npos;
    if (!from.empty() && of_keys && !beyond) {
      EXPECT_NE(held_against(with(from, to)), "") << to;
      ++refused;
    }
    from = to = sentences = "";
  };
  for (std::string text; std::getline(file, text);) {
    if (text.empty()) finish();
    if (text.starts_with('-')) append(from, text);
    if (text.starts_with('+')) append(to, text);
    if (text.starts_with('=')) append(sentences, text);
  }
  finish();
  EXPECT_GE(refused, 15);
}

TEST(Schema, AgreesWithTheParserOnEveryFormOfFill) {
  const std::string real = "fill: { normal: { mean: 0, stddev: 1 } }",
                    whole = "fill: { integers: { low: 0, high: 9 } }";
  const std::pair<std::string, std::vector<std::string>> right[] = {
      {real,
       {"zeros", "ones", "normal", "uniform", "sequence", "{ zeros: }", "{ ones: {} }", "{ normal: }",
        "{ normal: { mean: 1 } }", "{ uniform: { low: 0, high: \"cols\" } }", "{ sequence: {} }",
        "{ index: [a, b], value: 1 }", "{ index: [a, b], value: \"normal(0, a)\" }"}},
      {whole,
       {"permutation", "{ permutation: }", "{ permutation: { over: tensor } }",
        "{ permutation: { over: row } }"}}};
  for (const auto& [from, fills] : right)
    for (const std::string& fill : fills) {
      EXPECT_EQ(mistakes_of(with(from, "fill: " + fill)), "accepted") << fill;
      EXPECT_EQ(held_against(with(from, "fill: " + fill)), "") << fill;
    }
  for (const std::string fill :
       {"integers", "one", "{ zeros: , ones: }", "{}", "{ permutation: { over: all } }", "{ value: 1 }",
        "{ integers: { low: 1 } }", "{ index: [a] }"}) {
    EXPECT_NE(mistakes_of(with(whole, "fill: " + fill)), "accepted") << fill;
    EXPECT_NE(held_against(with(whole, "fill: " + fill)), "") << fill;
  }
}

TEST(Schema, AgreesWithTheParserOnStructure) {
  const auto file = [](const std::string& structure) {
    return with("tensors:\n", "structure:\n  count: " + structure + "\ntensors:\n");
  };
  const std::string well = "{ dtype: i32, shape: [rows + 1], compute: \"out(0) = 1;\" }";
  for (const std::string& structure :
       {well, std::string("{ dtype: u8, shape: [], private: true, compute: \"out() = 3;\" }"),
        std::string("{ dtype: f64, shape: [rows, 2], used: rows, compute: \"out(0, 1) = 0.5;\" }")}) {
    EXPECT_EQ(mistakes_of(file(structure)), "accepted") << structure;
    EXPECT_EQ(held_against(file(structure)), "") << structure;
  }
  for (const std::string structure :
       {"{ dtype: bf16, shape: [], compute: \"out() = 3;\" }", "{ dtype: i32, compute: \"out() = 3;\" }",
        "{ dtype: i32, shape: [] }", "{ shape: [], compute: \"out() = 3;\" }",
        "{ dtype: i32, shape: [], compute: \"out() = 3;\", privat: true }"}) {
    EXPECT_NE(mistakes_of(file(structure)), "accepted") << structure;
    EXPECT_NE(held_against(file(structure)), "") << structure;
  }
  const std::string part = with("shape: [blocks]", "shape: [blocks], used: blocks");
  EXPECT_EQ(mistakes_of(part), "accepted");
  EXPECT_EQ(held_against(part), "");
}

TEST(Schema, AgreesWithTheParserOnChecksAndProbes) {
  const auto check = [](const std::string& text) {
    return with("checks:\n", "checks:\n  c: " + text + "\n");
  };
  const auto probe = [](const std::string& text) {
    return with("checks:\n", "probe: { z: " + text + " }\nchecks:\n");
  };
  const std::string inout = with("t: { role: output, dtype: i32, shape: [] }",
                                 "t: { role: inout, dtype: i32, shape: [], fill: ones }");
  const std::string excused = with("y: { index: [i, j], value", "y: { unless: total, index: [i, j], value");
  std::vector<std::string> right{inout, excused, probe("{ shape: [cols, 2] }")};
  for (const std::string text :
       {"{ finite: s }", "{ distinct: s }", "{ stable: [s, y] }", "{ triangular: s, part: lower }",
        "{ triangular: s, part: upper, unit: true }", "{ permutation: [[s, y], [x, x]] }",
        "{ index: [i, j], value: \"s(i, j)\", limit: 9 }",
        "{ index: { i: rows }, reduce: { over: { j: cols }, op: max, term: \"s(i, j)\" }, limit: "
        "\"sqrt(cols)\" }"})
    right.push_back(check(text));
  for (const std::string& file : right) {
    EXPECT_EQ(mistakes_of(file), "accepted") << file;
    EXPECT_EQ(held_against(file), "") << file;
  }
  std::vector<std::string> wrong{probe("{}"), probe("{ shape: [cols], dtype: f32 }")};
  for (const std::string text : {"{ sorted: s, finite: s }", "{ stabel: [s, y] }", "{ index: [i], limit: 1 }",
                                 "{ triangular: s, part: middle }", "{}", "{ finite: s, value: 1 }"})
    wrong.push_back(check(text));
  for (const std::string& file : wrong) {
    EXPECT_NE(mistakes_of(file), "accepted") << file;
    EXPECT_NE(held_against(file), "") << file;
  }
}
#else
TEST(Schema, IsHeldAgainstProblems) { GTEST_SKIP() << test::needs_valijson; }
#endif

// The parser's own maps beside the table: each fill takes just the numbers that the table names.
TEST(Format, FillsTakeTheNumbersOfTheTable) {
  for (const std::string fill : {"normal", "uniform", "integers", "sequence", "permutation"}) {
    std::string names;
    for (const std::string& name : form(fill + "_fill").names()) names += (names.empty() ? "" : ", ") + name;
    EXPECT_THAT(
        mistakes_of(with("fill: { normal: { mean: 0, stddev: 1 } }", "fill: { " + fill + ": { bogus: 1 } }")),
        HasSubstr("unknown key: found \"bogus\", expected " +
                  std::string(fill == "permutation" ? "" : "one of ") + names))
        << fill;
  }
}

TEST(Format, EveryWordOfAListIsKnownToTheParser) {
  for (const std::string& op : words("op"))
    EXPECT_EQ(mistakes_of(with("over: { k: blocks }, op: sum", "over: { k: blocks }, op: " + op)), "accepted")
        << op;
  for (const std::string& format : words("accumulator"))
    EXPECT_EQ(mistakes_of(with("ulp: 4,", "ulp: 4, accumulate: " + format + ",")), "accepted") << format;
  for (const std::string& dtype : words("parameter"))
    EXPECT_EQ(mistakes_of(with("scale: f32", "scale: " + dtype)), "accepted") << dtype;
  for (const std::string& dtype : words("structure_dtype"))
    EXPECT_EQ(mistakes_of(with("tensors:\n", "structure: { count: { dtype: " + dtype +
                                                 ", shape: [], compute: \"out() = 1;\" } }\ntensors:\n")),
              "accepted")
        << dtype;
  for (const std::string& role : words("role"))
    EXPECT_THAT(
        mistakes_of(with("role: output, dtype: i32, shape: []", "role: " + role + ", dtype: i32, shape: []")),
        testing::Not(HasSubstr("tensors.t.role")))
        << role;
  for (const std::string& part : words("part"))
    EXPECT_EQ(mistakes_of(with("checks:\n", "checks:\n  c: { triangular: s, part: " + part + " }\n")),
              "accepted")
        << part;
}

TEST(Format, WhatTheTableCallsNeededIsMissed) {
  for (const Form& one : forms())
    for (const Key& key : one.keys) EXPECT_FALSE(key.says.empty()) << one.name << "." << key.name;
  const std::pair<std::string, std::string> spoilt[] = {
      {"title: Row-wise softmax\n", "problem.title"},
      {"podium: 1\n", "problem.podium"},
      {"role: input, dtype: i32", "tensor.role"},
      {"dtype: i32, shape: [blocks]", "tensor.dtype"},
      {"shape: [blocks], ", "tensor.shape"},
      {"ulp: 4, ", "tolerance.ulp"},
      {"low: 0, ", "integers_fill.low"},
      {"over: { k: blocks }, ", "reduce.over"},
  };
  for (const auto& [text, key] : spoilt) {
    const std::string of = key.substr(0, key.find('.')), name = key.substr(key.find('.') + 1);
    std::string cut = text;
    if (name == "role") cut = "role: input, ";
    if (name == "dtype") cut = "dtype: i32, ";
    std::string without = text;
    without.replace(without.find(cut), cut.size(), "");
    EXPECT_NE(mistakes_of(with(text, without)), "accepted") << key;
    bool needed = false;
    for (const Key& one : form(of).keys) needed |= one.name == name && one.needed;
    EXPECT_TRUE(needed) << key;
  }
}

}  // namespace
}  // namespace podium::problem
