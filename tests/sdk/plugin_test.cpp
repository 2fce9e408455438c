// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Plugins over their one symbol, as the worker uses them.
#include <dlfcn.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <podium/dtype.hpp>
#include <podium/table.hpp>

#include <cmath>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace {
using podium::cast, testing::AllOf, testing::HasSubstr;
using podium::plugin::failed, podium::plugin::unsupported, podium::plugin::well;

const podium::plugin::Table& load(const std::string& name) {
  void* const library =
      dlopen((std::string(PLUGIN_DIR) + "/" + name + ".plugin").c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) throw std::runtime_error(dlerror());
  const auto entry = reinterpret_cast<podium::plugin::Entry>(dlsym(library, podium::plugin::entry));
  if (!entry) throw std::runtime_error(dlerror());
  return *entry();
}

// A workload of the scale problem with its tensors, made of T.
template <class T>
struct Fixture {
  std::int64_t rows, cols;
  double factor;
  std::vector<T> x, y;
  std::vector<std::int32_t> shift;
  std::int64_t axes[2] = {rows, cols}, extents[2] = {rows, cols}, strides[2] = {cols, 1}, one = 1;
  podium::wire::Tensor structure, tensors[2];
  std::vector<std::unique_ptr<double[]>> scratch;
  podium::wire::Services services{this, allocate, 256};
  void *self = nullptr, *bound[2] = {};

  Fixture(std::int64_t rows, std::int64_t cols, double factor)
      : rows(rows), cols(cols), factor(factor), x(size()), y(size()), shift(static_cast<std::size_t>(rows)) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = cast<T>(static_cast<float>(i % 97));
    for (std::size_t i = 0; i < shift.size(); ++i) shift[i] = static_cast<int>(i) - 3;
    structure = {shift.data(), shift.data(), axes, &one};
    tensors[0] = {x.data(), nullptr, extents, strides};
    tensors[1] = {y.data(), nullptr, extents, strides};
  }
  std::size_t size() const { return static_cast<std::size_t>(rows * cols); }
  podium::wire::Workload workload() { return {axes, &factor, &structure}; }
  int create(const podium::plugin::Table& table) {
    return table.create(workload(), services, nullptr, &self);
  }
  int bind(const podium::plugin::Table& table, int set = 0) {
    return table.bind(workload(), tensors, &bound[set]);
  }

  static void* allocate(void* owner, podium::wire::Memory, std::uint64_t bytes) {
    auto& kept = static_cast<Fixture*>(owner)->scratch;
    return kept.emplace_back(std::make_unique<double[]>(bytes / 8 + 1)).get();
  }
};

template <class T>
void expect_right(const std::string& name) {
  const auto& table = load(name);
  Fixture<T> f(7, 300, 2.5);
  ASSERT_EQ(f.create(table), well) << table.message();
  ASSERT_EQ(f.bind(table), well) << table.message();
  ASSERT_EQ(table.run(f.self, f.bound[0], nullptr), well) << table.message();
  for (std::int64_t i = 0; i < f.rows; ++i)
    for (std::int64_t j = 0; j < f.cols; ++j) {
      const auto at = static_cast<std::size_t>(i * f.cols + j);
      const float expected = cast<float>(f.x[at]) * 2.5f + static_cast<float>(i - 3);
      ASSERT_EQ(cast<float>(f.y[at]), cast<float>(cast<T>(expected))) << i << ' ' << j;
    }
  EXPECT_EQ(table.destroy(f.self, f.bound, 1), well);
}
TEST(Plugin, NativeComputes) { expect_right<float>("sdk_plain_f32"); }
TEST(Plugin, NativeComputesInBf16) { expect_right<podium::bf16>("sdk_plain_bf16"); }
TEST(Plugin, NativeComputesAsCpp17) { expect_right<podium::f16>("sdk_plain_cpp17"); }
TEST(Plugin, EmulatedComputes) { expect_right<float>("sdk_block_f32"); }
TEST(Plugin, EmulatedComputesInF16) { expect_right<podium::f16>("sdk_block_f16"); }
TEST(Plugin, EmulatedComputesWithWideWarps) { expect_right<podium::bf16>("sdk_block_wide"); }

