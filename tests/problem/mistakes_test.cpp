// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Each mistake of mistakes.txt, and the sentence for it: file, line, key, found, expected, nearest name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "suite/problem/model/problem.hpp"
#include "suite/problem/parse/parse.hpp"
#include "tests/paths.hpp"
#include "tests/problem/sample.hpp"

namespace podium::problem {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(Mistakes, SampleHasNone) { EXPECT_EQ(mistakes_of(sample), "accepted"); }

TEST(Mistakes, EachIsItsSentence) {
  std::ifstream file(test::source_dir() + "/tests/problem/mistakes.txt");
  std::string from, to, sentences;
  int line = 0, cases = 0;
  const auto append = [](std::string& text, const std::string& more) {
    text += text.empty() ? "" : "\n";
    text += more.substr(std::min<std::size_t>(more.size(), 2));
  };
  const auto finish = [&] {
    if (from.empty()) return;
    SCOPED_TRACE("mistakes.txt before line " + std::to_string(line));
    EXPECT_EQ(mistakes_of(with(from, to)), sentences);
    ++cases;
    from = to = sentences = "";
  };
  for (std::string text; ++line, std::getline(file, text);) {
    if (text.empty()) finish();
    if (text.starts_with('-')) append(from, text);
    if (text.starts_with('+')) append(to, text);
    if (text.starts_with('=')) append(sentences, text);
  }
  finish();
  EXPECT_GT(cases, 120);
}

// The keys of the sentences about a changed sample.
std::string keys_of(const std::vector<std::pair<std::string, std::string>>& changes) {
  std::string source = sample, keys;
  for (const auto& [from, to] : changes) {
    const auto at = source.find(from);
    EXPECT_NE(at, source.npos) << from;
    source.replace(at, from.size(), to);
  }
  std::istringstream sentences(mistakes_of(source));
  for (std::string line; std::getline(sentences, line);) {
    const auto begin = line.find(": ") + 2;
    keys += (keys.empty() ? "" : " ") + line.substr(begin, line.find(": ", begin) - begin);
  }
  return keys;
}

TEST(Mistakes, AMisspeltKeyHidesNothing) {
  const std::pair<std::string, std::string> role{"x: { role: input", "x: { role: inptu"},
      dtype{"w: { role: input, dtype: i32", "w: { role: input, dtype: f33"},
      term{"exp(x(i, j)", "exq(x(i, j)"};
  const std::string all = "tensors.x.role tensors.w.dtype reference.y.value";
  EXPECT_EQ(keys_of({role, dtype, term}), all);
  EXPECT_EQ(keys_of({{"title:", "titel:"}, role, dtype, term}), "unknown key " + all);
  EXPECT_EQ(keys_of({{"axes:", "axse:"}, role, dtype, term}), "unknown key " + all);
  EXPECT_EQ(keys_of({{"axes:", "axse:"}, {"sqrt(cols)", "sqt(cols)"}}),
            "unknown key tensors.y.tolerance.growth");
  EXPECT_EQ(keys_of({{"axes:", "quantities:"}, role, dtype, term}), "unknown key " + all);
  EXPECT_EQ(keys_of({{"types: { real:", "kinds: { real:"}, role, dtype, term}), "unknown key " + all);
  EXPECT_EQ(keys_of({{"{ role: input, dtype: real", "{ rle: input, dtype: real"}, dtype, term}),
            "tensors.x tensors.w.dtype reference.y.value");
  EXPECT_EQ(keys_of({{"[i, j], value: \"exp", "[i, j], valeu: \"exp"}, term}),
            "reference.y reference.y.valeu");
  EXPECT_EQ(keys_of({{"test: [ { rows: 1,", "test: [ { rwos: 1.5,"}}),
            "workloads.test[0] workloads.test[0].rwos");
  // Where the section cannot be read at all, and what its names stand for is not known.
  EXPECT_EQ(keys_of({{"types: { real: [f32, bf16] }", "types: { real: [f33] }"}, role, dtype}),
            "types.real[0] tensors.x.role tensors.w.dtype");
  EXPECT_EQ(keys_of({{"constants: {", "constants: 3 #"}, role, term}), "constants tensors.x.role");
  EXPECT_EQ(keys_of({{"reference:\n", "formulas:\n"}, role, dtype}),
            "tensors.x.role tensors.w.dtype unknown key");
}

TEST(Mistakes, AnUnknownNameIsStillOneBesideAMisspeltSection) {
  EXPECT_EQ(keys_of({{"axes:", "quantities:"}, {"rows, cols]", "rows, colz]"}}),
            "unknown key tensors.x.shape[1]");
}

TEST(Mistakes, BothOfALayoutAndItsStrides) {
  EXPECT_EQ(keys_of({{"w: { role: input,", "w: { role: input, layout: scales_128x5, strides: [foo],"}}),
            "tensors.w tensors.w.strides[0] tensors.w.layout");
}

TEST(Mistakes, EveryOneOfACompute) {
  EXPECT_EQ(
      keys_of({{"tensors:\n",
                "structure:\n  o: { dtype: i32, shape: [2], compute: \"out(0) = foo; out(1) = bar(3);\" }\n"
                "tensors:\n"}}),
      "structure.o.compute structure.o.compute");
}

TEST(Mistakes, InWhatIsNoProblem) {
  EXPECT_EQ(mistakes_of(""), "p.yaml:1: found nothing, expected a problem: a map that begins with podium: 1");
  EXPECT_EQ(mistakes_of("[]"),
            "p.yaml:1: found a list, expected a problem: a map that begins with podium: 1");
  EXPECT_THAT(mistakes_of("podium: 1"), HasSubstr("tensors: found nothing"));
  EXPECT_THAT(mistakes_of("podium: 1"), HasSubstr("workloads: found nothing"));
}

TEST(Mistakes, ManyAreCutShort) {
  std::string conditions = "conditions: [";
  for (int i = 0; i < 500; ++i) conditions += "\"unknown" + std::to_string(i) + " > 0\", ";
  EXPECT_THAT(mistakes_of(with("conditions: [", conditions)), HasSubstr("\nand at least 180 more mistakes"));
}

TEST(Mistakes, TooManyOfAnything) {
  std::string axes, tensors, parameters, workloads, references;
  for (int i = 0; i < 300; ++i) {
    const std::string n = std::to_string(i);
    if (i < 46) axes += "more" + n + ": 1, ";
    if (i < 17) parameters += "more" + n + ": f32, ";
    if (i < 20) tensors += "  more" + n + ": { role: input, dtype: f32, shape: [], fill: zeros }\n";
    if (i < 61) references += "  more" + n + ": { index: {}, value: \"0\" }\n";
    workloads += "{ rows: 1, cols: 1, scale: " + n + " }, ";
  }
  EXPECT_THAT(mistakes_of(with("{ rows: ,", "{ " + axes + "rows: ,")),
              HasSubstr("axes: found 49 axes, expected at most 48"));
  EXPECT_THAT(mistakes_of(with("{ scale: f32", "{ " + parameters + "scale: f32")),
              HasSubstr("parameters: found 18 parameters, expected at most 16"));
  EXPECT_THAT(mistakes_of(with("tensors:\n", "tensors:\n" + tensors)),
              HasSubstr("tensors: found 25 tensors, expected at most 24"));
  EXPECT_THAT(mistakes_of(with("reference:\n", "reference:\n" + references)),
              HasSubstr("reference: found 65 references, expected at most 64"));
  EXPECT_THAT(mistakes_of(with("test: [", "test: [" + workloads)),
              HasSubstr("workloads: found more than 256 workloads"));
}

TEST(Mistakes, NameOfTheFolder) {
  for (const char* name : {"", "a-b", "2d", "podium", "podium_x", "kokkos", "a/b"})
    EXPECT_THROW(parse(name, sample, "p.yaml"), Error) << name;
  EXPECT_NO_THROW(parse("fill", sample, "p.yaml"));
}

TEST(Mistakes, FileThatIsNot) {
  try {
    load("/nowhere/problem.yaml");
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), StartsWith("/nowhere/problem.yaml: cannot be read: No such file or directory"));
    EXPECT_EQ(error.fault(), Fault::input);
  }
}

}  // namespace
}  // namespace podium::problem
