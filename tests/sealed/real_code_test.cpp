// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The code that real compilers write says what was compiled; where neither nvcc nor hipcc is, skipped, saying
// so.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "suite/compile/code_object.hpp"
#include "suite/protocol/sealed_program.hpp"
#include "tests/compile/workshop.hpp"
#include "tests/paths.hpp"

namespace podium::compile {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using Status = Product::Status;

// Sizes that differ, an alignment that leaves a gap, a structure by value, bounds, dynamic shared memory.
constexpr const char* kernels = R"cpp(
#include <podium/scale.hpp>
  struct Large {
    long numbers[40];
  };
  extern "C" __global__ void __launch_bounds__(96)
      mixed(const float* x, char c, double d, Large large, std::int16_t s) {
    const_cast<float*>(x)[threadIdx.x] = float(c + d + large.numbers[threadIdx.x] + s);
  }
  extern "C" __global__ void none() {}
  extern "C" __global__ void scale(const problem::real* x, problem::real* y, std::int64_t n) {
    const auto i = blockIdx.x * std::int64_t(blockDim.x) + threadIdx.x;
    if (i < n) y[i] = 2 * x[i];
  }
  __global__ void mangled(float* x) { *x = 1; }
)cpp";
const std::string scale_list =
    "//   launches: [{ kernel: scale, grid: [\"ceil_div(n, 32)\"], block: [32], arguments: [x, y, i64(n)] "
    "}]\n";

struct Target {
  std::string backend, arch;
  bool emulated = false;
};

class RealCode : public Workshop, public testing::TestWithParam<Target> {
 protected:
  RealCode() : backend(GetParam().backend), arch(GetParam().arch) {
    tools = read_toolchain(test::toolchain());
  }
  bool here() const { return tools.backends.contains(backend); }
  CodeObject read(const std::string& code) const {
    return GetParam().emulated ? read_translated(code) : read_code(code);
  }
  Product build(const std::string& file, const std::string& text) {
    const auto path = folder.write("kernels/scale/" + file, text);
    const auto p = problem();
    Builder builder(tools, cache());
    if (GetParam().emulated) builder.for_emulation();
    const auto index = builder.add(p, p.choices[0], discover(p, {path}, backend).at(0), backend, arch);
    return builder.run().at(index);
  }
  std::string backend, arch;
};

TEST_P(RealCode, SaysWhatWasCompiled) {
  if (!here()) GTEST_SKIP() << "not the " << backend << " preset";
  const auto product = build("a.sealed.gpu.cpp", "// podium:\n" + scale_list + kernels);
  ASSERT_EQ(product.status, Status::built) << product.message;
  const auto bundle = protocol::unpack(text_of(product.file));
  const auto code = read(bundle.code.at(0));
  EXPECT_EQ(code.architecture, arch);
  std::map<std::string, KernelInfo> by_name;
  for (const auto& kernel : code.kernels) by_name[kernel.name] = kernel;
  ASSERT_EQ(by_name.size(), 4u);
  EXPECT_THAT(by_name.at("mixed").arguments, ElementsAre(8, 1, 8, 320, 2));
  EXPECT_EQ(by_name.at("mixed").most_threads, 96);
  EXPECT_TRUE(by_name.at("none").arguments.empty());
  EXPECT_THAT(by_name.at("scale").arguments, ElementsAre(8, 8, 8));
  EXPECT_TRUE(by_name.contains("_Z7mangledPf"));
  for (const auto& [name, kernel] : by_name) EXPECT_EQ(kernel.hidden, 0) << name;
}

TEST_P(RealCode, WhatDoesNotFitIsNotBuilt) {
  if (!here()) GTEST_SKIP() << "not the " << backend << " preset";
  const auto with = [&](const std::string& launch) {
    return build("a.sealed.gpu.cpp", "// podium:\n//   launches: [{ kernel: " + launch + " }]\n" + kernels)
        .message;
  };
  EXPECT_THAT(with("scale, grid: [1], block: [32], arguments: [x, y, i32(n)]"),
              HasSubstr("found argument 3, i32(n), of 4 bytes, expected 8"));
  EXPECT_THAT(with("scale, grid: [1], block: [32], arguments: [x, y]"),
              HasSubstr("found 2 arguments, expected 3"));
  EXPECT_THAT(with("mangled, grid: [1], block: [32], arguments: [y]"),
              HasSubstr("write extern \"C\" before it"));
  EXPECT_THAT(with("none, grid: [1], block: [32], arguments: [y]"),
              HasSubstr("found 1 argument, expected 0"));
  EXPECT_THAT(with("mixed, grid: [1], block: [97], arguments: [x, i8(1), f64(1), nil, i16(1)]"),
              AllOf(HasSubstr("found argument 4, nil, of 8 bytes, expected 320"), HasSubstr("more)")));
  EXPECT_EQ(with("none, grid: [1], block: [1024], arguments: []"), "");
}

