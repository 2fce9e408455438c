// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Problems shaped by structure, from a YAML file to verdicts: sparse rows, ragged batches, page tables.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/end_to_end/command.hpp"

namespace podium::test {
namespace {

using testing::HasSubstr;

constexpr char csr_row_sums[] = R"YAML(podium: 1
title: Row sums of a sparse matrix
axes: { rows: , longest: , most: "rows * longest" }
types: { real: [f32] }
structure:
  length: { dtype: i32, shape: [rows], private: true, compute: "for (i : rows) out(i) = random.zipf(1.5, longest + 1) - 1;" }
  row_ptr: { dtype: i32, shape: [rows + 1], compute: "for (i : rows) out(i + 1) = out(i) + length(i);" }
tensors:
  value: { role: input, dtype: real, shape: [most], used: "row_ptr(rows)", fill: { normal: { mean: 1, stddev: 1 } } }
  y: { role: output, dtype: real, shape: [rows], tolerance: { ulp: 1, growth: "1 + max(length)", scale: magnitude } }
reference:
  y: { index: [i], reduce: { over: { e: ["row_ptr(i)", "row_ptr(i + 1)"] }, op: sum, term: "value(e)" } }
sample: { i: 64 }
cost: { bytes: auto, flops: "sum(length)" }
workloads:
  test: [ { rows: 1, longest: 1 }, { rows: 300, longest: 200 }, { rows: 5, longest: 5000 } ]
  quick: [ { rows: 20000, longest: 500 } ]
baseline: { host: loop }
)YAML";

// Every token's row scaled by the number of its sequence: `used` of an output, and segment().
constexpr char ragged[] = R"YAML(podium: 1
title: Ragged batch
axes: { batch: , longest: , width: , most: "batch * longest" }
types: { real: [f32] }
structure:
  length: { dtype: i32, shape: [batch], private: true, compute: "for (b : batch) out(b) = random.below(longest + 1);" }
  offsets: { dtype: i64, shape: [batch + 1], compute: "out(0) = 0; for (b : batch) out(b + 1) = out(b) + length(b);" }
tensors:
  x: { role: input, dtype: real, shape: [most, width], used: "offsets(batch)", fill: normal }
  y: { role: output, dtype: real, shape: [most, width], used: "offsets(batch)", tolerance: { ulp: 1, growth: 0 } }
  z: { role: output, dtype: real, shape: [batch, width], tolerance: { ulp: 1, growth: "1 + max(length)", scale: magnitude } }
reference:
  y: { index: [t, d], value: "(1 + segment(offsets, t)) * x(t, d)" }
  z: { index: [b, c], reduce: { over: { s: ["offsets(b)", "offsets(b + 1)"] }, op: sum, term: "x(s, c)" } }
workloads:
  test: [ { batch: 1, longest: 1, width: 1 }, { batch: 7, longest: 33, width: 5 }, { batch: 3, longest: 0, width: 4 } ]
baseline: { host: loop }
)YAML";

constexpr char paged[] = R"YAML(podium: 1
title: Gather through a page table
axes: { batch: , longest: , pages: "batch * ceil_div(longest, page)" }
constants: { page: 4, width: 3 }
types: { real: [f32] }
structure:
  length: { dtype: i32, shape: [batch], compute: "for (b : batch) out(b) = 1 + random.below(longest);" }
  page_ptr: { dtype: i32, shape: [batch + 1], compute: "for (b : batch) out(b + 1) = out(b) + ceil_div(length(b), page);" }
  table: { dtype: i32, shape: [pages], used: "page_ptr(batch)", compute: "random.permutation(out);" }
tensors:
  cache: { role: input, dtype: real, shape: [pages, page, width], fill: normal }
  y: { role: output, dtype: real, shape: [batch, width], tolerance: { ulp: 1, growth: "max(length)", scale: magnitude } }
reference:
  y: { index: [b, d], reduce: { over: { t: "length(b)" }, op: sum, term: "cache(table(page_ptr(b) + t / page), t % page, d)" } }
