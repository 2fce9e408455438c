// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// From files to the sealed program of the worker, by compilers that are shell scripts: they copy a code
// object that this test wrote.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "suite/protocol/sealed_program.hpp"
#include "tests/compile/unconfined.hpp"
#include "tests/compile/workshop.hpp"
#include "tests/sealed/written_code.hpp"

namespace podium::compile {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;
using Status = Product::Status;

const std::string launches =
    "//   launches: [{ kernel: scale, grid: [\"ceil_div(n, 32)\"], block: [32], arguments: [x, y, i64(n)] "
    "}]\n";

class SealedBuild : public testing::Test {
 protected:
  SealedBuild() {
    const auto folder = shop.folder.path();
    // Copies the code, says with what it was called, and fails where the source asks for it.
    shop.folder.write(
        "nvcc", "#!/bin/sh\necho \"$@\" >> '" + (folder / "calls").string() +
                    "'\nfor last; do :; done\nwhile [ $# -gt 0 ]; do case $1 in -o) out=$2;; *.ptx) cp $1 '" +
                    (folder / "seen.ptx").string() + "';; *.json) cp $1 '" + (folder / "seen.json").string() +
                    "'; out=$last;; esac; shift; done\ncp '" + (folder / "code").string() + "' $out\n");
    fs::permissions(folder / "nvcc", fs::perms::owner_all);
    code({{.name = "scale", .arguments = {8, 8, 8}, .most_threads = 64}});
    auto& cuda = shop.tools.backends["cuda"];
    cuda.compiler = (folder / "nvcc").string();
    cuda.version = "nvcc 1";
    cuda.flags = {"-O3", "-shared"};
    cuda.needs["triton"] = {
        .found = true, .version = "3", .compile = {(folder / "nvcc").string()}, .link = {}, .hint = ""};
    cuda.needs["cutile"] = {
        .found = false, .version = "", .compile = {}, .link = {}, .hint = "run scripts/setup --cutile"};
    shop.folder.write("python/compile_kernel.py", "# what it does\n");
    shop.tools.python = folder / "python";
  }
  // As for an emulated device, whose translator the same script plays.
  void emulate() {
    auto& tools = shop.tools.emulated["cuda"] = shop.tools.backends["cuda"];
    tools.translates = true;
    tools.host_compiler = "/usr/bin/c++";
    emulated = true;
    shop.folder.write("code", written::translated("sm_90", {{.name = "scale", .arguments = {8, 8, 8}}}));
  }
  void code(const std::vector<written::Kernel>& kernels, const std::string& before = "") {
    shop.folder.write("code", before + written::cubin(90, kernels));
  }
  Product build(const std::string& file, const std::string& text, const std::string& arch = "sm_90",
                const DeviceFacts& device = {}, int choice = 0) {
    shop.folder.write("kernels/scale/" + file, text);
    const auto p = shop.problem();
    const auto c = discover(p, {shop.folder.path() / "kernels/scale" / file}, "cuda").at(0);
    Builder builder(shop.tools, shop.cache());
    builder.for_device(device);
    if (emulated) builder.for_emulation();
    const auto index = builder.add(p, p.choices[static_cast<std::size_t>(choice)], c, "cuda", arch);
    return builder.run().at(index);
  }
  std::string calls() const { return text_of(shop.folder.path() / "calls"); }
  static protocol::SealedProgram bundle_of(const Product& product) {
    EXPECT_EQ(product.status, Status::built) << product.message;
    return protocol::unpack(text_of(product.file));
  }

