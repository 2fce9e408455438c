// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Structure in the terms and ranges of every form, against plain loops; as a CPU runs it and as a GPU would.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/judge/program_double.hpp"

namespace podium::judge {
namespace {

using testing::HasSubstr;

// Rows of different lengths, empty ones among them; REFERENCE: that of y.
std::string ragged(const std::string& shape, const std::string& reference) {
  return R"y(podium: 1
title: t
axes: [batch, longest]
structure:
  length: { dtype: i32, shape: [batch], compute: "for (b : batch) out(b) = random.below(longest + 1);" }
  offsets: { dtype: i32, shape: [batch + 1], compute: "for (b : batch) out(b + 1) = out(b) + length(b);" }
  page: { dtype: i32, shape: [batch * longest], used: "offsets(batch)", compute: "random.permutation(out);" }
  weight: { dtype: f64, shape: [batch, 2], compute: "for (b : batch) { out(b, 0) = b + 0.5; out(b, 1) = 3; }" }
tensors:
  x: { role: input, dtype: f32, shape: [batch * longest], fill: normal }
  y: { role: output, dtype: f64, shape: )y" +
         shape + R"y(, tolerance: { ulp: 4, growth: 64, accumulate: f64, scale: magnitude } }
reference:
  y: )y" +
         reference +
         R"y(
workloads: { test: [{ batch: 37, longest: 9 }] }
)y";
}

struct Row {
  double weight = 0;
  std::vector<double> x;  // through the page table
};

std::int64_t whole(const Judged& j, std::size_t structure, std::int64_t element) {
  return static_cast<std::int64_t>(j.instance.structure[structure].number(element));
}

// What `expected` makes of the rows is right, and anything else is not, whole or sampled.
template <class Expected>
void holds(const std::string& yaml, const Expected& expected) {
  for (const bool emulated : {false, true}) {
    Judged j(yaml, true, 0, 0, emulated);
    j.evaluator.fill(5);
    j.poison(0xff);
    std::vector<Row> rows(37);
    const float* const x = j.data<float>("x");
    for (std::size_t b = 0; b < rows.size(); ++b) {
      const auto at = static_cast<std::int64_t>(b);
      rows[b].weight = j.instance.structure[3].number(2 * at);
      for (std::int64_t e = whole(j, 1, at); e < whole(j, 1, at + 1); ++e)
        rows[b].x.push_back(static_cast<double>(x[whole(j, 2, e)]));
    }
    const std::vector<double> y = expected(rows);
    ASSERT_EQ(static_cast<std::int64_t>(y.size()), j.elements("y"));
    std::copy(y.begin(), y.end(), j.data<double>("y"));
    const Finding finding = j.evaluator.verify(5, 0xff);
    EXPECT_TRUE(finding.right) << finding.text;
    j.data<double>("y")[y.size() / 2] += 1e-3;
    EXPECT_FALSE(j.evaluator.verify(5, 0xff).right);
  }
}

TEST(StructureForms, Value) {
  holds(ragged("[batch]",
               R"w({ index: [b], value: "length(b) > 0 ? x(page(offsets(b))) - weight(b, 0) : 0.0" })w"),
        [](const std::vector<Row>& rows) {
          std::vector<double> y;
          for (const Row& row : rows) y.push_back(row.x.empty() ? 0 : row.x[0] - row.weight);
          return y;
        });
}

TEST(StructureForms, Reduce) {
  holds(
      ragged(
          "[batch]",
          R"w({ index: [b], reduce: { over: { e: ["offsets(b)", "offsets(b + 1)"] }, op: sum, term: "x(page(e)) * weight(b, 0)" } })w"),
      [](const std::vector<Row>& rows) {
        std::vector<double> y(rows.size());
        for (std::size_t b = 0; b < rows.size(); ++b)
          for (const double x : rows[b].x) y[b] += x * rows[b].weight;
        return y;
      });
}

TEST(StructureForms, Scan) {
  holds(
      ragged(
          "[batch, longest]",
          R"w({ index: [b, k], scan: { along: k, op: sum, term: "k < length(b) ? x(page(offsets(b) + k)) : 0.0" } })w"),
      [](const std::vector<Row>& rows) {
        std::vector<double> y;
        for (const Row& row : rows) {
          double sum = 0;
          for (std::size_t k = 0; k < 9; ++k) y.push_back(sum += k < row.x.size() ? row.x[k] : 0);
        }
        return y;
      });
}

TEST(StructureForms, Scatter) {
  holds(
      ragged(
          "[longest]",
          R"w({ index: [k], scatter: { over: { b: batch, e: "length(b)" }, at: { k: "length(b) - 1 - e" }, op: sum, where: "e > 0", term: "x(page(offsets(b) + e))" } })w"),
      [](const std::vector<Row>& rows) {
        std::vector<double> y(9);
        for (const Row& row : rows)
          for (std::size_t e = 1; e < row.x.size(); ++e) y[row.x.size() - 1 - e] += row.x[e];
        return y;
      });
}