cost: { bytes: "size(real) * width * (sum(length) + batch)" }
workloads:
  test: [ { batch: 1, longest: 1 }, { batch: 9, longest: 50 } ]
baseline: { host: loop }
)YAML";

std::string contestant(const std::string& problem, const std::string& body) {
  return "// podium:\n//   title: A contestant of " + problem + "\n#include <podium/" + problem + ".hpp>\n" +
         "#include <vector>\nnamespace {\nstruct Contestant {\n" + body + "};\n}  // namespace\n";
}

std::string csr_loop(const std::string& from, const std::string& first = "", const std::string& less = "") {
  return "void run(const problem::Arguments& a, podium::Stream) {\n" + first +
         "for (std::int64_t i = 0; i < a.rows; ++i) { float s = 0;\n  for (auto e = a.row_ptr." + from +
         "(i); e < a.row_ptr." + from + "(i + 1)" + less + "; ++e) s += a.value(e);\n  a.y(i) = s; } }\n";
}

// The line of `podium verify` about a contestant.
std::string line_about(const Ended& ended, const std::string& name) {
  std::istringstream lines(ended.out);
  for (std::string line; std::getline(lines, line);)
    if (line.find("  " + name + " ") != std::string::npos) return line;
  return "none: " + ended.out + ended.err;
}

class Structure : public testing::Test {
 protected:
  void problem(const std::string& name, const std::string& yaml) {
    scratch.write("problems/" + name + "/problem.yaml", yaml);
    name_ = name;
  }
  void add(const std::string& name, const std::string& body) {
    scratch.write("problems/" + name_ + "/" + name + ".cpp", contestant(name_, body));
  }
  Ended verify() {
    return podium(
        {"verify", "--device", "host", "--quiet", "--problems", (scratch.path() / "problems").string()});
  }
  Scratch scratch;
  std::string name_;
};

// Every second draw breaks the condition; the others must not hide it.
TEST_F(Structure, CheckDrawsItManyTimes) {
  problem("drawn", R"YAML(podium: 1
title: A condition that holds now and then
axes: [n]
structure:
  length: { dtype: i32, shape: [], compute: "out() = random.below(2);" }
conditions: ["length() == 1"]
tensors:
  y: { role: output, dtype: f32, shape: [n], tolerance: { ulp: 1 } }
reference:
  y: { index: [i], value: "length()" }
workloads:
  test: [{ n: 4 }]
)YAML");
  const Ended ended = podium({"check", (scratch.path() / "problems/drawn").string()});
  EXPECT_EQ(ended.status, 2) << ended.out;
  EXPECT_THAT(ended.err,
              HasSubstr("problem.yaml:6: conditions[0]: in the test workload n=4 (line 12) found that "
                        "\"length() == 1\" does not hold"));
}

