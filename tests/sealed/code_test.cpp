// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Device code that this test writes itself is read back; code that is cut or changed anywhere is refused or
// read, and never reached beyond.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "suite/compile/code_object.hpp"
#include "tests/fatbin/written_bundle.hpp"
#include "tests/fatbin/written_fatbin.hpp"
#include "tests/refusal.hpp"
#include "tests/sealed/written_code.hpp"

namespace podium::compile {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::vector<written::Kernel> two = {
    {.name = "sums", .arguments = {8, 8, 4, 1, 320}, .most_threads = 256},
    {.name = "last", .arguments = {}, .block = {64, 2, 1}, .cluster = {2, 1, 1}, .hidden = 128}};

TEST(Code, OfNvidia) {
  const auto code = read_code(written::cubin(90, two));
  EXPECT_EQ(code.architecture, "sm_90");
  ASSERT_EQ(code.kernels.size(), 2u);
  EXPECT_EQ(code.kernels[0].name, "sums");
  EXPECT_THAT(code.kernels[0].arguments, ElementsAre(8, 8, 4, 1, 320));
  EXPECT_EQ(code.kernels[0].most_threads, 256);
  EXPECT_EQ(code.kernels[0].hidden, 0);
  EXPECT_THAT(code.kernels[0].block, ElementsAre(0, 0, 0));
  EXPECT_TRUE(code.kernels[1].arguments.empty());
  EXPECT_THAT(code.kernels[1].block, ElementsAre(64, 2, 1));
  EXPECT_THAT(code.kernels[1].cluster, ElementsAre(2, 1, 1));
  EXPECT_EQ(code.kernels[1].hidden, 128);
  EXPECT_EQ(read_code(written::cubin(120, two)).architecture, "sm_120");
}

TEST(Code, OfNvidiaBeforeCuda13HasItsArchitectureElsewhere) {
  EXPECT_EQ(read_code(written::elf(190, 7, 0x005a055a, {})).architecture, "sm_90");
}

TEST(Code, OfAnEmulatedDevice) {
  const auto code = read_translated(written::translated(
      "sm_90a", {{.name = "sums", .arguments = {8, 4, 1, 320}, .most_threads = 256},
                 {.name = "last", .arguments = {}, .block = {64, 2, 1}, .cluster = {2, 1, 1}}}));
  EXPECT_EQ(code.architecture, "sm_90a");
  ASSERT_EQ(code.kernels.size(), 2u);
  EXPECT_EQ(code.kernels[0].name, "sums");
  EXPECT_THAT(code.kernels[0].arguments, ElementsAre(8, 4, 1, 320));
  EXPECT_EQ(code.kernels[0].most_threads, 256);
  EXPECT_EQ(code.kernels[0].hidden, 0);
  EXPECT_TRUE(code.kernels[1].arguments.empty());
  EXPECT_THAT(code.kernels[1].block, ElementsAre(64, 2, 1));
  EXPECT_THAT(code.kernels[1].cluster, ElementsAre(2, 1, 1));
}

TEST(Code, OfAnEmulatedDeviceAndOfOthersAreNotMixed) {
  EXPECT_THAT(refusal([] { read_translated(written::cubin(90, two)); }),
              HasSubstr("without a description of its kernels"));
  EXPECT_THAT(refusal([] { read_translated("hello"); }), HasSubstr("without a description of its kernels"));
  EXPECT_THAT(refusal([] { read_code(written::translated("sm_90", two)); }),
              HasSubstr("found no machine code"));
  EXPECT_THAT(refusal([] { read_translated(written::elf(62, 0, 0, {{".podium.kernels", "{}"}})); }),
              HasSubstr("cut off"));  // no end of the text
  for (const char* text : {"{}", "{\"architecture\": 7, \"kernels\": []}", "no JSON"})
    EXPECT_THAT(refusal([&] {
                  read_translated(written::elf(62, 0, 0, {{".podium.kernels", text + std::string(1, '\0')}}));
                }),
                HasSubstr("a description of kernels that cannot be read"))
        << text;
}

TEST(Code, OfAmd) {
  const auto code =
      read_code(written::amd("gfx942:sramecc+", {{.name = "sums", .arguments = {8, 2}, .most_threads = 1024},
                                                 {.name = "b", .arguments = {}, .block = {64, 1, 1}}}));
  EXPECT_EQ(code.architecture, "gfx942");
  ASSERT_EQ(code.kernels.size(), 2u);
  EXPECT_THAT(code.kernels[0].arguments, ElementsAre(8, 2));  // without what the runtime fills in
  EXPECT_EQ(code.kernels[0].most_threads, 1024);
  EXPECT_THAT(code.kernels[1].block, ElementsAre(64, 1, 1));
}

TEST(Code, ThatIsNoneIsRefused) {
  EXPECT_THAT(refusal([] { read_code(""); }), HasSubstr("found no machine code"));
  EXPECT_THAT(refusal([] { read_code("hello"); }), HasSubstr("found no machine code"));
  EXPECT_THAT(refusal([] { read_code(written::elf(62, 0, 0, {})); }), HasSubstr("found no machine code"));
  EXPECT_THAT(refusal([] { read_code(written::elf(224, 4, 0, {})); }), HasSubstr("without kernel metadata"));
  const auto missing = written::cubin(90, {{.name = "k", .arguments = {8}}});
  auto second = missing;
  second[second.find(std::string("\x04\x17\x0c\0", 4)) + 8] = 1;  // the only argument has number 1
  EXPECT_THAT(refusal([&] { read_code(second); }), HasSubstr("kernel 'k' without its argument 0"));
}

TEST(Code, CutOrChangedAnywhereIsReadOrRefused) {
  std::mt19937 random(1);
  int refused = 0;
  for (const auto& whole : {written::cubin(90, two), written::amd("gfx90a", two)}) {
    for (std::size_t size = 0; size < whole.size(); ++size)
      refused += refusal([&] { read_code(std::string_view(whole).substr(0, size)); }) != "not refused";
    for (int change = 0; change < 5000; ++change) {
      auto changed = whole;
      for (int i = 0; i < 3; ++i) changed[random() % changed.size()] = static_cast<char>(random());
      refused += refusal([&] { read_code(changed); }) != "not refused";
    }
  }
  const auto whole = written::translated("sm_90", two);
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_NE(refusal([&] { read_translated(std::string_view(whole).substr(0, size)); }), "not refused");
  for (int change = 0; change < 5000; ++change) {
    auto changed = whole;
    for (int i = 0; i < 3; ++i) changed[random() % changed.size()] = static_cast<char>(random());
    refused += refusal([&] { read_translated(changed); }) != "not refused";
  }
  EXPECT_GT(refused, 1000);
}

TEST(Containers, OfNvidiaGiveTheCodeOfTheDevice) {
  using fatbin::written::fatbin;
  const auto a = written::cubin(80, two), b = written::cubin(90, two);
  const std::string ptx = ".version 8.0\n.target sm_70\n";
  const auto all = fatbin({{2, 80, 0x11, a}, {2, 90, 0x11, b}, {1, 70, 0x11, ptx + std::string(3, '\0')}});
  EXPECT_EQ(form_of(all), CodeForm::fatbin);
  EXPECT_EQ(extract(all, "sm_90"), b);
  EXPECT_EQ(extract(all, "sm_86"), a);
  EXPECT_EQ(extract(all, "sm_100"), ptx);                            // compiled for it
  EXPECT_EQ(extract(all, "sm_90", true), ptx);                       // translated, in place of machine code
  EXPECT_EQ(extract(fatbin({{2, 90, 0x11, b}}), "sm_90", true), b);  // there is no other
  EXPECT_THAT(refusal([&] { extract(all, "sm_61"); }),
              HasSubstr("found sm_80, sm_90, PTX of sm_70, expected code for sm_61"));
  EXPECT_EQ(extract(fatbin({{2, 90, 0x11, b}, {1, 90, 0x8011, "?", 9}}), "sm_90"), b);
  EXPECT_THAT(refusal([&] { extract(fatbin({{2, 90, 0x8011, b, 99}}), "sm_90"); }), HasSubstr("Zstandard"));
  EXPECT_THAT(refusal([&] { extract(std::string_view(all).substr(0, 200), "sm_90"); }), HasSubstr("cut off"));
}

TEST(Containers, OfAmdGiveTheCodeOfTheDevice) {
  using written::bytes_of;
  const auto code = written::amd("gfx942", two);
  const std::string triple = "hipv4-amdgcn-amd-amdhsa--gfx942:xnack-";
  const std::uint64_t offset = 32 + 24 + triple.size();
  const auto all = "__CLANG_OFFLOAD_BUNDLE__" + bytes_of(std::uint64_t{1}) + bytes_of(offset) +
                   bytes_of(std::uint64_t(code.size())) + bytes_of(std::uint64_t(triple.size())) + triple +
                   code;
  EXPECT_EQ(form_of(all), CodeForm::amd_bundle);
  EXPECT_EQ(extract(all, "gfx942"), code);
  EXPECT_THAT(refusal([&] { extract(all, "gfx90a"); }), HasSubstr("found gfx942, expected code for gfx90a"));
  const auto compressed = bundle::written::compressed(3, all);
  EXPECT_EQ(form_of(compressed), CodeForm::amd_bundle);
  EXPECT_EQ(extract(compressed, "gfx942"), code);
  EXPECT_THAT(refusal([] { extract("CCOB and more", "gfx90a"); }), HasSubstr("--no-offload-compress"));
  EXPECT_EQ(extract(code, "gfx942"), code);  // in no container
}

TEST(Ptx, StatesItsTarget) {
  EXPECT_EQ(ptx_target("// a comment\n.version 8.0\n.target sm_90a, debug\n.address_size 64\n"), "sm_90a");
  EXPECT_EQ(form_of(".version 8.0\n.target sm_90\n"), CodeForm::ptx);
  EXPECT_EQ(form_of("int main() {}"), CodeForm::unknown);
}

}  // namespace
}  // namespace podium::compile