TEST(StructureForms, Recur) {
  holds(
      ragged(
          "[batch, longest]",
          R"w({ index: [b, k], recur: { along: k, first: "length(b) > 0 ? x(page(offsets(b))) : weight(b, 1)", next: "0.5 * y(b, k - 1) + (k < length(b) ? x(page(offsets(b) + k)) : 0.0)" } })w"),
      [](const std::vector<Row>& rows) {
        std::vector<double> y;
        for (const Row& row : rows) {
          double state = row.x.empty() ? 3 : row.x[0];
          y.push_back(state);
          for (std::size_t k = 1; k < 9; ++k)
            y.push_back(state = 0.5 * state + (k < row.x.size() ? row.x[k] : 0));
        }
        return y;
      });
}

// y is, rank by rank, the element of that rank; ranks behind a row's end hold nothing of it.
TEST(StructureForms, Order) {
  std::string yaml =
      ragged("[batch, longest]",
             R"w({ index: [b, r], value: "r < length(b) ? x(page(offsets(b) + place(b, r))) : 0.0" })w");
  yaml.insert(
      yaml.find("  y: { index"),
      R"w(  place: { index: { b: batch, r: longest }, order: { along: { e: { high: "length(b)", most: "max(length)" } }, by: "x(page(offsets(b) + e))" } }
)w");
  holds(yaml, [](const std::vector<Row>& rows) {
    std::vector<double> y;
    for (const Row& row : rows) {
      std::vector<double> sorted = row.x;
      std::sort(sorted.begin(), sorted.end());
      sorted.resize(9, 0);
      y.insert(y.end(), sorted.begin(), sorted.end());
    }
    return y;
  });
}

TEST(StructureForms, Code) {
  holds(
      ragged(
          "[batch]",
          R"w({ index: [b], code: "double sum = weight(b, 0); for (long long e = offsets(b); e < offsets(b + 1); ++e) sum += x(page(e)); return sum;" })w"),
      [](const std::vector<Row>& rows) {
        std::vector<double> y;
        for (const Row& row : rows) {
          y.push_back(row.weight);
          for (const double x : row.x) y.back() += x;
        }
        return y;
      });
}

TEST(StructureForms, Host) {
  std::string yaml = ragged(
      "[batch]",
      R"w({ index: [b], host: "for (long long b = 0; b < batch; ++b) { out(b) = weight(b, 1); for (long long e = offsets(b); e < offsets(b + 1); ++e) out(b) = out(b) + x(page(e)); }" })w");
  const std::string scale = "scale: magnitude";  // which sequential algorithms do not have
  yaml.replace(yaml.find(scale), scale.size(), "scale: value");
  for (const bool right : {true, false}) {
    Judged j(yaml);
    j.evaluator.fill(5);
    j.poison(0xff);
    for (std::int64_t b = 0; b < 37; ++b) {
      double sum = right ? 3 : 2;
      for (std::int64_t e = whole(j, 1, b); e < whole(j, 1, b + 1); ++e)
        sum += static_cast<double>(j.data<float>("x")[whole(j, 2, e)]);
      j.data<double>("y")[b] = sum;
    }
    const Finding finding = j.evaluator.verify(5, 0xff);
    EXPECT_EQ(finding.right, right) << finding.text;
  }
}

// `most` that is too small is a fault, not a wrong order.
TEST(StructureForms, OrderOfLinesLongerThanStated) {
  std::string yaml = ragged("[batch, longest]", R"w({ index: [b, r], value: "place(b, r)" })w");
  yaml.insert(
      yaml.find("  y: { index"),
      R"w(  place: { index: { b: batch, r: longest }, order: { along: { e: { high: "length(b)", most: "max(length) - 1" } }, by: "x(page(offsets(b) + e))" } }
)w");
  Judged j(yaml);
  j.evaluator.fill(5);
  try {
    j.evaluator.verify(5, 0xff);
    ADD_FAILURE() << "a line longer than its memory was sorted";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("found reference place to sort a line of 9 elements in workload"));
    EXPECT_THAT(error.what(), HasSubstr("expected at most 8; state a larger `most` beside the range of e"));
  }
}

// Differences of structure carry magnitude as those of tensors do: the limit is 9 * 2^-52 * 73 in the last
// row.
TEST(StructureForms, MagnitudesOfStructure) {
  for (const double error : {1e-13, 1e-11}) {
    std::string yaml = ragged("[batch]", R"w({ index: [b], value: "weight(b, 0) - weight(b, 0)" })w");
    yaml.replace(yaml.find("growth: 64"), 10, "growth: 9 ");
    Judged j(yaml);
    j.evaluator.fill(5);
    for (int b = 0; b < 37; ++b) j.data<double>("y")[b] = b == 36 ? error : 0;
    EXPECT_EQ(j.evaluator.verify(5, 0xff).right, error < 1e-12);
  }
}

}  // namespace
}  // namespace podium::judge