// Looks for the numbers of two structures in all memory of its process: one it is shown, one is private. Both
// are found where neither is private.
TEST_F(Structure, PrivateNumbersNeverReachTheContestantsProcess) {
  std::string yaml = R"YAML(podium: 1
title: A helper that nobody sees
axes: [n]
parameters: { first: f64 }
structure:
  secret: { dtype: i64, shape: [n], private: true, compute: "for (k : n) out(k) = 3000017 * (k + first);" }
  shown: { dtype: i64, shape: [n], compute: "for (k : n) out(k) = secret(k) + 1000003;" }
tensors:
  y: { role: output, dtype: f64, shape: [2], tolerance: { ulp: 1 } }
reference:
  y: { index: [i], value: "i == 0 ? 1.0 : 0.0 * secret(n - 1)" }   # shown was found, secret was not
workloads:
  test: [{ n: 64, first: 12345678 }]
)YAML";
  problem("hidden", yaml);
  scratch.write("problems/hidden/finds.cpp", R"(// podium: { title: Looks through its memory }
#include <podium/hidden.hpp>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
namespace {
constexpr std::int64_t step = 3000017;
// Whether memory holds three numbers of a structure, one behind the other.
bool holds(std::int64_t offset) {
  FILE* const maps = std::fopen("/proc/self/maps", "r");
  if (!maps) return false;
  static std::int64_t page[512];
  bool found = false;
  char line[512], rights[5];
  for (std::uintptr_t begin, end; std::fgets(line, sizeof line, maps);) {
    if (std::sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %4s", &begin, &end, rights) != 3 || rights[0] != 'r') continue;
    if (std::strstr(line, "[v")) continue;  // the kernel's own pages
    for (std::uintptr_t at = begin; at < end; at += sizeof page) {
      if (at == reinterpret_cast<std::uintptr_t>(page)) continue;
      std::memcpy(page, reinterpret_cast<const void*>(at), sizeof page);
      for (int k = 0; k + 2 < 512; ++k) {
        const std::int64_t x = page[k] - offset;
        found = found || (x > 0 && x % step == 0 && x / step >= 12345678 && x / step < 12345678 + 64 &&
                          page[k + 1] - page[k] == step && page[k + 2] - page[k + 1] == step);
      }
    }
  }
  std::fclose(maps);
  return found;
}
struct Contestant {
  void run(const problem::Arguments& a, podium::Stream) {
    const bool shown = holds(1000003), secret = holds(0);
    a.y(0) = shown;
    a.y(1) = secret;
  }
};
}  // namespace
)");
  const Ended ended = verify();
  EXPECT_EQ(ended.status, 0) << ended.out << ended.err;
  EXPECT_THAT(line_about(ended, "finds"), HasSubstr("right on 1 workload"));
  const std::string hides = "private: true, ";
  problem("hidden", yaml.erase(yaml.find(hides), hides.size()));
  EXPECT_THAT(line_about(verify(), "finds"), HasSubstr("y[1] is 1, expected 0"));
}

TEST_F(Structure, SparseRowsAndWhoeverChangesThem) {
  problem("csr_row_sums", csr_row_sums);
  add("loop", csr_loop("device"));
  add("from_host", csr_loop("host"));
  add("planner",
      "std::vector<int> ends;\nexplicit Contestant(const problem::Workload& w) {\n"
      "for (std::int64_t i = 0; i < w.rows; ++i) ends.push_back(w.row_ptr.host(i + 1)); }\n"
      "void run(const problem::Arguments& a, podium::Stream) { int e = 0;\n"
      "for (std::int64_t i = 0; i < a.rows; ++i) { float s = 0;\n"
      "while (e < ends[i]) s += a.value(e++);\na.y(i) = s; } }\n");
  add("last_left_out", csr_loop("device", "", " - 1"));
  add("overwrites", csr_loop("host", "const_cast<std::int32_t&>(a.row_ptr.device(a.rows)) ^= 1;\n"));
  add("overwrites_early",
      "explicit Contestant(const problem::Workload& w) {\n"
      "for (std::int64_t i = 0; i <= w.rows; ++i) const_cast<std::int32_t&>(w.row_ptr.device(i)) ^= "
      "0x40000000; }\n" +
          csr_loop("host"));
  add("writes_host", csr_loop("device", "const_cast<std::int32_t&>(a.row_ptr.host(0)) = 1;\n"));
  add("before_it", csr_loop("host", "const_cast<std::int32_t*>(a.row_ptr.device.data)[-1] = 1;\n"));
  const auto ended = verify();
  EXPECT_EQ(ended.status, 1) << ended.err;
  for (const std::string right : {"loop", "from_host", "planner"})
    EXPECT_THAT(line_about(ended, right), HasSubstr("right on 3 workloads")) << ended.err;
  EXPECT_THAT(line_about(ended, "last_left_out"), HasSubstr("wrong"));
  EXPECT_THAT(line_about(ended, "overwrites"), HasSubstr("structure row_ptr was changed"));
  EXPECT_THAT(line_about(ended, "overwrites_early"), HasSubstr("structure row_ptr was changed"));
  EXPECT_THAT(line_about(ended, "writes_host"), HasSubstr("crashed"));
  EXPECT_THAT(line_about(ended, "before_it"), HasSubstr("out of bounds"));
}

