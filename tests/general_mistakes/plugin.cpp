// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/general_mistakes/plugin.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "suite/compile/builder.hpp"
#include "tests/paths.hpp"

namespace podium::mistakes {
namespace {

namespace fs = std::filesystem;
using problem::Dtype;

std::string facts_of(const problem::Tensor& output, const problem::Choice& choice) {
  const Dtype dtype = dtype_of(output, choice);
  const auto& info = problem::info(dtype);
  const auto& tolerance = output.tolerance;
  const double accumulator = tolerance.accumulate_type.empty()
                                 ? tolerance.accumulate_eps
                                 : problem::info(choice.types.at(tolerance.accumulate_type)).eps;
  const double eps = std::max(info.eps, accumulator);
  const bool has_nan = info.floating && dtype != Dtype::e2m1;
  return fmt::format("{{{}, {}, {}, {}}}", info.floating ? -std::ilogb(eps) : 0, has_nan,
                     output.used.has_value(), output.layout == problem::Layout::scales_128x4);
}

const fs::path& spoilt_header() {
  static const fs::path file =
      fs::absolute(test::source_dir() + "/tests/general_mistakes/spoilt.hpp").lexically_normal();
  return file;
}

// Of a file in `folder`.
std::string source_of(const problem::Problem& problem, const problem::Choice& choice, const fs::path& right,
                      const fs::path& folder) {
  std::string all, cases;
  for (const auto& tensor : problem.tensors)
    if (tensor.visible) all += fmt::format(", a.{}", tensor.name);
  const auto outputs = outputs_of(problem);
  for (std::size_t k = 0; k < outputs.size(); ++k)
    cases += fmt::format("      case {}:\n        return podium::mistakes::run(right, before, {}, a.{}{});\n",
                         k, facts_of(*outputs[k], choice), outputs[k]->name, all);
  return fmt::format(R"CODE(// Written by a test: {0}, and what is wrong in a general way.
#define Contestant Right
#include "{0}"
#undef Contestant
#include "{1}"

namespace {{
struct Contestant : Right {{
  using Right::Right;
  podium::mistakes::Before before;

  void run(const problem::Arguments& a, podium::Stream stream) {{
    const auto right = [&] {{ Right::run(a, stream); }};
    switch (podium::mistakes::selection.output) {{
{2}    }}
  }}
}};
}}  // namespace
)CODE",
                     right.lexically_relative(folder).string(),
                     spoilt_header().lexically_relative(folder).string(), cases);
}

compile::Contestant right_contestant(const problem::Problem& problem, const problem::Choice& choice) {
  const auto files = compile::problem_files(problem.file.parent_path());
  std::vector<compile::Contestant> served;
  for (const auto& one : compile::discover(problem, files, "host"))
    if (one.language->name == "native" && serves(one, choice)) served.push_back(one);
  if (served.empty())
    throw std::runtime_error(
        fmt::format("{}/{}: found no native contestant, expected serial.cpp, from which wrong ones are made",
                    problem.name, choice.name));
  const auto serial = std::ranges::find(served, "serial", &compile::Contestant::name);
  return serial == served.end() ? served.front() : *serial;
}

std::string read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

std::vector<const problem::Tensor*> outputs_of(const problem::Problem& problem) {
  std::vector<const problem::Tensor*> outputs;
  for (const auto& tensor : problem.tensors)
    if (tensor.role != problem::Role::input) outputs.push_back(&tensor);
  return outputs;
}

std::vector<std::size_t> examined(const problem::Problem& problem) {
  std::vector<std::size_t> choices;
  for (std::size_t c = 0; c < problem.choices.size(); ++c)
    if (problem.choices[c].ranks <= 2) choices.push_back(c);  // a machine may have two processors
  return choices;
}

std::vector<Board> build_boards(const problem::Problem& problem, const std::vector<std::size_t>& choices,
                                const fs::path& folder) {
  compile::Builder builder(compile::read_toolchain(test::toolchain()), test::cache_dir());
  std::vector<Board> boards;
  for (const std::size_t c : choices) {
    const auto& choice = problem.choices[c];
    Board board{c, right_contestant(problem, choice), {}, {}};
    const fs::path file = fs::absolute(folder / choice.name / "general.cpp").lexically_normal();
    fs::create_directories(file.parent_path());
    const fs::path right = fs::absolute(board.right.file).lexically_normal();
    std::ofstream(file) << source_of(problem, choice, right, file.parent_path());
    setenv("PODIUM_INCLUDE", fmt::format("{}:{}", right.string(), spoilt_header().string()).c_str(), 1);
    compile::Contestant spoilt = board.right;
    spoilt.file = file;
    spoilt.name = "general_mistakes";
    builder.add_program(problem, choice, "host", "");
    builder.add(problem, choice, spoilt, "host", "");
    boards.push_back(board);
  }
  const auto products = builder.run();
  for (const auto& product : products)
    if (product.status != compile::Product::Status::built)
      throw std::runtime_error(fmt::format("{}: {}", problem.name, product.message));
  for (std::size_t b = 0; b < boards.size(); ++b) {
    boards[b].program = products.at(2 * b).file;
    boards[b].plugin = products.at(2 * b + 1).file;
  }
  return boards;
}

void select(const fs::path& plugin, Mistake mistake, std::size_t output, const fs::path& to) {
  std::string bytes = read(plugin);
  const auto at = bytes.find(mark);
  if (at == std::string::npos || bytes.find(mark, at + 1) != std::string::npos)
    throw std::runtime_error(fmt::format("{}: expected the mark of the selection once", plugin.string()));
  const Selection selection = PODIUM_SELECTION(mistake, static_cast<std::int32_t>(output));
  std::memcpy(bytes.data() + at, &selection, sizeof selection);
  std::ofstream(to, std::ios::binary) << bytes;
}

}  // namespace podium::mistakes
