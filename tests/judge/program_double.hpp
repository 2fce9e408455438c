// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A device for the evaluator's tests: ordinary memory, the judge's program compiled by the C++ compiler,
// groups one after the other in an order and a number that a test may choose.
#pragma once
#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "suite/base/error.hpp"
#include "suite/device/device.hpp"
#include "suite/judge/evaluator.hpp"
#include "suite/problem/generate/generate.hpp"
#include "suite/problem/instance/instantiate.hpp"
#include "suite/problem/parse/parse.hpp"
#include "tests/judge/gpu_emulation.hpp"
#include "tests/paths.hpp"

namespace podium::judge {

namespace fs = std::filesystem;

inline std::string contents(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// Runs a shell command, returns its output and status.
inline std::pair<std::string, int> shell(const std::string& command) {
  std::string output;
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  char buffer[4096];
  while (std::size_t n = fread(buffer, 1, sizeof buffer, pipe)) output.append(buffer, n);
  return {output, pclose(pipe)};
}

#ifdef __SANITIZE_ADDRESS__
inline const std::string default_flags =
    "-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined";
#else
inline const std::string default_flags = "-O1";
#endif

// What the compiler says of itself: its products are others' after an upgrade.
inline const std::string& compiler_version() {
  static const std::string said = shell("c++ --version").first;
  return said;
}

// Compiles the text of a judge's program, once per content, compiler and flags. Throws std::runtime_error
// with the compiler's output.
inline fs::path compile_program(const std::string& text, const std::string& flags = default_flags) {
  const fs::path headers = fs::path(test::source_dir()) / "suite/problem/program";
  std::vector<fs::path> all_headers(fs::directory_iterator(headers), fs::directory_iterator{});
  std::ranges::sort(all_headers);
  std::string all = text + flags + compiler_version();
  for (const fs::path& header : all_headers) all += header.filename().string() + contents(header);
  // Checkouts share them; other machines' processors, which may see the same folder, do not.
  const bool of_this_machine = flags.find("native") != std::string::npos;
  const fs::path folder =
      fs::path(of_this_machine ? test::binary_dir() : test::cache_dir()) / "judge_programs";
  fs::create_directories(folder);
  const std::string stem = (folder / std::to_string(std::hash<std::string>{}(all))).string();
  const fs::path product = stem + ".so";
  if (fs::exists(product)) return product;
  const std::string own = stem + "." + std::to_string(getpid());  // tests run side by side
  std::ofstream(own + ".cpp") << text;
  const auto [output, status] =
      shell("c++ -std=c++20 " + flags + " -ffp-contract=off -shared -fPIC -fvisibility=hidden -I" +
            headers.string() + " " + own + ".cpp -o " + own + ".so");
  fs::remove(own + ".cpp");
  if (status != 0) throw std::runtime_error(output);
  fs::rename(own + ".so", product);
  return product;
}

class DoubleMemory : public device::Memory {
 public:
  explicit DoubleMemory(std::size_t size) {
    bytes_ = size;
    data_ = static_cast<std::byte*>(std::aligned_alloc(256, (size + 255) / 256 * 256 + 256));
    std::memset(data_, 0, size);
  }
  ~DoubleMemory() override { std::free(data_); }
};

class DoubleProgram : public device::Program {
 public:
  explicit DoubleProgram(const fs::path& file) : library_(dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (!library_) throw std::runtime_error(dlerror());
  }
  ~DoubleProgram() override { dlclose(library_); }
  void run(std::string_view kernel, std::span<const std::uint64_t> words, int groups) override {
    using Kernel = void (*)(const std::uint64_t*, int, int);
    const auto entry = reinterpret_cast<Kernel>(dlsym(library_, std::string(kernel).c_str()));
    if (!entry) throw Error("no kernel " + std::string(kernel));
    using Emulate = void (*)(Kernel, const std::uint64_t*, int);
    if (const auto emulate = reinterpret_cast<Emulate>(dlsym(library_, "podium_emulate")))
      return emulate(entry, words.data(), groups);
    for (int group = groups - 1; group >= 0; --group) entry(words.data(), group, groups);
  }
  const void* symbol(const char* name) const { return dlsym(library_, name); }  // nullptr: there is none

 private:
  void* library_;
};

class DoubleDevice : public device::Device {
 public:
  int most_groups = 5;  // few and odd: chunks of unequal length

  // `emulated`: a GPU, whose programs are those of gpu_emulation.hpp.
  explicit DoubleDevice(bool emulated = false) { description_.warp = emulated ? 32 : 1; }
  const device::Description& description() const override { return description_; }
  std::unique_ptr<device::Memory> allocate(std::size_t bytes) override {
    return std::make_unique<DoubleMemory>(bytes);
  }
  std::unique_ptr<device::Arena> share(std::size_t) override { throw std::logic_error("not in these tests"); }
  std::unique_ptr<device::Program> load(int) override { throw std::logic_error("not in these tests"); }
  void copy(void* to, const void* from, std::size_t bytes) override { std::memcpy(to, from, bytes); }
  void set(void* at, std::uint8_t value, std::size_t bytes) override { std::memset(at, value, bytes); }
  void flush_caches() override {}
  void synchronise() override {}
  int groups_for(std::int64_t items) const override {
    return static_cast<int>(std::min<std::int64_t>(std::max<std::int64_t>(items, 1), most_groups));
  }
  bool spins() const override { return false; }
  double canary() override { return 1; }
  device::MemoryRates memory_rates() override { return {1, 1, 1}; }
  double timed(const std::function<void()>& work) override { return work(), 1; }
  std::unique_ptr<device::Memory> mapped(std::size_t bytes) override { return allocate(bytes); }
  std::unique_ptr<device::Products> products() override { throw std::logic_error("not in these tests"); }

 private:
  device::Description description_;
};

inline constexpr std::uint64_t structure_seed = 11;

// One problem, one choice of types, one workload, ready to be filled and verified.
struct Judged {
  problem::Problem problem;
  problem::Choice choice;
  problem::Instance instance;
  DoubleDevice device;
  DoubleProgram program;
  Evaluator evaluator;

  static std::string text_of(const problem::Problem& problem, const problem::Choice& choice, bool emulated) {
    const std::string text = problem::judge_program(problem, choice);
    return emulated ? emulation_prologue + text + emulation_epilogue : text;
  }

  explicit Judged(const std::string& yaml, bool full = true, std::size_t choice_index = 0,
                  std::size_t workload = 0, bool emulated = false)
      : problem(problem::parse("trial", yaml, "kernels/trial/problem.yaml")),
        choice(problem.choices.at(choice_index)),
        instance(problem::instantiate(problem, choice, problem.workloads.at(workload), structure_seed)),
        device(emulated),
        program(compile_program(text_of(problem, choice, emulated))),
        evaluator(device, program, problem, choice) {
    evaluator.begin(instance, full);
  }
  template <class T>
  T* data(const std::string& name) {
    for (std::size_t t = 0; t < instance.tensors.size(); ++t)
      if (instance.tensors[t].name == name) return reinterpret_cast<T*>(evaluator.output(t));
    throw std::logic_error("no tensor " + name);
  }
  std::int64_t elements(const std::string& name) const {
    for (const auto& tensor : instance.tensors)
      if (tensor.name == name) return tensor.elements;
    return -1;
  }
  void poison(std::uint8_t byte) {
    for (std::size_t t = 0; t < instance.tensors.size(); ++t)
      if (instance.tensors[t].role == problem::Role::output)
        std::memset(evaluator.output(t), byte, static_cast<std::size_t>(instance.tensors[t].bytes));
  }
};

}  // namespace podium::judge