TEST_F(Structure, RaggedBatchesAreVerifiedWhereTheyAreInUse) {
  problem("ragged", ragged);
  const std::string body =
      "void run(const problem::Arguments& a, podium::Stream) {\nfor (std::int64_t b = 0; b < a.batch; ++b)\n"
      "for (std::int64_t d = 0; d < a.width; ++d) { float s = 0;\n"
      "for (auto t = a.offsets.device(b); t < a.offsets.device(b + 1); ++t) {\n"
      "  s += a.x(t, d); a.y(t, d) = (1 + b FACTOR) * a.x(t, d); }\na.z(b, d) = s; }\nREST }\n";
  const auto with = [&](const std::string& factor, const std::string& rest) {
    std::string text = body;
    text.replace(text.find("FACTOR"), 6, factor);
    return text.replace(text.find("REST"), 4, rest);
  };
  add("loop", with("", "if (a.y.extent(0) != a.most || a.x.extent(0) != a.most) a.z(0, 0) = -1e9f;"));
  add("wrong_sequence", with("/ 2", ""));
  add("past_its_part", with("", "for (auto t = a.offsets.host(a.batch); t < a.most; ++t) a.y(t, 0) = 0;"));
  const auto ended = verify();
  EXPECT_EQ(ended.status, 1) << ended.err;
  EXPECT_THAT(line_about(ended, "loop"), HasSubstr("right on 3 workloads")) << ended.err;
  EXPECT_THAT(line_about(ended, "wrong_sequence"), HasSubstr("wrong"));
  EXPECT_THAT(line_about(ended, "past_its_part"), HasSubstr("behind y"));
}

TEST_F(Structure, PageTables) {
  problem("paged", paged);
  const auto body = [](const std::string& page) {
    return "void run(const problem::Arguments& a, podium::Stream) {\nfor (std::int64_t b = 0; b < a.batch; "
           "++b)\n"
           "for (int d = 0; d < problem::width; ++d) { float s = 0;\n"
           "for (int t = 0; t < a.length.device(b); ++t)\n"
           "  s += a.cache(" +
           page + ", t % problem::page, d);\na.y(b, d) = s; } }\n";
  };
  add("loop", body("a.table.device(a.page_ptr.device(b) + t / problem::page)"));
  add("without_table", body("a.page_ptr.device(b) + t / problem::page"));
  const auto ended = verify();
  EXPECT_EQ(ended.status, 1) << ended.err;
  EXPECT_THAT(line_about(ended, "loop"), HasSubstr("right on 2 workloads")) << ended.err;
  EXPECT_THAT(line_about(ended, "without_table"), HasSubstr("wrong"));
}

// All contestants of a round see the same structure, the next round another; costs are those of the round.
TEST_F(Structure, ARoundHasOneStructure) {
  problem("csr_row_sums", csr_row_sums);
  add("loop", csr_loop("device"));
  add("other", csr_loop("host"));
  const auto ended =
      podium({"run", "--device", "host", "--quick", "--rounds", "3", "--problems",
              (scratch.path() / "problems").string(), "--results", scratch.results().string()});
  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto runs = scratch.runs();
  ASSERT_EQ(runs.size(), 1u);
  std::map<int, std::vector<double>> flops;
  for (const auto& entry : runs[0].entries) {
    if (entry.round < 0) continue;
    flops[entry.round].push_back(entry.flops);
    // 4 bytes a value, a row, and 4 bytes an offset
    EXPECT_DOUBLE_EQ(entry.bytes, 4 * entry.flops + 4 * 20000 + 4 * 20001);
  }
  ASSERT_EQ(flops.size(), 3u);
  for (const auto& [round, all] : flops) {
    ASSERT_EQ(all.size(), 3u);  // two contestants and the baseline's twin
    for (const double one : all) EXPECT_EQ(one, all[0]);
  }
  EXPECT_NE(flops[0][0], flops[1][0]);
  EXPECT_NE(flops[1][0], flops[2][0]);
}

