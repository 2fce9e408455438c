// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// CPU against CUDA for every problem that comes with Podium, and for those in this folder (every form of
// reference, every kind of check, narrow types): inputs bit by bit, references and verdicts.
#include <fcntl.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "suite/base/descriptor.hpp"
#include "tests/judge/program_double.hpp"

namespace podium::judge {
namespace {

using problem::Role;

// One problem on one device.
struct Side {
  device::Device& device;
  std::unique_ptr<device::Program> program;
  Evaluator evaluator;

  std::vector<std::byte> tensor(std::size_t t, std::int64_t bytes) {
    std::vector<std::byte> copy(static_cast<std::size_t>(bytes));
    device.copy(copy.data(), evaluator.input(t), copy.size());
    device.synchronise();
    return copy;
  }
  void write(std::size_t t, const std::vector<std::byte>& bytes) {
    device.copy(evaluator.output(t), bytes.data(), bytes.size());
    device.synchronise();
  }
};

std::unique_ptr<device::Program> load_cuda(device::Device& device, const std::string& text) {
  const fs::path in = fs::path(testing::TempDir()) / ("agreement" + std::to_string(getpid()) + ".cu"),
                 out = in.string() + "bin";
  std::ofstream(in) << text;
  const auto [log, status] =
      shell(std::string(PODIUM_NVRTC) + " " + in.string() + " -o " + out.string() + " --arch " +
            device.description().architecture + " -I " PODIUM_SOURCE_DIR "/suite/problem/program");
  if (status != 0) throw std::runtime_error(log);
  const Descriptor object(open(out.c_str(), O_RDONLY | O_CLOEXEC));
  auto program = device.load(object.get());
  fs::remove(in);
  fs::remove(out);
  return program;
}

class Agreement : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    try {
      gpu_ = device::open(0);
    } catch (const Error& e) {
      if (e.exit() != Exit::no_device) throw;
      GTEST_SKIP() << e.what();
    }
  }

  // Inputs have the same bits.
  void same_inputs(Side& cpu, Side& gpu, const problem::Instance& instance) {
    for (std::size_t t = 0; t < instance.tensors.size(); ++t) {
      if (instance.tensors[t].role == Role::output) continue;
      const auto left = cpu.tensor(t, instance.tensors[t].bytes),
                 right = gpu.tensor(t, instance.tensors[t].bytes);
      ASSERT_TRUE(left == right) << instance.tensors[t].name << " of " << instance.workload
                                 << ", first difference at byte "
                                 << std::mismatch(left.begin(), left.end(), right.begin()).first -
                                        left.begin();
    }
  }

  // Both say the same of outputs that are all `byte`; their worst error, measured in limits, is that of the
  // reference (or of its distance from a constant), so the references agree too.
  void same_verdict(Side& cpu, Side& gpu, const problem::Instance& instance, std::uint8_t byte,
                    std::uint8_t poison) {
    for (std::size_t t = 0; t < instance.tensors.size(); ++t) {
      if (instance.tensors[t].role == Role::input) continue;
      const std::vector<std::byte> bytes(static_cast<std::size_t>(instance.tensors[t].bytes),
                                         std::byte{byte});
      cpu.write(t, bytes);
      gpu.write(t, bytes);
    }
    const Finding left = cpu.evaluator.verify(seed, poison), right = gpu.evaluator.verify(seed, poison);
    EXPECT_EQ(left.right, right.right) << instance.workload << "\n" << left.text << "\n" << right.text;
    const auto sentences = [](const std::string& text) { return std::count(text.begin(), text.end(), ';'); };
    EXPECT_EQ(sentences(left.text), sentences(right.text)) << left.text << "\n" << right.text;
    EXPECT_EQ(left.written, right.written) << instance.workload << "\n" << left.text << "\n" << right.text;
    if (std::isfinite(left.worst)) {
      EXPECT_NEAR(left.worst, right.worst, 1e-6 * left.worst) << left.text << "\n" << right.text;
    } else {
      EXPECT_EQ(left.worst, right.worst) << left.text << "\n" << right.text;
    }
  }

  static constexpr std::uint64_t seed = 0xa91ee5eed;
  std::unique_ptr<device::Device> gpu_;
  DoubleDevice cpu_;
};

TEST_P(Agreement, CpuAndGpuSayTheSame) {
  const problem::Problem problem = problem::load(fs::path(PODIUM_SOURCE_DIR) / GetParam() / "problem.yaml");
  for (const problem::Choice& choice : problem.choices) {
    const std::string text = problem::judge_program(problem, choice);
    auto cpu_program = std::make_unique<DoubleProgram>(compile_program(text));
    auto gpu_program = load_cuda(*gpu_, text);
    device::Program &on_cpu = *cpu_program, &on_gpu = *gpu_program;
    Side cpu{cpu_, std::move(cpu_program), Evaluator(cpu_, on_cpu, problem, choice)};
    Side gpu{*gpu_, std::move(gpu_program), Evaluator(*gpu_, on_gpu, problem, choice)};
    for (const problem::Workload& workload : problem.workloads) {
      if (workload.stage == problem::Stage::bench || !on_board(workload, choice)) continue;
      const problem::Instance instance = problem::instantiate(problem, choice, workload, structure_seed);
      SCOPED_TRACE(choice.name + " " + instance.workload);
      for (const bool full : {true, false}) {
        if (full && workload.stage != problem::Stage::test) continue;
        cpu.evaluator.begin(instance, full);
        gpu.evaluator.begin(instance, full);
        cpu.evaluator.fill(seed);
        gpu.evaluator.fill(seed);
        same_inputs(cpu, gpu, instance);
        if (HasFatalFailure()) return;
        same_verdict(cpu, gpu, instance, 0x00, 0xff);
        same_verdict(cpu, gpu, instance, 0x3c, 0xff);
        same_verdict(cpu, gpu, instance, 0xff, 0xff);
        const std::byte* const inputs = gpu.evaluator.input(0);
        const std::int64_t bytes = instance.tensors[0].bytes;
        if (bytes == 0) continue;
        EXPECT_EQ(gpu.evaluator.compare(inputs, inputs, bytes).count, 0);
        gpu.device.set(const_cast<std::byte*>(inputs) + bytes - 1, 0x5a, 1);
        EXPECT_LE(gpu.evaluator.compare(inputs + bytes - 1, 0x5a, 1).count, 0);
        EXPECT_EQ(gpu.evaluator.compare(inputs + bytes - 1, 0x5b, 1).count, 1);
      }
    }
  }
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const std::string folder : {"kernels", "tests/agreement"})  // the latter: what no kernel uses
    for (const auto& entry : fs::directory_iterator(fs::path(PODIUM_SOURCE_DIR) / folder))
      if (fs::exists(entry.path() / "problem.yaml"))
        all.push_back(folder + "/" + entry.path().filename().string());
  std::sort(all.begin(), all.end());
  return all;
}
INSTANTIATE_TEST_SUITE_P(Problems, Agreement, testing::ValuesIn(names()),
                         [](const auto& one) { return fs::path(one.param).filename().string(); });

}  // namespace
}  // namespace podium::judge
