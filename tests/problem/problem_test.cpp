// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What a good file becomes: the sample's members, the five problems, numbers of workloads by hand.
#include "suite/problem/model/problem.hpp"
#include "suite/problem/formula/reference_forms.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "suite/problem/checks/checks.hpp"
#include "suite/problem/fills/fills.hpp"
#include "suite/problem/instance/instantiate.hpp"
#include "suite/problem/parse/parse.hpp"
#include "tests/paths.hpp"
#include "tests/problem/sample.hpp"

namespace podium::problem {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

Problem good() { return parse("thing", sample, "p.yaml"); }

TEST(Sample, Quantities) {
  const Problem problem = good();
  EXPECT_EQ(problem.name, "thing");
  EXPECT_EQ(problem.title, "Row-wise softmax");
  ASSERT_EQ(problem.axes.size(), 3u);
  EXPECT_EQ(problem.axes[0].name, "rows");
  EXPECT_FALSE(problem.axes[0].formula);
  EXPECT_EQ(problem.axes[2].formula->text, "ceil_div(cols, head)");
  EXPECT_EQ(problem.axes[2].formula->at.line, 6);
  EXPECT_EQ(problem.parameters[0].type, Dtype::f32);
  EXPECT_TRUE(problem.constants[0].whole);
  EXPECT_FALSE(problem.constants[1].whole);
  EXPECT_EQ(problem.constants[1].value, 0.5);
  EXPECT_EQ(problem.memory_limit, std::int64_t{2} << 30);
  EXPECT_EQ(problem.scratch_limit, 64 << 20);
  EXPECT_THAT(problem.sample, ElementsAre(Pair("i", 64), Pair("j", 32)));
  EXPECT_THAT(problem.baseline, ElementsAre(Pair("cuda", "cub"), Pair("host", "threads")));
  EXPECT_FALSE(problem.bytes);
  EXPECT_EQ(problem.flops->text, "5 * rows * cols");
}

TEST(Sample, AKeyOfTypesIsEachBoardsAccumulator) {
  const Problem problem =
      parse("thing", with("scale: magnitude", "scale: magnitude, accumulate: real"), "p.yaml");
  std::vector<double> eps;
  for (const Choice& choice : problem.choices)
    for (const Workload& workload : problem.workloads)
      if (on_board(workload, choice) && workload.stage == Stage::quick)
        eps.push_back(instantiate(problem, choice, workload).tensors[2].accumulate_eps);
  EXPECT_EQ(eps, (std::vector<double>{0x1p-23, 0x1p-7}));
  std::string whole = with("scale: magnitude", "scale: magnitude, accumulate: count");
  const std::string from = "bf16] }";
  whole.replace(whole.find(from), from.size(), "bf16], count: [i64] }");
  whole.replace(whole.find("dtype: i32"), 10, "dtype: count");
  EXPECT_EQ(
      mistakes_of(whole),
      "p.yaml:14: tensors.y.tolerance.accumulate: found count, which is i64 on a board, expected a key of "
      "floating dtypes");
}

TEST(Sample, Tensors) {
  const Problem problem = good();
  const Tensor& y = *problem.tensor("y");
  EXPECT_EQ(y.role, Role::output);
  EXPECT_EQ(y.type, "real");
  EXPECT_EQ(y.tolerance.ulp.text, "4");
  EXPECT_EQ(y.tolerance.growth.text, "sqrt(cols)");
  EXPECT_EQ(y.tolerance.scale, Tolerance::Scale::magnitude);
  EXPECT_EQ(y.tolerance.accumulate_eps, std::ldexp(1, -23));
  EXPECT_EQ(problem.tensor("w")->fill.ready->name, "integers");
  EXPECT_EQ(problem.tensor("w")->fill.second.text, "9");
  EXPECT_TRUE(problem.tensor("t")->shape.empty());
  EXPECT_EQ(problem.tensor("z"), nullptr);
}

TEST(Sample, ReferencesComeAfterWhatTheyUse) {
  const Problem problem = good();
  std::vector<std::string> names;
  for (const Reference& reference : problem.references) names.push_back(reference.name);
  EXPECT_THAT(names, ElementsAre("peak", "total", "y", "t"));
  const Reference& peak = problem.references[0];
  EXPECT_EQ(peak.form->name, "reduce");
  EXPECT_EQ(peak.op, Reference::Op::max);
  EXPECT_EQ(peak.over[0].name, "j");
  EXPECT_EQ(peak.over[0].high.text, "cols");
  EXPECT_EQ(peak.term.text, "x(i, j)");
  EXPECT_EQ(peak.term.at.line, 20);
  EXPECT_FALSE(peak.output);
  const Reference& y = problem.references[2];
  EXPECT_TRUE(y.output);
  EXPECT_EQ(y.index[1].name, "j");
  EXPECT_EQ(y.index[1].low.text, "0");
  EXPECT_EQ(y.index[1].high.text, "cols");
}

TEST(Sample, Checks) {
  const Problem problem = good();
  ASSERT_EQ(problem.checks.size(), 2u);
  EXPECT_EQ(problem.checks[0].builtin->name, "sorted");
  EXPECT_EQ(problem.checks[0].tensor, "s");
  EXPECT_TRUE(problem.checks[0].descending);
  EXPECT_EQ(problem.checks[1].builtin->name, "permutation");
  EXPECT_EQ(problem.checks[1].of, "x");
}

TEST(Sample, Workloads) {
  const Problem problem = good();
  ASSERT_EQ(problem.workloads.size(), 4u);
  const Workload& second = problem.workloads[1];
  EXPECT_EQ(second.name, "rows=7,cols=1023,scale=0.1");
  EXPECT_EQ(second.parameters.at("scale"), static_cast<double>(0.1f));  // what contestants get
  EXPECT_FALSE(on_board(second, problem.choices[0]));
  EXPECT_TRUE(on_board(second, problem.choices[1]));
  EXPECT_TRUE(on_board(problem.workloads[0], problem.choices[0]));
  EXPECT_EQ(problem.workloads[2].name, "ones");
  EXPECT_EQ(problem.workloads[2].stage, Stage::quick);
  EXPECT_EQ(name_of(Stage::bench), "bench");
}

TEST(Instances, NumbersByHand) {
  const Problem problem = good();
  const Instance instance =
      instantiate(problem, problem.choices[1], problem.workloads[1]);  // 7 × 1023 in bf16
  EXPECT_THAT(instance.axes, ElementsAre(7, 1023, 256));
  EXPECT_THAT(instance.parameters, ElementsAre(0.1f));
  EXPECT_THAT(instance.tensors[0].extents, ElementsAre(7, 1023));
  EXPECT_EQ(instance.tensors[0].elements, 7161);
  EXPECT_EQ(instance.tensors[0].bytes, 14322);
  EXPECT_EQ(instance.tensors[0].dtype, Dtype::bf16);
  EXPECT_EQ(instance.tensors[0].fill_second, 1);
  EXPECT_EQ(instance.tensors[1].bytes, 1024);
  EXPECT_EQ(instance.tensors[4].elements, 1);  // shape []
  EXPECT_EQ(instance.bytes, 3 * 14322 + 1024 + 4);
  EXPECT_EQ(instance.flops, 35805);
  EXPECT_EQ(evaluate(problem, instance, {"size(real) * rows + head + slope", {}}), 18.5);
}

TEST(Instances, WorkloadsOverrideFills) {
  const Problem problem = good();
  EXPECT_EQ(instantiate(problem, problem.choices[0], problem.workloads[2]).tensors[0].ready_fill->name,
            "ones");
  EXPECT_EQ(instantiate(problem, problem.choices[0], problem.workloads[0]).tensors[0].ready_fill->name,
            "normal");
}

TEST(Instances, RefuseWhatTheFileCouldNotHold) {
  Problem problem = good();
  const Choice& choice = problem.choices[0];
  const auto refusal = [&](const Workload& workload) -> std::string {
    try {
      instantiate(problem, choice, workload);
      return "accepted";
    } catch (const Error& error) {
      return error.what();
    }
  };
  Workload workload = problem.workloads[0];
  EXPECT_EQ(refusal(workload), "accepted");
  workload.axes["cols"] = 0;
  EXPECT_THAT(refusal(workload), HasSubstr("p.yaml:7: conditions[0]: in the test workload"));
  workload.axes.erase("cols");
  EXPECT_THAT(refusal(workload), HasSubstr("p.yaml:28: cols: in the test workload"));
  workload = problem.workloads[0];
  workload.parameters.clear();
  EXPECT_THAT(refusal(workload), HasSubstr("p.yaml:28: scale: "));
  problem.axes[2].formula->text = "blocks + 1";
  EXPECT_THAT(refusal(problem.workloads[0]), HasSubstr("axes.blocks: in the test workload"));
  EXPECT_THROW(
      evaluate(problem, Instance{"", Stage::test, {1, 1, 1}, {1}, std::vector<TensorInstance>(5), 0, 0},
               {"q", {"p.yaml", 3}}),
      Error);
}

TEST(Instances, ZeroExtentsAreLegal) {
  const Problem problem = parse("thing", with("[ { rows: 1, cols: 1,", "[ { rows: 0, cols: 5,"), "p.yaml");
  const Instance instance = instantiate(problem, problem.choices[0], problem.workloads[0]);
  EXPECT_EQ(instance.tensors[0].elements, 0);
  EXPECT_EQ(instance.bytes, 12);  // w has 2 elements, t one
}

TEST(Choices, ProductInTheOrderGiven) {
  std::string text = with("{ real: [f32, bf16] }", "{ real: [f32, bf16], count: [i32, i64] }");
  text.replace(text.find("w: { role: input, dtype: i32"), 28, "w: { role: input, dtype: count");
  const Problem problem = parse("thing", text, "p.yaml");
  std::vector<std::string> names;
  for (const Choice& choice : problem.choices) names.push_back(choice.name);
  EXPECT_THAT(names, ElementsAre("f32-i32", "f32-i64", "bf16-i32", "bf16-i64"));
  EXPECT_EQ(problem.choices[2].types.at("count"), Dtype::i32);
}

TEST(Choices, CompleteOnes) {
  std::string text = with("{ real: [f32, bf16] }", "[{ real: f32, count: i64 }, { count: i32, real: bf16 }]");
  text.replace(text.find("w: { role: input, dtype: i32"), 28, "w: { role: input, dtype: count");
  const Problem problem = parse("thing", text, "p.yaml");
  ASSERT_EQ(problem.choices.size(), 2u);
  EXPECT_EQ(problem.choices[1].name, "bf16-i32");
}

TEST(FiveProblems, Load) {
  const auto problems = load_all(test::source_dir() + "/kernels");
  std::vector<std::string> names;
  for (const Problem& problem : problems) {
    names.push_back(problem.name);
    for (const Stage stage : {Stage::test, Stage::quick, Stage::bench})
      EXPECT_TRUE(std::any_of(problem.workloads.begin(), problem.workloads.end(),
                              [&](const Workload& w) { return w.stage == stage; }))
          << problem.name << " " << name_of(stage);
    EXPECT_TRUE(problem.baseline.contains("host")) << problem.name;
  }
  EXPECT_THAT(names, testing::IsSupersetOf({"matmul", "softmax", "sort", "sum", "vector_add"}));
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
}

TEST(FiveProblems, NumbersByHand) {
  const Problem matmul = load(test::source_dir() + "/kernels/matmul/problem.yaml");
  const auto& largest = matmul.workloads.back();
  const Instance instance = instantiate(matmul, matmul.choices[0], largest);
  EXPECT_EQ(largest.name, "m=4096,n=5120,k=4096");
  EXPECT_EQ(instance.flops, 171798691840);
  EXPECT_EQ(instance.bytes, 2 * (4096.0 * 4096 + 4096.0 * 5120 * 2));
  EXPECT_EQ(evaluate(matmul, instance, matmul.tensor("c")->tolerance.growth), 64);
  const Problem sort = load(test::source_dir() + "/kernels/sort/problem.yaml");
  EXPECT_EQ(sort.choices[0].name, "f32");
  EXPECT_TRUE(sort.references.empty());
}

class Collection : public testing::Test {
 protected:
  Collection() { std::filesystem::create_directories(path_ / "thing"); }
  ~Collection() override { std::filesystem::remove_all(path_); }
  std::string refusal() const {
    try {
      load_all(path_);
      return "accepted";
    } catch (const Error& error) {
      return error.what();
    }
  }
  std::filesystem::path path_ =
      std::filesystem::temp_directory_path() / ("podium-problems-" + std::to_string(::getpid()));
};

TEST_F(Collection, LoadAll) {
  EXPECT_THAT(refusal(), HasSubstr("found no problem, expected sub-folders with a problem.yaml"));
  std::ofstream(path_ / "thing" / "problem.yaml") << sample;
  std::ofstream(path_ / "README") << "no problem\n";
  EXPECT_EQ(refusal(), "accepted");
  EXPECT_EQ(load_all(path_)[0].name, "thing");
  std::ofstream(path_ / "thing" / "problem.yaml") << "podium: 2\n";
  EXPECT_THAT(refusal(), HasSubstr("thing/problem.yaml:1: podium: found \"2\""));
  std::filesystem::remove_all(path_);
  EXPECT_THAT(refusal(), HasSubstr("cannot be read: No such file or directory"));
}

}  // namespace
}  // namespace podium::problem
