// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What sealed contestants state is read, and every mistake is a sentence with file and line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sealed/sealed_problem.hpp"

namespace podium::compile {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using Argument = Manifest::Argument;

TEST_F(Sealed, ManifestIsRead) {
  const auto c = contestant("a.sealed.gpu.cpp", R"yaml(// podium:
//   title: Two kernels
//   values: { blocks: "min(ceil_div(rows, 4), 8)", twice: 2 * blocks }
//   scratch: { partial: { dtype: bf16, shape: [blocks, 3] } }
//   define: { COLS: cols }
//   prepare: [{ kernel: init, grid: [1], block: [32], arguments: [partial, lengths] }]
//   launches:
//     - { kernel: first, grid: [blocks, rows], block: [64, 2, 2], shared: 4 * cols, arguments: [x, lengths, partial, nil, i64(rows), f32(alpha), "u8(min(1, 2))"] }
)yaml");
  EXPECT_EQ(c.name, "a");
  EXPECT_EQ(c.language->name, "portable");
  EXPECT_EQ(c.language->sealed, SealedForm::source);
  EXPECT_THAT(c.backends, ElementsAre("cuda", "hip"));
  const auto& m = *c.manifest;
  EXPECT_EQ(m.values.size(), 2u);
  EXPECT_EQ(m.values[1].name, "twice");
  EXPECT_EQ(m.scratch[0].dtype, problem::Dtype::bf16);
  EXPECT_EQ(m.define[0].formula.text, "cols");
  EXPECT_EQ(m.prepare[0].kernel, "init");
  const auto& launch = m.launches.at(0);
  EXPECT_EQ(launch.at.line, 8);
  EXPECT_EQ(launch.grid.size(), 2u);
  EXPECT_EQ(launch.block.size(), 3u);
  EXPECT_EQ(launch.shared.text, "4 * cols");
  std::vector<Argument::Kind> kinds;
  for (const auto& a : launch.arguments) kinds.push_back(a.kind);
  EXPECT_THAT(kinds, ElementsAre(Argument::Kind::tensor, Argument::Kind::structure, Argument::Kind::scratch,
                                 Argument::Kind::nil, Argument::Kind::number, Argument::Kind::number,
                                 Argument::Kind::number));
  EXPECT_EQ(launch.arguments[4].dtype, problem::Dtype::i64);
  EXPECT_EQ(launch.arguments[6].number.text, "min(1, 2)");
}

TEST_F(Sealed, SuffixesAndNeedsSayWhatItIs) {
  const std::string launches = "launches: [{ kernel: k, grid: [1], arguments: [] }] }\n";
  const std::string with_block = "launches: [{ kernel: k, grid: [1], block: [1], arguments: [] }] }\n";
  EXPECT_EQ(contestant("a.sealed.cu", "// podium: { " + with_block).language->name, "cuda");
  EXPECT_EQ(contestant("a.sealed.hip", "// podium: { " + with_block, "hip").language->name, "hip");
  const auto triton = contestant("a.sealed.py", "# podium: { needs: [triton], " + launches, "hip");
  EXPECT_EQ(triton.language->name, "triton");
  EXPECT_EQ(triton.language->sealed, SealedForm::python);
  const auto cutile = contestant("a.sealed.py", "# podium: { needs: [cutile], " + launches);
  EXPECT_EQ(cutile.language->name, "cutile");
  EXPECT_THAT(cutile.backends, ElementsAre("cuda"));
  const auto objects =
      contestant("a.sealed.yaml", "podium: { code: [{ file: a.ptx, arch: sm_80+ }], " + with_block);
  EXPECT_EQ(objects.language->name, "code objects");
  EXPECT_EQ(objects.manifest->code[0].file.filename(), "a.ptx");
  EXPECT_EQ(objects.manifest->code[0].arch, "sm_80+");
  EXPECT_THAT(objects.backends, ElementsAre("cuda"));
}

struct Mistake {
  const char *text, *sentence;
};

TEST_F(Sealed, MistakesOfASourceAreSentences) {
  const Mistake mistakes[] = {
      {"title: x", "a.sealed.cu:2: launches: found nothing, expected the kernels that run"},
      {"launches: []", "launches: found a list, expected at least one launch"},
      {"launch: [{ kernel: k, grid: [1], block: [1], arguments: [] }]", "nearest: \"launches\""},
      {"launches: [{ kernel: k, grid: [1], arguments: [] }]", "launches[0].block: found nothing"},
      {"launches: [{ kernel: k, grid: [1, 1, 1, 1], block: [1], arguments: [] }]", "found 4 dimensions"},
      {"launches: [{ kernel: k, grid: [row], block: [1], arguments: [] }]", "nearest: \"rows\""},
      {"launches: [{ kernel: k, grid: [sum(lengths)], block: [1], arguments: [] }]",
       "found structure 'lengths', whose numbers differ from round to round"},
      {"launches: [{ kernel: k, grid: [1], block: [1], arguments: [z] }]", "found \"z\", expected one of"},
      {"launches: [{ kernel: k, grid: [1], block: [1], arguments: [rows] }]",
       "found rows, which is a number, expected its type as well: i32(rows)"},
      {"launches: [{ kernel: k, grid: [1], block: [1], arguments: [i33(rows)] }]", "nearest: \"i32\""},
      {"launches: [{ kernel: k, grid: [1], block: [1], arguments: [i32(sum(lengths))] }]",
       "found structure 'lengths'"},
      {"launches: [{ kernel: k, grid: [1], block: [1], arguments: [i32(rows +)] }]",
       "expected operators between"},
      {"launches: [{ kernel: k, grid: [1], block: [1], arguments: [], constants: { A: 1 } }]",
       "launches[0]: unknown key: found \"constants\""},
      {"values: { rows: 1 }\n//   launches: [{ kernel: k, grid: [1], block: [1], arguments: [] }]",
       "found \"rows\", which is an axis, expected a name of its own"},
      {"values: { size: 1 }\n//   launches: [{ kernel: k, grid: [1], block: [1], arguments: [] }]",
       "found \"size\", which is reserved"},
      {"values: { a: b, b: 1 }\n//   launches: [{ kernel: k, grid: [1], block: [1], arguments: [] }]",
       "values.a: "},
      {"scratch: { x: { dtype: f32, shape: [1] } }\n//   launches: [{ kernel: k, grid: [1], block: [1], "
       "arguments: [] }]",
       "found \"x\", which is a tensor"},
      {"scratch: { s: { dtype: f31, shape: [1] } }\n//   launches: [{ kernel: k, grid: [1], block: [1], "
       "arguments: [] }]",
       "scratch.s.dtype: found \"f31\""},
      {"define: { 1A: rows }\n//   launches: [{ kernel: k, grid: [1], block: [1], arguments: [] }]",
       "found \"1A\", expected a name of letters"},
      {"prepare: [{ kernel: k, grid: [1], block: [1], arguments: [x] }]\n"
       "//   launches: [{ kernel: k, grid: [1], block: [1], arguments: [] }]",
       "found tensor 'x', expected structure, scratch or numbers"},
      {"needs: [triton]\n//   launches: [{ kernel: k, grid: [1], block: [1], arguments: [] }]",
       "needs: found triton, expected libraries: it compiles name.sealed.py alone"},
      {"code: []\n//   launches: [{ kernel: k, grid: [1], block: [1], arguments: [] }]", "code: unknown key"},
      {"backends: [host]\n//   launches: [{ kernel: k, grid: [1], block: [1], arguments: [] }]",
       "backends: found \"host\""},
  };
  for (const auto& [text, sentence] : mistakes)
    EXPECT_THAT(mistake("a.sealed.cu", "// podium:\n//   " + std::string(text) + "\n"),
                AllOf(HasSubstr("a.sealed.cu:"), HasSubstr(sentence)))
        << text;
  EXPECT_THAT(mistake("a.sealed.cu",
                      "// podium:\n//   launches: [{ kernel: k, grid: [1], block: [1], arguments: [] }]\n"),
              HasSubstr("no mistake"));
}

TEST_F(Sealed, MistakesOfPythonAndCodeObjectsAreSentences) {
  const std::string launches = "launches: [{ kernel: k, grid: [1], arguments: [] }] }\n";
  EXPECT_THAT(mistake("a.sealed.py", "# podium: { " + launches),
              HasSubstr("needs: expected [triton] or [cutile]"));
  EXPECT_THAT(mistake("a.sealed.py", "# podium: { needs: [triton, cutile], " + launches),
              HasSubstr("expected [triton] or"));
  EXPECT_THAT(
      mistake(
          "a.sealed.py",
          "# podium: { needs: [triton], launches: [{ kernel: k, grid: [1], block: [1], arguments: [] }] }\n"),
      HasSubstr("launches[0]: unknown key: found \"block\""));
  EXPECT_THAT(mistake("a.sealed.py",
                      "# podium: { needs: [triton], launches: [{ kernel: k, grid: [1], arguments: [], "
                      "options: { num_warp: 1 } }] }\n"),
              HasSubstr("nearest: \"num_warps\""));
  const std::string with_block = "launches: [{ kernel: k, grid: [1], block: [1], arguments: [] }] }\n";
  EXPECT_THAT(mistake("a.sealed.yaml", "podium: { " + with_block), HasSubstr("code: found nothing"));
  EXPECT_THAT(mistake("a.sealed.yaml", "podium: { code: [{ file: ../a.ptx, arch: sm_90 }], " + with_block),
              HasSubstr("expected a file beside this one"));
  EXPECT_THAT(mistake("a.sealed.yaml", "podium: { code: [{ file: a.ptx, arch: sm90 }], " + with_block),
              HasSubstr("expected an architecture like sm_90"));
  EXPECT_THAT(mistake("a.sealed.yaml", "hello\n"), HasSubstr("a.sealed.yaml:1"));
}

}  // namespace
}  // namespace podium::compile