  Workshop shop;
  bool emulated = false;
};

TEST_F(SealedBuild, ASourceBecomesASealedProgram) {
  const auto product = build("a.sealed.cu", "// podium:\n" + launches);
  const auto bundle = bundle_of(product);
  EXPECT_EQ(bundle.code, (std::vector<std::string>{text_of(shop.folder.path() / "code")}));
  ASSERT_EQ(bundle.lists.size(), 3u);  // n = 5, 100, 1000
  EXPECT_THAT(bundle.lists[1].launches.at(0).grid, ElementsAre(4, 1, 1));
  EXPECT_THAT(calls(), testing::AllOf(HasSubstr("-O3 -cubin -gencode=arch=compute_90,code=sm_90"),
                                      testing::Not(HasSubstr("-shared"))));
  EXPECT_FALSE(product.cached);
  const auto again = build("a.sealed.cu", "// podium:\n" + launches);
  EXPECT_TRUE(again.cached);
  EXPECT_EQ(again.file, product.file);
  EXPECT_NE(build("a.sealed.cu", "// podium:\n" + launches, "sm_90", {}, 1).file,
            product.file);  // other types
}

TEST_F(SealedBuild, EachSetOfMacrosIsCompiledOnce) {
  const auto product = build("a.sealed.cu", "// podium:\n//   define: { SMALL: n < 100 }\n" + launches);
  EXPECT_EQ(bundle_of(product).code.size(), 2u);
  EXPECT_THAT(calls(), testing::AllOf(HasSubstr("-DSMALL=1"), HasSubstr("-DSMALL=0")));
  EXPECT_EQ(std::ranges::count(calls(), '\n'), 2);
}

TEST_F(SealedBuild, WhatDoesNotFitItsCodeIsNotBuilt) {
  code({{.name = "scale", .arguments = {8, 8, 4}}});
  auto product = build("a.sealed.cu", "// podium:\n" + launches);
  EXPECT_EQ(product.status, Status::failed);
  EXPECT_THAT(product.message,
              HasSubstr("a.sealed.cu:2: kernel 'scale': found argument 3, i64(n), of 8 bytes, expected 4"));
  code({{.name = "_Z5scalePf", .arguments = {8}}});
  product = build("b.sealed.cu", "// podium:\n" + launches);
  EXPECT_THAT(product.message, HasSubstr("b.sealed.cu:2: kernel: found \"scale\""));
  shop.folder.write("code", "no code");
  product = build("c.sealed.cu", "// podium:\n" + launches);
  EXPECT_THAT(product.message, HasSubstr("c.sealed.cu: found no machine code"));
}

TEST_F(SealedBuild, NumbersOutOfRangeAreNotBuilt) {
  const auto product =
      build("a.sealed.cu",
            "// podium:\n//   launches: [{ kernel: scale, grid: [n / 2], block: [n * n], arguments: [] }]\n");
  EXPECT_EQ(product.status, Status::failed);
  EXPECT_THAT(product.message,
              testing::AllOf(HasSubstr("a.sealed.cu:2: "), HasSubstr("found 2.5"), HasSubstr(" more)")));
}

TEST_F(SealedBuild, WithoutADeviceMultiprocessorsAreMissing) {
  const std::string text =
      "// podium:\n//   launches: [{ kernel: scale, grid: [multiprocessors], block: [warp], "
      "arguments: [x, y, i64(n)] }]\n";
  const auto product = build("a.sealed.cu", text);
  EXPECT_EQ(product.status, Status::unavailable);
  EXPECT_THAT(product.message, HasSubstr("depend on `multiprocessors`"));
  const auto bundle = bundle_of(build("a.sealed.cu", text, "sm_90", {.warp = 32, .multiprocessors = 78}));
  EXPECT_THAT(bundle.lists[0].launches.at(0).grid, ElementsAre(78, 1, 1));
}

TEST_F(SealedBuild, PythonIsCompiledByTheInterpreterThatHasIt) {
  code({{.name = "scale_0", .arguments = {8, 8, 8, 8, 8}}},
       "{\"symbol\": \"scale_0\", \"threads\": 128, \"shared\": 16, \"trailing\": 2}\n");
  const auto product = build("a.sealed.py",
                             "# podium:\n#   needs: [triton]\n#   launches: [{ kernel: scale, grid: [n], "
                             "arguments: [x, y, i64(n)], constants: { B: 64 } }]\n");
  const auto bundle = bundle_of(product);
  const auto& launch = bundle.lists.at(0).launches.at(0);
  EXPECT_EQ(launch.kernel, "scale_0");
  EXPECT_THAT(launch.block, ElementsAre(128, 1, 1));
  EXPECT_EQ(launch.arguments.size(), 5u);
  EXPECT_EQ(bundle.code.at(0).substr(0, 4), "\177ELF");
  EXPECT_THAT(calls(), testing::AllOf(HasSubstr("-E -s -B "), HasSubstr("python/compile_kernel.py "),
                                      HasSubstr("kernels/scale/a.sealed.py ")));
  EXPECT_THAT(text_of(shop.folder.path() / "seen.json"), HasSubstr("\"kernel\":\"scale\""));
}

TEST_F(SealedBuild, WhatIsMissingIsAMissingLibrary) {
  const auto product = build("a.sealed.py",
                             "# podium:\n#   needs: [cutile]\n#   launches: [{ kernel: scale, grid: [n], "
                             "arguments: [x, y] }]\n");
  EXPECT_EQ(product.status, Status::unavailable);
  EXPECT_THAT(product.message, HasSubstr("needs cutile, which was not found: run scripts/setup --cutile"));
}

TEST_F(SealedBuild, CodeObjectsAreTakenAsTheyAreAndPtxIsAssembled) {
  const std::string rest =
      "  launches: [{ kernel: scale, grid: [1], block: [32], arguments: [x, y, i64(n)] }]\n";
  const auto cubin = written::cubin(90, {{.name = "scale", .arguments = {8, 8, 8}}});
  shop.folder.write("kernels/scale/a.sm_90.cubin", cubin);
  const std::string ptx = ".version 8.0\n.target sm_80\n";
  shop.folder.write("kernels/scale/a.ptx", ptx);
  const std::string text =
      "podium:\n  code: [{ file: a.sm_90.cubin, arch: sm_90 }, { file: a.sm_100.cubin, arch: sm_100 }]\n" +
      rest;
  EXPECT_EQ(bundle_of(build("a.sealed.yaml", text)).code, (std::vector<std::string>{cubin}));
  EXPECT_EQ(calls(), "");  // nothing was compiled
  const auto none = build("a.sealed.yaml", text, "sm_80");
  EXPECT_EQ(none.status, Status::unsuited);
  EXPECT_THAT(none.message, HasSubstr("has code for sm_90, sm_100, this device is sm_80"));
  const auto gone = build("a.sealed.yaml", text, "sm_100");
  EXPECT_EQ(gone.status, Status::failed);
  EXPECT_THAT(gone.message, HasSubstr("a.sm_100.cubin: cannot be read"));
  const auto assembled = build("a.sealed.yaml", "podium:\n  code: [{ file: a.ptx, arch: sm_80+ }]\n" + rest);
  EXPECT_EQ(bundle_of(assembled).code.size(), 1u);
  EXPECT_THAT(calls(), HasSubstr("-cubin -arch=sm_90 "));
  EXPECT_EQ(text_of(shop.folder.path() / "seen.ptx"), ptx);
}

TEST_F(SealedBuild, ForAnEmulatedDeviceSourcesAreTranslated) {
  emulate();
  const auto bundle = bundle_of(build("a.sealed.cu", "// podium:\n" + launches));
  EXPECT_EQ(bundle.code, (std::vector<std::string>{text_of(shop.folder.path() / "code")}));
  EXPECT_THAT(calls(), HasSubstr("-O3 -cubin -gencode=arch=compute_90,code=sm_90"));
  shop.folder.write("code", written::translated("sm_90", {{.name = "scale", .arguments = {8, 8, 4}}}));
  const auto other = build("b.sealed.cu", "// podium:\n" + launches);
  EXPECT_EQ(other.status, Status::failed);
  EXPECT_THAT(other.message,
              HasSubstr("b.sealed.cu:2: kernel 'scale': found argument 3, i64(n), of 8 bytes, expected 4"));
  code({{.name = "scale", .arguments = {8, 8, 8}}});  // machine code
  EXPECT_THAT(build("c.sealed.cu", "// podium:\n" + launches).message,
              HasSubstr("c.sealed.cu: found code without a description of its kernels"));
}

TEST_F(SealedBuild, ForAnEmulatedDevicePythonIsAskedForPtx) {
  emulate();
  shop.folder.write("code", "{\"symbol\": \"s\", \"threads\": 64, \"shared\": 0, \"trailing\": 2}\n" +
                                written::translated("sm_90", {{.name = "s", .arguments = {8, 8, 8, 8, 8}}}));
  const auto text = [](const std::string& need) {
    return "# podium:\n#   needs: [" + need +
           "]\n#   launches: [{ kernel: scale, grid: [n], arguments: [x, y, i64(n)] }]\n";
  };
  const auto bundle = bundle_of(build("a.sealed.py", text("triton")));
  EXPECT_EQ(bundle.lists.at(0).launches.at(0).kernel, "s");
  EXPECT_THAT(calls(), HasSubstr("--python " + (shop.folder.path() / "nvcc").string() +
                                 " --cxx /usr/bin/c++ --arch sm_90 -E -s -B "));
  EXPECT_THAT(text_of(shop.folder.path() / "seen.json"), HasSubstr("\"ptx\":true"));
  shop.tools.emulated["cuda"].needs["cutile"].found = true;
  const auto tiles = build("b.sealed.py", text("cutile"));
  EXPECT_EQ(tiles.status, Status::unavailable);
  EXPECT_THAT(tiles.message, HasSubstr("cuTile makes machine code and no PTX"));
}

TEST_F(SealedBuild, ForAnEmulatedDeviceCodeObjectsArePtx) {
  emulate();
  const std::string rest =
      "  launches: [{ kernel: scale, grid: [1], block: [32], arguments: [x, y, i64(n)] }]\n";
  shop.folder.write("kernels/scale/a.ptx", ".version 8.0\n.target sm_80\n");
  const auto made = build("a.sealed.yaml", "podium:\n  code: [{ file: a.ptx, arch: sm_80+ }]\n" + rest);
  EXPECT_EQ(bundle_of(made).code.size(), 1u);
  EXPECT_THAT(calls(), testing::ContainsRegex("-cubin -arch=sm_90 .*--cxx /usr/bin/c\\+\\+"));
  // Neither a cubin nor what pretends to be a translation is taken from a file.
  shop.folder.write("kernels/scale/a.cubin", written::cubin(90, {{.name = "scale", .arguments = {8, 8, 8}}}));
  shop.folder.write("kernels/scale/b.cubin", text_of(shop.folder.path() / "code"));
  for (const std::string file : {"a.cubin", "b.cubin"}) {
    const auto product =
        build("b.sealed.yaml", "podium:\n  code: [{ file: " + file + ", arch: sm_90 }]\n" + rest);
    EXPECT_EQ(product.status, Status::unavailable);
    EXPECT_THAT(product.message, HasSubstr("b.sealed.yaml: " + file + " holds machine code alone"));
  }
}

}  // namespace
}  // namespace podium::compile
