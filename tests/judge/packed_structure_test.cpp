// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Structure packed once for all workers: what they may map, what they may not change, what they do not see.
#include "suite/judge/packed_structure.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "suite/judge/loaded_problem.hpp"
#include "tests/judge/program_double.hpp"

namespace podium::judge {
namespace {

const std::string text = R"y(podium: 1
title: t
axes: [n]
structure:
  secret: { dtype: i64, shape: [n], private: true, compute: "for (i : n) out(i) = 123456789012345 + i;" }
  first: { dtype: i32, shape: [n], compute: "random.permutation(out);" }
  none: { dtype: i32, shape: [0], compute: "for (i : 0) out(i) = 1;" }
  second: { dtype: f32, shape: [n], compute: "for (i : n) out(i) = first(i) / 2.0;" }
tensors: { y: { role: output, dtype: f64, shape: [1], tolerance: { ulp: 1 } } }
reference: { y: { index: [i], value: "first(0)" } }
workloads: { test: [{ n: 70000 }, { n: 3 }] }
)y";

struct Packed {
  problem::Problem problem = problem::parse("p", text, "p.yaml");
  DoubleDevice device;
  Workloads workloads{device, problem, problem.choices[0]};
  Secret secret{1, 2};
  Packed() {
    workloads.add(0);
    workloads.add(1);
  }
};

std::vector<std::byte> content(const Descriptor& file, std::size_t bytes) {
  std::vector<std::byte> all(bytes);
  EXPECT_EQ(pread(file.get(), all.data(), bytes, 0), static_cast<ssize_t>(bytes));
  return all;
}

TEST(PackedStructure, HoldsTheNumbersOnTheDeviceAndInTheFile) {
  Packed p;
  const auto& instance = p.workloads.of_round(0, 4, p.secret);
  const auto packed = p.workloads.structure(0);
  const auto file = content(packed->open(), static_cast<std::size_t>(packed->file_bytes()));
  for (std::size_t s = 0; s < instance.structure.size(); ++s) {
    const auto& structure = instance.structure[s];
    for (std::int64_t i = 0; i < structure.elements; ++i) {
      const auto read = [&](const std::byte* from) -> double {
        if (s == 0) return static_cast<double>(reinterpret_cast<const std::int64_t*>(from)[i]);
        if (s == 1) return reinterpret_cast<const std::int32_t*>(from)[i];
        return static_cast<double>(reinterpret_cast<const float*>(from)[i]);
      };
      ASSERT_EQ(read(packed->data(s)), structure.number(i)) << s << " " << i;
      if (structure.visible) {
        ASSERT_EQ(read(file.data() + packed->file_offset(s)), structure.number(i)) << s << " " << i;
      }
    }
  }
  std::byte hidden[8];
  const std::int64_t number = 123456789012345;
  std::memcpy(hidden, &number, sizeof number);
  EXPECT_EQ(std::search(file.begin(), file.end(), std::begin(hidden), std::end(hidden)), file.end());
}

TEST(PackedStructure, NobodyWritesTheFile) {
  Packed p;
  p.workloads.of_round(1, 0, p.secret);
  const Descriptor reader = p.workloads.structure(1)->open();
  const std::byte byte{1};
  EXPECT_EQ(write(reader.get(), &byte, 1), -1);
  EXPECT_EQ(ftruncate(reader.get(), 0), -1);
  EXPECT_EQ(mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, reader.get(), 0), MAP_FAILED);
  EXPECT_EQ(fcntl(reader.get(), F_ADD_SEALS, F_SEAL_WRITE), -1);
  // As its owner could open it again, for writing.
  const Descriptor writer(::open(("/proc/self/fd/" + std::to_string(reader.get())).c_str(), O_RDWR));
  ASSERT_TRUE(writer);
  EXPECT_EQ(write(writer.get(), &byte, 1), -1);
  EXPECT_EQ(errno, EPERM) << "sealed";
}

// A place in a file that one worker has set tells the next one nothing.
TEST(PackedStructure, EachWorkerOpensItForItself) {
  Packed p;
  p.workloads.of_round(1, 0, p.secret);
  const auto packed = p.workloads.structure(1);
  const Descriptor one = packed->open(), other = packed->open();
  EXPECT_EQ(lseek(one.get(), 77, SEEK_SET), 77);
  EXPECT_EQ(lseek(other.get(), 0, SEEK_CUR), 0);
  EXPECT_EQ(lseek(packed->open().get(), 0, SEEK_CUR), 0);
}

TEST(Workloads, AreDrawnOnceARound) {
  Packed p;
  const auto first = [&](std::int64_t round, const Secret& secret) {
    return p.workloads.of_round(0, round, secret).structure[1].words;
  };
  const auto words = first(0, p.secret);
  const auto packed = p.workloads.structure(0);
  p.workloads.of_round(1, 5, p.secret);
  EXPECT_EQ(first(0, p.secret), words) << "the very same";
  EXPECT_EQ(p.workloads.structure(0), packed);
  const auto next = first(1, p.secret);
  EXPECT_NE(*next, *words);
  EXPECT_NE(p.workloads.structure(0), packed);
  EXPECT_EQ(*first(0, p.secret), *words);
  Packed others;
  EXPECT_NE(*others.workloads.of_round(0, 0, {3, 4}).structure[1].words, *words);
}

}  // namespace
}  // namespace podium::judge
