// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The compilers of this very build, the SDK as it is, the generated headers and programs.
#include <dlfcn.h>
#include <gmock/gmock.h>

#include <algorithm>

#include "suite/compile/builder.hpp"
#include "tests/compile/workshop.hpp"
#include "tests/paths.hpp"

namespace podium::compile {
namespace {

using Status = Product::Status;
using testing::HasSubstr;

constexpr const char* portable = R"cpp(
#include <podium/scale.hpp>
  namespace {
  using problem::real;
  __global__ void scale(podium::Tensor<const real, 1> x, podium::Tensor<real, 1> y) {
    const auto i = blockIdx.x * std::int64_t(blockDim.x) + threadIdx.x;
    if (i < x.extent(0)) y(i) = 2 * x(i);
  }
  struct Contestant {
    void run(const problem::Arguments& a, podium::Stream stream) {
      podium::launch(scale, dim3((a.n + 255) / 256), dim3(256), 0, stream, a.x, a.y);
    }
  };
  }  // namespace
)cpp";

class Real : public Workshop, public testing::Test {
 protected:
  Real() { tools = read_toolchain(test::binary_dir() + "/toolchain.yaml"); }

  std::vector<Product> built(const std::string& backend, const std::string& arch) {
    Builder builder(tools, cache());
    const auto p = problem();
    builder.add_program(p, p.choices[0], backend, arch);
    for (const auto& c : discover(p, problem_files(folder.path() / "kernels/scale"), backend))
      builder.add(p, p.choices[0], c, backend, arch);
    return builder.run();
  }
};

bool opens(const fs::path& plugin) {
  void* handle = ::dlopen(plugin.c_str(), RTLD_NOW | RTLD_LOCAL);
  EXPECT_NE(handle, nullptr) << ::dlerror();
  return handle != nullptr;
}

TEST_F(Real, HostContestantsAndProgramCompile) {
  contestant("good.cpp", native);
  contestant("kernel.gpu.cpp", portable);
  const auto bad =
      contestant("bad.cpp", "\n#include <podium/scale.hpp>\nstruct Contestant {\n  int x = nonsense;\n};\n");
  contestant("unlinked.cpp", "void missing();\n" + std::string(native) + "void f() { missing(); }\n");
  const auto products = built("host", "");
  ASSERT_EQ(products.size(), 5u);
  EXPECT_EQ(products[0].status, Status::built) << products[0].message;
  EXPECT_TRUE(opens(products[0].file));
  EXPECT_EQ(products[1].status, Status::failed);
  EXPECT_THAT(products[1].message, HasSubstr(bad.string() + ":6: 'nonsense' was not declared"));
  const auto& flags = tools.backends.at("host").native_flags;
  const bool with_debug_information =
      std::ranges::find(flags, "-g") != flags.end();  // which names sources by path
  for (const int good : {2, 3}) {
    EXPECT_EQ(products[std::size_t(good)].status, Status::built) << products[std::size_t(good)].message;
    EXPECT_TRUE(opens(products[std::size_t(good)].file));
    const bool path_inside =
        text_of(products[std::size_t(good)].file).find(folder.path().string()) != std::string::npos;
    EXPECT_EQ(path_inside, with_debug_information);
  }
  EXPECT_EQ(products[4].status, Status::failed);
  EXPECT_THAT(products[4].message, HasSubstr("unlinked.cpp: undefined reference to `missing()'"));
}

TEST_F(Real, WritingAnInputDoesNotCompile) {
  std::string text = native;
  text.replace(text.find("a.y(i) = 2 * a.x(i)"), 19, "a.x(i) = 2 * a.y(i)");
  contestant("a.cpp", text);
  const auto product = built("host", "").at(1);
  EXPECT_EQ(product.status, Status::failed);
  EXPECT_THAT(product.message, HasSubstr("a.cpp:8: assignment of read-only location"));
}

TEST_F(Real, AReferenceThatDoesNotCompileLeadsToItsLine) {
  std::string yaml = scale_yaml;
  yaml.replace(yaml.find("2 * x(i)"), 8, "2 * x(i, i)");
  folder.write("kernels/scale/problem.yaml", yaml);
  std::string message;
  try {
    const auto product = built("host", "").at(0);
    EXPECT_EQ(product.status, Status::failed);
    message = product.message;
  } catch (const std::exception& e) {  // refused before it gets here, which is as well
    message = e.what();
  }
  EXPECT_THAT(message, HasSubstr("problem.yaml:9"));
}

TEST_F(Real, GpuContestantsCompileWhereTheirCompilerIs) {
  contestant("kernel.gpu.cpp", portable);
  int compiled = 0;
  for (const std::string backend : {"cuda", "hip"}) {
    if (!tools.backends.contains(backend)) continue;
    // the judge's program and the contestant
    const auto products = built(backend, tools.backends.at(backend).default_arch);
    ASSERT_EQ(products.size(), 2u);
    for (const auto& product : products) {
      ASSERT_EQ(product.status, Status::built) << product.message;
      EXPECT_GT(fs::file_size(product.file), 4000u);
    }
    ++compiled;
  }
  if (compiled == 0) GTEST_SKIP() << "neither the cuda nor the hip preset";
}

}  // namespace
}  // namespace podium::compile