TEST_P(RealCode, AMistakeInTheSourceLeadsToItsLine) {
  if (!here()) GTEST_SKIP() << "not the " << backend << " preset";
  const auto product = build("a.sealed.gpu.cpp", "// podium:\n" + scale_list + "\nint x = nonsense;\n");
  EXPECT_EQ(product.status, Status::failed);
  EXPECT_THAT(product.message, AllOf(HasSubstr("a.sealed.gpu.cpp:4: "), HasSubstr("nonsense")));
}

INSTANTIATE_TEST_SUITE_P(Vendors, RealCode,
                         testing::Values(Target{"cuda", "sm_90"}, Target{"cuda", "sm_100a", true},
                                         Target{"hip", "gfx942"}, Target{"hip", "gfx1100"}),
                         [](const auto& vendor) {
                           const Target& t = vendor.param;
                           return t.backend + "_" + t.arch + (t.emulated ? "_emulated" : "");
                         });

// PTX that Podium assembles, and containers as the vendors' tools write them.
class RealObjects : public RealCode {};
TEST_P(RealObjects, AreTakenFromFiles) {
  if (!here()) GTEST_SKIP() << "not the " << backend << " preset";
  const std::string compiler = tools.backends.at(backend).compiler;
  const std::string sm = arch.starts_with("sm_") ? arch.substr(3) : "";
  const auto source =
      folder.write("kernels/scale/k.cu",
                   "#include <cstdint>\nextern \"C\" __global__ void scale(const float* x, float* y, "
                   "std::int64_t n) { if (threadIdx.x < n) y[0] = x[0]; }\n");
  std::vector<std::pair<std::string, std::string>> forms;  // file, flags
  if (backend == "cuda")
    forms = {{"k.ptx", "-ptx -arch=sm_80"},
             {"k.cubin", "-cubin -arch=sm_90"},
             {"k.fatbin",
              "-fatbin -no-compress -gencode=arch=compute_80,code=sm_80 -gencode=arch=compute_90,code=sm_90"},
             {"k2.fatbin", "-fatbin -no-compress -gencode=arch=compute_80,code=compute_80"},
             {"k3.fatbin", "-fatbin -compress-mode=speed -gencode=arch=compute_80,code=compute_80"},
             {"k4.fatbin", "-fatbin -compress-mode=size -gencode=arch=compute_80,code=[compute_80,sm_80]"}};
  else
    forms = {{"k.bundle",
              "-x hip -include hip/hip_runtime.h --genco --offload-arch=gfx90a --offload-arch=" + arch}};
  for (const auto& [file, flags] : forms) {
    const auto out = source.parent_path() / file;
    const auto command =
        "'" + compiler + "' " + flags + " '" + source.string() + "' -o '" + out.string() + "' 2>&1";
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
    const auto product = build("a.sealed.yaml", "podium:\n  code: [{ file: " + file +
                                                    ", arch: " + (backend == "cuda" ? "sm_80+" : arch) +
                                                    " }]\n  launches: [{ kernel: scale, "
                                                    "grid: [1], block: [32], arguments: [x, y, i64(n)] }]\n");
    if (GetParam().emulated && (file == "k.cubin" || file == "k.fatbin")) {
      EXPECT_THAT(product.message, HasSubstr(file + " holds machine code alone"));
      continue;
    }
    ASSERT_EQ(product.status, Status::built) << file << ": " << product.message;
    EXPECT_EQ(read(protocol::unpack(text_of(product.file)).code.at(0)).architecture, arch) << file;
  }
}
INSTANTIATE_TEST_SUITE_P(Vendors, RealObjects,
                         testing::Values(Target{"cuda", "sm_90"}, Target{"cuda", "sm_90", true},
                                         Target{"hip", "gfx942"}),
                         [](const auto& vendor) {
                           return vendor.param.backend + (vendor.param.emulated ? "_emulated" : "");
                         });

}  // namespace
}  // namespace podium::compile