TEST(Plugin, KokkosComputes) {
  if (!HAS_KOKKOS) GTEST_SKIP() << "no Kokkos found: install libtrilinos-kokkos-dev";
  expect_right<podium::bf16>("sdk_kokkos");
}

TEST(Plugin, SaysWhatItIs) {
  const auto& table = load("sdk_plain_f32");
  EXPECT_EQ(table.abi, podium::plugin::abi);
  EXPECT_EQ(table.bytes, static_cast<int>(sizeof(podium::plugin::Table)));
  EXPECT_STREQ(table.hash, "scale-by-hand");
}

TEST(Plugin, BindsSeveralSetsForOneInstance) {
  const auto& table = load("sdk_plain_f32");
  Fixture<float> f(2, 3, 1);
  std::vector<float> other(6);
  ASSERT_EQ(f.create(table), well);
  ASSERT_EQ(f.bind(table, 0), well);
  f.tensors[1].data = other.data();
  ASSERT_EQ(f.bind(table, 1), well);
  ASSERT_EQ(table.run(f.self, f.bound[1], nullptr), well);
  EXPECT_EQ(other[5], 5 - 2.0f);
  EXPECT_EQ(f.y[5], 0);
  ASSERT_EQ(table.run(f.self, f.bound[0], nullptr), well);
  EXPECT_EQ(f.y, other);
  EXPECT_EQ(table.destroy(f.self, f.bound, 2), well);
  EXPECT_EQ(table.destroy(nullptr, nullptr, 0), well);
}

TEST(Plugin, UnsupportedShapesAreNoFailures) {
  for (const char* name : {"sdk_plain_f32", "sdk_block_f32"}) {
    const auto& table = load(name);
    Fixture<float> f(65, 2, 1);
    EXPECT_EQ(f.create(table), unsupported);
    EXPECT_STREQ(table.message(), "more than 64 rows");
    EXPECT_EQ(f.self, nullptr);
  }
}

class Faulty : public testing::Test {
 protected:
  const podium::plugin::Table& table = load("sdk_faulty");
  int constructed(double how) {
    Fixture<float> f(1, 1, how);
    const int result = f.create(table);
    EXPECT_EQ(f.self, nullptr);
    return result;
  }
  int ran(double how) {
    Fixture<float> f(2, 1, how);
    EXPECT_EQ(f.create(table), well) << table.message();
    EXPECT_EQ(f.bind(table), well);
    const int result = table.run(f.self, f.bound[0], nullptr);
    EXPECT_EQ(table.destroy(f.self, f.bound, 1), well);
    return result;
  }
};
TEST_F(Faulty, ExceptionsBecomeSentences) {
  EXPECT_EQ(constructed(1), failed);
  EXPECT_STREQ(table.message(), "a sentence");
  EXPECT_EQ(ran(1), failed);
  EXPECT_STREQ(table.message(), "a sentence");
}
TEST_F(Faulty, UnsupportedIsTold) {
  EXPECT_EQ(constructed(2), unsupported);
  EXPECT_EQ(ran(2), unsupported);
  EXPECT_STREQ(table.message(), "no such shape");
}
TEST_F(Faulty, ForeignExceptionsAreCaught) {
  EXPECT_EQ(constructed(3), failed);
  EXPECT_EQ(ran(3), failed);
  EXPECT_STREQ(table.message(), "an exception that is not a std::exception");
}
TEST_F(Faulty, LongSentencesAreCut) {
  EXPECT_EQ(ran(4), failed);
  EXPECT_EQ(std::string(table.message()), std::string(1023, 'x'));
}
TEST_F(Faulty, FailedChecksNameTheirPlace) {
  EXPECT_EQ(ran(5), failed);
  EXPECT_THAT(table.message(), AllOf(HasSubstr("faulty.cpp:"), HasSubstr("status 700")));
}
TEST_F(Faulty, TooMuchScratchIsRefused) {
  EXPECT_EQ(constructed(6), failed);
  EXPECT_THAT(table.message(),
              HasSubstr("device memory for 100 elements of 8 bytes exceeds the 256 bytes left of 256"));
  EXPECT_EQ(constructed(7), failed);
  EXPECT_THAT(table.message(), HasSubstr("pinned memory"));
}
TEST_F(Faulty, TheWorkspaceOutlivesTheConstructor) { EXPECT_EQ(ran(0), well) << table.message(); }

