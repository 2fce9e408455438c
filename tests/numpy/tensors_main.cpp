// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// tensors FILE FOLDER [NAME]: lays the judge's numbers open, for computations that share no code with it. For
// every test workload of the problem in FILE on one board, which change from one to the next, or on every
// board with PODIUM_TEST_WHOLE or the workload's NAME, it writes what the judge drew into FOLDER, as it lies
// in memory, and a line of JSON to standard output that describes it; reads a line; takes NAME.output of
// every output from FOLDER, verifies, writes the values NAME.NUMBER.reference of every reference (and
// NAME.NUMBER.magnitude), and a line of JSON with the verdict; and so on until the line it reads is "next".
#include <fmt/format.h>

#include <iostream>
#include <nlohmann/json.hpp>

#include "tests/judge/program_double.hpp"
#include "tests/judge/recorded.hpp"
#include "tests/whole.hpp"

namespace podium::judge {
namespace {

using nlohmann::json;
using problem::Role;

constexpr std::uint64_t seed = 0x5eed;
constexpr std::uint8_t poison = 0xff;

void write(const fs::path& file, const void* bytes, std::int64_t count) {
  std::ofstream out(file, std::ios::binary);
  out.write(static_cast<const char*>(bytes), count);
  if (!out) throw Error(file.string() + " cannot be written");
}

class Board {
 public:
  Board(const problem::Problem& problem, const problem::Choice& choice, fs::path folder)
      : problem_(problem),
        choice_(choice),
        folder_(std::move(folder)),
        plan_(problem),
        compiled_(compile_program(problem::judge_program(problem, choice) + kinds_of(plan_))),
        kinds_(static_cast<const char*>(compiled_.symbol("podium_kinds"))),
        program_(compiled_),
        evaluator_(device_, program_, problem, choice) {}

  void run(const problem::Workload& workload) {
    instance_ = problem::instantiate(problem_, choice_, workload, structure_seed);
    program_.forget();
    evaluator_.begin(instance_, true);
    evaluator_.fill(seed);
    json described = numbers(workload);
    described["evaluations"] = plan_.evaluations().size();
    for (std::size_t t = 0; t < instance_.tensors.size(); ++t) described["tensors"].push_back(tensor(t));
    for (std::size_t s = 0; s < instance_.structure.size(); ++s)
      described["structure"].push_back(structure(s));
    std::cout << described << std::endl;
    for (std::string line; std::getline(std::cin, line) && line != "next";)
      std::cout << verdict() << std::endl;
  }

 private:
  json numbers(const problem::Workload& workload) const {
    json all = {{"choice", choice_.name}, {"workload", workload.name}, {"numbers", json::object()}};
    json& names = all["numbers"];
    for (std::size_t k = 0; k < instance_.axes.size(); ++k) names[problem_.axes[k].name] = instance_.axes[k];
    for (std::size_t k = 0; k < instance_.parameters.size(); ++k)
      names[problem_.parameters[k].name] = instance_.parameters[k];
    for (const auto& constant : problem_.constants)
      names[constant.name] =
          constant.whole ? json(static_cast<std::int64_t>(constant.value)) : json(constant.value);
    for (const auto& [key, dtype] : choice_.types) all["types"][key] = problem::info(dtype).name;
    all["tensors"] = all["structure"] = json::array();
    return all;
  }

  json tensor(std::size_t t) {
    const problem::TensorInstance& tensor = instance_.tensors[t];
    if (tensor.role != Role::input)
      std::memset(evaluator_.output(t), poison, static_cast<std::size_t>(tensor.bytes));
    if (tensor.role != Role::output)
      write(folder_ / (tensor.name + ".input"), evaluator_.input(t), tensor.bytes);
    return {{"name", tensor.name},       {"role", name_of(tensor.role)},
            {"extents", tensor.extents}, {"dtype", problem::info(tensor.dtype).name},
            {"bytes", tensor.bytes},     {"layout", name_of(tensor.layout)},
            {"strides", tensor.strides}};
  }