// What is stored of an intermediate follows structure, too: tools that say how much take some round's.
TEST_F(Structure, ToolsKnowWhatFollowsIt) {
  std::string text = csr_row_sums;
  const std::string from = "reference:\n", term = "term: \"value(e)\"";
  text.replace(text.find(term), term.size(), "term: \"half(e) + half(e)\"");
  text.insert(text.find(from) + from.size(),
              "  half: { index: { k: \"row_ptr(rows)\" }, value: \"value(k) / 2\" }\n");
  problem("csr_row_sums", text);
  add("loop", csr_loop("device"));
  const std::string file = (scratch.path() / "problems/csr_row_sums/problem.yaml").string();

  const auto measured = podium({"check", "--measure", "--device", "host", file});
  EXPECT_EQ(measured.status, 0) << measured.err;
  EXPECT_THAT(measured.out, HasSubstr("rows=20000,longest=500"));

  const auto all = nlohmann::json::parse(podium({"show", "problem", file, "--format", "json"}).out);
  EXPECT_EQ(all["structure"].size(), 2u);
  EXPECT_EQ(all["structure"][0]["private"], true);
  for (const auto& workload : all["boards"][0]["workloads"]) {
    const double used = workload["tensors"][0]["shape"][0], rows = workload["axes"]["rows"];
    EXPECT_EQ(workload["flops"], used);
    EXPECT_EQ(workload["bytes"], 4 * (used + rows + rows + 1));
    EXPECT_GE(workload["memory"]["judge in full"], 8 * used);
  }
  const auto shown = podium({"show", "problem", file});
  EXPECT_THAT(shown.out,
              HasSubstr("structure\n  i32    length [rows], private\n  i32    row_ptr [rows + 1]\n"));

  const auto full = podium({"verify", "--full", "--device", "host", "--quiet", "--problems",
                            (scratch.path() / "problems").string()});
  EXPECT_EQ(full.status, 0) << full.err;
  EXPECT_THAT(line_about(full, "loop"), HasSubstr("right on 4 workloads")) << full.err;
}

TEST_F(Structure, CheckFindsWhatOnlyTheNumbersShow) {
  const auto checked = [&](const std::string& from, const std::string& to) {
    std::string text = csr_row_sums;
    text.replace(text.find(from), from.size(), to);
    return podium({"check", scratch.write("problems/csr_row_sums/problem.yaml", text).string()});
  };
  const auto well = checked("row_ptr:", "row_ptr:");
  EXPECT_EQ(well.status, 0) << well.err;
  const auto outside = checked("random.zipf(1.5, longest + 1) - 1;", "i - 1; out(rows) = 0;");
  EXPECT_EQ(outside.status, 2);
  EXPECT_THAT(outside.err,
              HasSubstr("problem.yaml:6: structure.length.compute: in the test workload "
                        "rows=1,longest=1 (line 16) found out(1), expected indices within its shape [1]"));
  const auto unused = checked("used: \"row_ptr(rows)\"", "used: \"row_ptr(rows) + 1000000\"");
  EXPECT_EQ(unused.status, 2);
  EXPECT_THAT(unused.err, HasSubstr("tensors.value.used: in the test workload rows=1,longest=1"));
  EXPECT_THAT(unused.err, HasSubstr("expected a whole number from 0 to its extent, 1"));
  const auto beyond = checked("\"row_ptr(i + 1)\"]", "\"row_ptr(i + 2)\"]");
  EXPECT_EQ(beyond.status, 2) << beyond.out;
  EXPECT_THAT(beyond.err, HasSubstr("found reference y to read row_ptr["));
  const auto condition = checked("types:", "conditions: [\"sum(length) < 0\"]\ntypes:");
  EXPECT_EQ(condition.status, 2);
  EXPECT_THAT(condition.err, HasSubstr("found that \"sum(length) < 0\" does not hold"));
}

}  // namespace
}  // namespace podium::test
