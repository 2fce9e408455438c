// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The judge's program of every problem that comes with Podium, and of those in this folder (every form of
// reference, every kind of check, narrow types), on one thread of the CPU and on a device: inputs bit by bit,
// every reference element by element, and verdicts. The device is that of the backend that this is linked
// with.
#include <fcntl.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "suite/base/descriptor.hpp"
#include "suite/compile/builder.hpp"
#include "tests/agreement/agree.hpp"
#include "tests/judge/program_double.hpp"
#include "tests/paths.hpp"

namespace podium::agreement {
namespace {

namespace fs = std::filesystem;

class Agrees : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    try {
      device_ = device::open(0);
    } catch (const Error& e) {
      if (e.fault() != Fault::device || std::getenv("PODIUM_EMULATED")) throw;
      GTEST_SKIP() << e.what();
    }
  }

  // A board's program, as `podium build` makes it for the device.
  std::unique_ptr<device::Program> load(const problem::Problem& problem, const problem::Choice& choice) {
    const auto& what = device_->description();
    compile::Builder builder(compile::read_toolchain(test::toolchain()), test::cache_dir());
    if (std::getenv("PODIUM_EMULATED")) {
      setenv("PODIUM_CACHE", test::cache_dir().c_str(), 1);  // of translations
      builder.for_emulation();
    }
    builder.add_program(problem, choice, what.backend, what.backend == "host" ? "" : what.architecture);
    const auto product = builder.run().at(0);
    if (product.status != compile::Product::Status::built) throw std::runtime_error(product.message);
    const Descriptor object(open(product.file.c_str(), O_RDONLY | O_CLOEXEC));
    return device_->load(object.get());
  }

  // Memory on the device is compared as it is filled.
  void compares_memory(Side& side) {
    const std::int64_t bytes = side.instance().tensors[0].bytes;
    std::byte* const inputs = side.evaluator().output(0);
    if (bytes == 0) return;
    EXPECT_EQ(side.evaluator().compare({{inputs, bytes, inputs}}).at(0).count, 0);
    std::byte* const last = inputs + bytes - 1;
    side.device().set(last, 0x5a, 1);
    const auto found =
        side.evaluator().compare({{last, 1, std::uint8_t{0x5a}}, {last, 1, std::uint8_t{0x5b}}});
    EXPECT_EQ(found.at(0).count, 0);
    EXPECT_EQ(found.at(1).count, 1);
  }

  std::unique_ptr<device::Device> device_;
  judge::DoubleDevice cpu_;
};

TEST_P(Agrees, WithTheCpu) {
  const problem::Problem problem = problem::load(fs::path(test::source_dir()) / GetParam() / "problem.yaml");
  const problem::Plan plan(problem);
  for (const problem::Choice& choice : problem.choices) {
    auto program = std::make_unique<judge::DoubleProgram>(
        judge::compile_program(problem::judge_program(problem, choice) + judge::kinds_of(plan)));
    const judge::Kinds kinds = static_cast<const char*>(program->symbol("podium_kinds"));
    Side cpu(cpu_, std::move(program), problem, choice, kinds);
    Side other(*device_, load(problem, choice), problem, choice, kinds);
    const Agreement found = compare(cpu, other, true);
    EXPECT_EQ(found.text(), "");
    EXPECT_GT(found.workloads, 0);
    for (std::size_t e = 0; e < plan.evaluations().size(); ++e)
      EXPECT_GT(found.references.elements.at(e), 0u)
          << choice.name << ": " << problem.references[plan.evaluations()[e].reference].name
          << " was never compared";
    std::cout << choice.name << ": " << found.workloads << " times, largest difference "
              << found.references.worst << " of what rounding may do\n";
    compares_memory(other);
  }
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const std::string folder : {"kernels", "tests/agreement"})  // the latter: what no kernel uses
    for (const auto& entry : fs::directory_iterator(fs::path(test::source_dir()) / folder))
      if (fs::exists(entry.path() / "problem.yaml"))
        all.push_back(folder + "/" + entry.path().filename().string());
  std::sort(all.begin(), all.end());
  return all;
}
INSTANTIATE_TEST_SUITE_P(Problems, Agrees, testing::ValuesIn(names()),
                         [](const auto& one) { return fs::path(one.param).filename().string(); });

}  // namespace
}  // namespace podium::agreement