  json structure(std::size_t s) {
    const problem::StructureInstance& structure = instance_.structure[s];
    write(folder_ / (structure.name + ".input"), evaluator_.structure().data(s), structure.bytes);
    return {{"name", structure.name},
            {"dtype", problem::info(structure.dtype).name},
            {"extents", structure.extents},
            {"used", structure.used}};
  }

  json verdict() {
    for (std::size_t t = 0; t < instance_.tensors.size(); ++t) {
      if (instance_.tensors[t].role == Role::input) continue;
      const std::string bytes = contents(folder_ / (instance_.tensors[t].name + ".output"));
      if (static_cast<std::int64_t>(bytes.size()) != instance_.tensors[t].bytes)
        throw Error(fmt::format("{}.output has {} bytes, expected {}", instance_.tensors[t].name,
                                bytes.size(), instance_.tensors[t].bytes));
      std::memcpy(evaluator_.output(t), bytes.data(), bytes.size());
    }
    const Finding finding = evaluator_.verify(seed, poison);
    json said = {{"right", finding.right},
                 {"text", finding.text},
                 {"worst", finding.worst},
                 {"references", json::array()}};
    for (const Evaluated& one : read_references(device_, program_, problem_, plan_, kinds_, false))
      said["references"].push_back(reference(one));
    return said;
  }

  json reference(const Evaluated& one) {
    const problem::Reference& reference = problem_.references[one.reference];
    std::vector<std::size_t> extents;
    for (const auto& values : one.index) extents.push_back(values.size());
    const std::string stem = fmt::format("{}.{}.", reference.name, one.evaluation);
    const auto put = [&](const char* what, const std::vector<std::uint64_t>& words) {
      write(folder_ / (stem + what), words.data(), static_cast<std::int64_t>(8 * words.size()));
    };
    put("reference", one.values);
    if (one.kind == 'n') put("magnitude", one.magnitudes);
    return {{"name", reference.name},   {"file", stem},
            {"extents", extents},       {"check", reference.check},
            {"probe", reference.probe}, {"magnitude", one.kind == 'n'}};
  }

  const problem::Problem& problem_;
  const problem::Choice& choice_;
  fs::path folder_;
  problem::Plan plan_;
  DoubleDevice device_;
  DoubleProgram compiled_;
  Kinds kinds_;
  Recorded program_;
  Evaluator evaluator_;
  problem::Instance instance_;
};

// The one on which a sample has this workload.
std::size_t sampled_board(const problem::Problem& problem, std::size_t workload) {
  std::vector<std::size_t> boards;
  for (std::size_t c = 0; c < problem.choices.size(); ++c)
    if (on_board(problem.workloads[workload], problem.choices[c])) boards.push_back(c);
  return boards.empty() ? problem.choices.size() : boards[workload % boards.size()];
}

void run(const fs::path& file, const fs::path& folder, const std::string& only) {
  const problem::Problem problem = problem::load(file);
  const bool everywhere = test::whole() || !only.empty();
  for (std::size_t c = 0; c < problem.choices.size(); ++c) {
    Board board(problem, problem.choices[c], folder);
    for (std::size_t w = 0; w < problem.workloads.size(); ++w) {
      const problem::Workload& workload = problem.workloads[w];
      if (workload.stage == problem::Stage::test && (only.empty() || only == workload.name) &&
          (everywhere ? on_board(workload, problem.choices[c]) : sampled_board(problem, w) == c))
        board.run(workload);
    }
  }
}

}  // namespace
}  // namespace podium::judge

int main(int count, char** arguments) {
  try {
    if (count < 3) throw podium::Error("usage: tensors FILE FOLDER [WORKLOAD]");
    podium::judge::run(arguments[1], arguments[2], count > 3 ? arguments[3] : "");
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
