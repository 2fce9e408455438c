// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The commands around a problem file: new, show, schema, check --measure, verify --full.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/end_to_end/command.hpp"
#include "tests/paths.hpp"

namespace podium::test {
namespace {

using nlohmann::json;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

const std::string kernels = source_dir() + "/kernels";

std::string text_of(const fs::path& file) {
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

struct Tools : testing::Test {
  Scratch scratch;
  std::string folder() const { return (scratch.path() / "kernels").string(); }
  Ended in_folder(std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), {"--problems", folder()});
    return podium(arguments);
  }
};

TEST_F(Tools, ANewProblemRunsAtOnce) {
  const auto made = in_folder({"new", "problem", "mine"});
  ASSERT_EQ(made.status, 0) << made.err;
  EXPECT_THAT(made.out, HasSubstr("podium run mine --quick"));
  const auto ran = in_folder({"run", "mine", "--quick", "--device", "host", "--quiet", "--rounds", "2",
                              "--results", scratch.results().string()});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  const auto runs = scratch.runs();
  ASSERT_EQ(runs.size(), 1u);
  for (const char* contestant : {"serial", "plain"})
    EXPECT_TRUE(find(runs[0], contestant, "right")) << contestant;
  const auto checked = podium({"check", folder() + "/mine"});
  EXPECT_EQ(checked.status, 0) << checked.err;
}

TEST_F(Tools, ANewProblemRefusesBadNamesAndWhatIsThere) {
  for (const char* name : {"1st", "a-b", "../x", "podium_x", "kokkos", ""})
    EXPECT_EQ(in_folder({"new", "problem", name}).status, 2) << name;
  EXPECT_THAT(in_folder({"new", "problem", "a-b"}).err,
              HasSubstr("new problem: found \"a-b\", expected a name of at most 64 letters, digits and _"));
  EXPECT_FALSE(fs::exists(folder()));
  EXPECT_EQ(in_folder({"new", "problem", "mine"}).status, 0);
  const std::string before = text_of(folder() + "/mine/problem.yaml");
  const auto again = in_folder({"new", "problem", "mine"});
  EXPECT_EQ(again.status, 2);
  EXPECT_THAT(again.err, HasSubstr("already exists, expected a new name"));
  EXPECT_EQ(text_of(folder() + "/mine/problem.yaml"), before);
}

TEST_F(Tools, ANewContestantCompilesAndIsNotWritten) {
  fs::create_directories(folder());
  for (const char* problem : {"softmax", "sort"})
    fs::create_directories(fs::path(folder()) / problem),
        fs::copy_file(kernels + "/" + problem + "/problem.yaml",
                      fs::path(folder()) / problem / "problem.yaml");
  for (const char* problem : {"softmax", "sort"})
    for (const char* kind : {"cpp", "gpu.cpp"}) {
      const std::string name = std::string("first_") + kind[0];
      const auto made = in_folder({"new", "contestant", problem, name, "--kind", kind});
      ASSERT_EQ(made.status, 0) << made.err;
      const auto verified =
          in_folder({"verify", problem, "--device", "host", "--quiet", "--contestant", name});
      EXPECT_EQ(verified.status, 1);
      EXPECT_THAT(verified.out, HasSubstr("not written")) << problem << " " << kind << verified.err;
      EXPECT_THAT(verified.out, Not(HasSubstr("did not compile")));
    }
}

// It runs on GPUs alone; every contestant's file is read when problems are listed.
TEST_F(Tools, ANewSealedContestantIsOne) {
  for (const char* problem : {"softmax", "csr_spmv"}) {
    fs::create_directories(fs::path(folder()) / problem);
    fs::copy_file(kernels + "/" + problem + "/problem.yaml", fs::path(folder()) / problem / "problem.yaml");
    const auto made = in_folder({"new", "contestant", problem, "mine", "--kind", "sealed.gpu.cpp"});
    ASSERT_EQ(made.status, 0) << made.err;
  }
  const auto listed = in_folder({"list", "problems"});
  EXPECT_EQ(listed.status, 0) << listed.err;
  EXPECT_THAT(listed.out, HasSubstr("cuda  mine (sealed)\n"));
  EXPECT_THAT(listed.out, HasSubstr("hip   mine (sealed)\n"));
}

TEST_F(Tools, ANewContestantRefusesUnknownProblemsBadNamesKindsAndWhatIsThere) {
  ASSERT_EQ(in_folder({"new", "problem", "mine"}).status, 0);
  EXPECT_THAT(in_folder({"new", "contestant", "mien", "a"}).err, HasSubstr("(nearest: \"mine\")"));
  EXPECT_THAT(in_folder({"new", "contestant", "mine", "a.b"}).err,
              HasSubstr("found \"a.b\", expected a contestant's name"));
  EXPECT_THAT(in_folder({"new", "contestant", "mine", "a", "--kind", "gpu"}).err,
              HasSubstr("--kind: found \"gpu\", expected one of gpu.cpp, cu, hip, cpp, py, sealed.gpu.cpp"));
  EXPECT_THAT(in_folder({"new", "contestant", "mine", "serial"}).err,
              HasSubstr("serial.cpp: already exists"));
  EXPECT_EQ(in_folder({"new", "contestant", "mine", "pair", "--kind", "cu"}).status, 0);
  EXPECT_EQ(in_folder({"new", "contestant", "mine", "pair", "--kind", "hip"}).status, 0)
      << "one on two vendors";
  EXPECT_EQ(in_folder({"new", "contestant", "mine", "pair", "--kind", "cpp"}).status, 2);
  EXPECT_EQ(in_folder({"new", "contestant", "mine", "pair", "--kind", "cu"}).status, 2);
}

TEST(Show, GivesShapesBytesFlopsAndMemory) {
  const auto ended = podium({"show", "problem", "softmax", "--format", "json"});
  ASSERT_EQ(ended.status, 0) << ended.err;
  const json all = json::parse(ended.out);
  EXPECT_EQ(all["boards"].size(), 2u);
  const json& bf16 = all["boards"][1];
  EXPECT_EQ(bf16["types"]["real"], "bf16");
  const auto at = [&](const std::string& name) {
    for (const json& workload : bf16["workloads"])
      if (workload["name"] == name) return workload;
    return json();
  };
  const json workload = at("rows=512,cols=1024");
  ASSERT_FALSE(workload.is_null());
  EXPECT_EQ(workload["tensors"][1]["shape"], json({512, 1024}));
  EXPECT_EQ(workload["bytes"], 2.0 * 2 * 512 * 1024);
  EXPECT_EQ(workload["flops"], 5.0 * 512 * 1024);
  EXPECT_GT(workload["memory"]["arena"], 2 * 2 * 512 * 1024);
  EXPECT_GT(workload["memory"]["judge in full"].get<double>() - workload["memory"]["judge"].get<double>(),
            8 * (512 * 1024 - 80 * 80) - 4096);
  EXPECT_TRUE(at("rows=2,cols=32771").is_null()) << "of the other board";
  EXPECT_THAT(bf16["program"].get<std::string>(), HasSubstr("PODIUM_KERNEL(podium_compare_y)"));
  EXPECT_EQ(podium({"show", "problem", "softmax", "--generated", "header", "--board", "bf16"}).out,
            bf16["header"].get<std::string>());
}

TEST(Show, SaysEveryFormInItsWords) {
  const Scratch scratch;
  const auto file = scratch.write("forms/problem.yaml", R"y(podium: 1
title: Forms
axes: [n]
tensors:
  x: { role: input, dtype: i32, shape: [n], fill: sequence }
  a: { role: output, dtype: i32, shape: [n] }
  b: { role: output, dtype: i32, shape: [3] }
  c: { role: output, dtype: i32, shape: [n] }
  d: { role: output, dtype: i32, shape: [n] }
  e: { role: output, dtype: i32, shape: [n] }
  f: { role: output, dtype: i32, shape: [n] }
  g: { role: output, dtype: i32, shape: [n] }
reference:
  a: { index: [i], scan: { along: i, op: sum, term: "x(i)", exclusive: true } }
  b: { index: [k], scatter: { over: { t: n }, at: { k: "x(t) % 3" }, op: count, term: "1", where: "t > 1" } }
  c: { index: [i], recur: { along: i, first: "1", next: "c(i - 1) + x(i)" } }
  d: { index: [r], order: { along: { j: n }, by: "x(j)", descending: true } }
  e:
    index: [i]
    code: |
      i64 v = x(i);
      return 2 * v;
  f: { index: [i], reduce: { over: { t: n }, op: max, term: "x(t)" } }
  g: { index: [i], value: "3 * x(i)" }
workloads: { test: [{ n: 4 }] }
)y");
  const auto shown = podium({"show", "problem", file.string()});
  EXPECT_EQ(shown.status, 0) << shown.err;
  for (const char* line :
       {"  a(i) = sum along i, exclusive, of x(i)\n",
        "  b(k) = count over t to k = x(t) % 3, where t > 1, of 1\n",
        "  c(i) = along i, first 1, next c(i - 1) + x(i)\n", "  d(r) = rank of j, descending, by x(j)\n",
        "  e(i) = code\n    i64 v = x(i);\n    return 2 * v;\n", "  f(i) = max over t of x(t)\n",
        "  g(i) = 3 * x(i)\n"})
    EXPECT_THAT(shown.out, HasSubstr(line));
}

TEST(Show, IsReadableAndTakesAFile) {
  const auto ended = podium({"show", "problem", kernels + "/softmax/problem.yaml"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("total(i) = sum over j of exp(x(i, j) - peak(i))"));
  EXPECT_THAT(ended.out, HasSubstr("quick rows=512,cols=1024: x [512,1024], y [512,1024]"));
  EXPECT_EQ(podium({"show", "problem", kernels + "/softmax"}).out, ended.out);
  EXPECT_THAT(podium({"show", "problem", "softmaks"}).err, HasSubstr("(nearest: \"softmax\")"));
  EXPECT_THAT(podium({"show", "problem", "nowhere/problem.yaml"}).err, HasSubstr("no such file"));
  EXPECT_THAT(podium({"show", "problem", "softmax", "--generated", "header", "--board", "f23"}).err,
              HasSubstr("no such board: found \"f23\""));
}

TEST(Schema, IsPrinted) {
  EXPECT_EQ(podium({"schema"}).out, text_of(source_dir() + "/docs/problem.schema.json"));
}

// Cheap beside what its workloads say, and with one that cannot be verified in full.
const std::string measured = R"y(podium: 1
title: t
axes: [n]
tensors:
  x: { role: input, dtype: f32, shape: [n], fill: normal }
  y: { role: output, dtype: f32, shape: [n], tolerance: { ulp: 1 } }
reference: { y: { index: [i], reduce: { over: { k: n }, op: sum, term: "x(i) * x(k)" } } }
sample: { i: 2 }
workloads: { test: [{ n: 3 }], quick: [{ n: 100 }], bench: [{ n: 2000000 }] }
)y";

TEST_F(Tools, MeasuresEveryWorkloadAndBindsNobodyOnTheCpu) {
  const auto file = scratch.write("kernels/measured/problem.yaml", measured);
  const auto ended = podium({"check", "--measure", "--references", "--device", "host", file.string()});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(ended.out, ContainsRegex("n=100 +y +[2-4] +100 +100 +[0-9.]+ [^ ]+ +[0-9.e+]+"));
  EXPECT_THAT(ended.out, HasSubstr("the CPU: these costs do not bind"));
  for (const char* workload : {"n=3", "n=100", "n=2000000"}) EXPECT_THAT(ended.out, HasSubstr(workload));
  EXPECT_THAT(ended.out, HasSubstr("not tried")) << "4e12 terms take longer than a minute";
  EXPECT_EQ(podium({"check", "--device", "host", file.string()}).status, 2) << "without --measure";
  EXPECT_EQ(podium({"check", "--references", file.string()}).status, 2) << "without --measure";
}

// One workload that cannot be measured is named, and takes no other's numbers with it; nor is a CPU lost.
TEST_F(Tools, MeasuresTheOthersWhereOneFails) {
  std::string yaml = measured;
  yaml.replace(yaml.find("reduce:"),
               std::string("reduce: { over: { k: n }, op: sum, term: \"x(i) * x(k)\" }").size(),
               "code: \"if (n == 100) __builtin_trap(); return x(i);\"");
  yaml.replace(yaml.find("n: 2000000"), 10, "n: 200, name: second }, { n: 1000000000000");
  const auto file = scratch.write("kernels/measured/problem.yaml", yaml);
  const auto ended = podium({"check", "--measure", "--device", "host", file.string()});
  EXPECT_EQ(ended.status, 2);
  for (const char* workload : {"n=3 ", "second "}) EXPECT_THAT(ended.out, HasSubstr(workload));
  EXPECT_THAT(ended.err,
              HasSubstr(file.string() + ":9: the quick workload n=100 of board fixed was not measured: "
                                        "the judge crashed: SIGILL"));
  EXPECT_THAT(ended.err,
              HasSubstr(file.string() + ":9: the bench workload n=1000000000000 of board fixed was not "
                                        "measured: it needs "));
  EXPECT_THAT(ended.err, Not(HasSubstr("the device may be lost")));
}

TEST_F(Tools, ChecksOneWorkload) {
  std::string yaml = measured;
  yaml.replace(yaml.find("{ n: 3 }"), 8, "{ n: 3 }, { n: 4 }");
  const auto file = scratch.write("kernels/measured/problem.yaml", yaml).string();
  const auto one = podium({"check", "--workload", "n=4", file});
  EXPECT_EQ(one.status, 0) << one.err;
  EXPECT_THAT(one.out, HasSubstr("references evaluated on workload n=4"));
  const auto sampled = podium({"check", "--workload", "fixed/n=100", "--measure", "--device", "host", file});
  EXPECT_EQ(sampled.status, 0) << sampled.err;
  EXPECT_THAT(sampled.out, HasSubstr("n=100 "));
  EXPECT_THAT(sampled.out, Not(HasSubstr("n=3 ")));
  const auto none = podium({"check", "--workload", "n=5", file});
  EXPECT_EQ(none.status, 2);
  EXPECT_THAT(none.err,
              HasSubstr("measured/problem.yaml: --workload: found \"n=5\", expected one of fixed/n=3, "
                        "fixed/n=4, fixed/n=100, fixed/n=2000000"));
}

// Wrong where no sample of its quick workload looks: 400 of a million elements.
TEST_F(Tools, VerifyFullSeesWhatSamplesMiss) {
  scratch.write("kernels/copy/problem.yaml", R"y(podium: 1
title: t
axes: [n]
tensors:
  x: { role: input, dtype: i32, shape: [n], fill: sequence }
  y: { role: output, dtype: i32, shape: [n] }
reference: { y: { index: [i], value: "x(i)" } }
sample: { i: 8 }
workloads: { test: [{ n: 7 }], quick: [{ n: 1000000 }] }
)y");
  scratch.write("kernels/copy/sly.cpp", R"c(// podium: { title: "one element off, far from the ends" }
#include <podium/copy.hpp>
namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    for (std::int64_t i = 0; i < args.n; ++i) args.y(i) = args.x(i) + (i == 654321);
  }
};
}  // namespace
)c");
  const auto tests = in_folder({"verify", "copy", "--device", "host", "--quiet"});
  EXPECT_EQ(tests.status, 0) << tests.out << tests.err;
  const auto quick = in_folder({"verify", "copy", "--device", "host", "--quiet", "--quick"});
  EXPECT_EQ(quick.status, 0) << quick.out << quick.err << "of a million elements eight are drawn";
  EXPECT_THAT(quick.out, HasSubstr("right on 2 workloads"));
  EXPECT_THAT(tests.out, HasSubstr("right on 1 workload"));
  const auto full = in_folder({"verify", "copy", "--device", "host", "--quiet", "--full"});
  EXPECT_EQ(full.status, 1) << full.err;
  EXPECT_THAT(full.out, HasSubstr("n=1000000"));
  EXPECT_THAT(full.out, HasSubstr("y[654321]"));
}

// A pebibyte.
TEST_F(Tools, VerifyFullSaysWhatItCannotHold) {
  scratch.write("kernels/copy/problem.yaml", R"y(podium: 1
title: t
axes: [n]
tensors:
  x: { role: input, dtype: i8, shape: [n], fill: zeros }
  y: { role: output, dtype: i8, shape: [n] }
reference: { y: { index: [i], value: "x(i)" } }
sample: { i: 8 }
workloads: { test: [{ n: 7 }], bench: [{ n: 1125899906842624 }] }
)y");
  scratch.write("kernels/copy/right.cpp", R"c(// podium: { title: "a loop" }
#include <podium/copy.hpp>
namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    for (std::int64_t i = 0; i < args.n; ++i) args.y(i) = args.x(i);
  }
};
}  // namespace
)c");
  const auto full = in_folder({"verify", "copy", "--device", "host", "--quiet", "--full"});
  EXPECT_EQ(full.status, 1) << "what was asked for was not verified";
  EXPECT_THAT(full.err, HasSubstr("copy/fixed: n=1125899906842624: not verified: full verification needs"));
  EXPECT_THAT(full.out, HasSubstr("right on 1 workload,"));
}

}  // namespace
}  // namespace podium::test