TEST(Plugin, AllFourConstructors) {
  for (int form = 0; form < 4; ++form) {
    const auto& table = load("sdk_constructor_" + std::to_string(form));
    Fixture<float> f(1, 1, 8);
    ASSERT_EQ(f.create(table), well);
    ASSERT_EQ(f.bind(table), well);
    ASSERT_EQ(table.run(f.self, f.bound[0], nullptr), well);
    EXPECT_EQ(f.y[0], form == 0 ? 1 : 8);
    EXPECT_EQ(f.scratch.size(), form >= 2 ? 1u : 0u);
    EXPECT_EQ(table.destroy(f.self, f.bound, 1), well);
  }
}

class Misuse : public testing::Test {
 protected:
  const podium::plugin::Table& table = load("sdk_misuse");
  Fixture<float> f{1, 100, 0};
  int run(double how) {
    f.factor = how;
    EXPECT_EQ(f.create(table), well);
    EXPECT_EQ(f.bind(table), well);
    const int result = table.run(f.self, f.bound[0], nullptr);
    EXPECT_EQ(table.destroy(f.self, f.bound, 1), well);
    return result;
  }
};
TEST_F(Misuse, UnsetSharedMemoryReadsAsNan) {
  for (int time = 0; time < 2; ++time) {
    ASSERT_EQ(run(1), well) << table.message();
    for (const float y : f.y) ASSERT_TRUE(std::isnan(y));
  }
}
// The worker gets plugins as descriptors, and closes them.
TEST(Plugin, IsCompleteWhenItsFileIsGone) {
  const int file = open((std::string(PLUGIN_DIR) + "/sdk_misuse.plugin").c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_GE(file, 0);
  void* const library = dlopen(("/proc/self/fd/" + std::to_string(file)).c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_TRUE(library) << dlerror();
  close(file);
  const auto& table = *reinterpret_cast<podium::plugin::Entry>(dlsym(library, podium::plugin::entry))();
  Fixture<float> f(1, 10, 1);
  ASSERT_EQ(f.create(table), well);
  ASSERT_EQ(f.bind(table), well);
  ASSERT_EQ(table.run(f.self, f.bound[0], nullptr), well) << table.message();
  EXPECT_TRUE(std::isnan(f.y[9]));  // shared memory has been poisoned: its symbols were read in time
  EXPECT_EQ(table.destroy(f.self, f.bound, 1), well);
}

TEST(Plugin, WithoutSymbolsIsRefusedRatherThanNotPoisoned) {
  const auto& table = load("sdk_misuse_stripped");
  Fixture<float> f(1, 10, 1);
  ASSERT_EQ(f.create(table), well);
  ASSERT_EQ(f.bind(table), well);
  EXPECT_EQ(table.run(f.self, f.bound[0], nullptr), failed);
  EXPECT_THAT(table.message(), AllOf(HasSubstr("sdk_misuse_stripped.plugin has no readable symbol table"),
                                     HasSubstr("build without -s")));
  EXPECT_EQ(table.destroy(f.self, f.bound, 1), well);
}

TEST_F(Misuse, OutOfBoundsIsTold) {
  EXPECT_EQ(run(2), failed);
  EXPECT_THAT(table.message(),
              AllOf(HasSubstr("block (0,0,0), thread (99,0,0)"),
                    HasSubstr("misuse.gpu.cpp:16: index (0, 100)"), HasSubstr("extents (1, 100)")));
}
TEST_F(Misuse, DifferentBarriersAreTold) {
  EXPECT_EQ(run(3), failed);
  EXPECT_THAT(table.message(), AllOf(HasSubstr("different barriers"), HasSubstr("misuse.gpu.cpp:20"),
                                     HasSubstr("misuse.gpu.cpp:22")));
}

}  // namespace
