// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// One sentence out of logs as g++, clang, nvcc, NVRTC, ptxas and linkers write them.
#include "suite/compile/diagnosis.hpp"

#include <gmock/gmock.h>

#include "tests/compile/workshop.hpp"

namespace podium::compile {
namespace {

class Diagnosis : public testing::Test {
 protected:
  std::string of(const std::string& log) {
    return diagnose(log, {"/k/s/a.cpp", "kernels/s/a.cpp", folder.path()});
  }
  Folder folder;
};

TEST_F(Diagnosis, OfGccAndClang) {
  EXPECT_EQ(of("In file included from 0.cpp:1:\n/k/s/a.cpp: In function 'f':\n/k/s/a.cpp:7:3: warning: x\n"
               "/k/s/a.cpp:12:5: error: 'foo' was not declared\n/k/s/a.cpp:13:5: error: second\n"),
            "kernels/s/a.cpp:12: 'foo' was not declared");
  EXPECT_EQ(of("/k/s/a.cpp:3:10: fatal error: x.hpp: No such file or directory\n"),
            "kernels/s/a.cpp:3: x.hpp: No such file or directory");
}

TEST_F(Diagnosis, OfNvccAndNvrtc) {
  EXPECT_EQ(of("/k/s/a.cpp(12): error: identifier \"foo\" is undefined\n    x = foo;\n"),
            "kernels/s/a.cpp:12: identifier \"foo\" is undefined");
  EXPECT_EQ(of("/k/s/a.cpp(9): error #20-D: what\n"), "kernels/s/a.cpp:9: what");
  EXPECT_EQ(of("/k/s/a.cpp(9): catastrophic error: cannot open\n"), "kernels/s/a.cpp:9: cannot open");
  EXPECT_EQ(
      of("ptxas /tmp/x.ptx, line 9; error   : Illegal\nptxas fatal   : Ptx assembly aborted due to errors\n"),
      "kernels/s/a.cpp: ptxas fatal   : Ptx assembly aborted due to errors");
}

TEST_F(Diagnosis, ThatLiesInAHeaderLeadsBackToTheSource) {
  EXPECT_EQ(
      of("In file included from /k/s/a.cpp:4,\n                 from 0.cpp:1:\n/usr/x.hpp:88:1: error: no\n"),
      "kernels/s/a.cpp:4: no (/usr/x.hpp:88)");
  EXPECT_EQ(of("/usr/x.hpp:88:1: error: no\n/k/s/a.cpp:31:4:   required from here\n"),
            "kernels/s/a.cpp:31: no (/usr/x.hpp:88)");
  EXPECT_EQ(of("In file included from /k/s/a.cpp:4:\n/usr/x.hpp: In instantiation of 'place':\n"
               "/usr/x.hpp:37:9:   required from 'Tensor'\n/k/s/a.cpp:31:4:   required from here\n"
               "/usr/x.hpp:88:1: error: static assertion failed: one index per axis\n"),
            "kernels/s/a.cpp:31: static assertion failed: one index per axis (/usr/x.hpp:88)")
      << "where it is used, not where it is included";
  EXPECT_EQ(of("/usr/x.hpp(88): error: static assertion failed with \"one index per axis\"\n"
               "          detected during instantiation of \"place\" at line 31 of /k/s/a.cpp\n\n"
               "/k/s/a.cpp(50): error: second\n"),
            "kernels/s/a.cpp:31: static assertion failed with \"one index per axis\" (/usr/x.hpp:88)");
  const std::string header = folder.path() / "sdk/podium/tensor.hpp";
  folder.write("sdk/podium/tensor.hpp", "");
  EXPECT_EQ(of("/k/s/a.cpp:31:4:   required from here\n" + header + ":18:1: error: no\n"),
            "kernels/s/a.cpp:31: no (" + header + ":18)")
      << "a path that is absolute is whole";
  folder.write("0/podium/scale.hpp", "");
  folder.write("0.cpp", "");
  EXPECT_EQ(of("0/podium/scale.hpp:5:1: error: no\n"), "kernels/s/a.cpp: no (podium/scale.hpp:5)");
  EXPECT_EQ(of("0.cpp:2:1: error: no\n"), "kernels/s/a.cpp: no (generated.cpp:2)");
}

TEST_F(Diagnosis, OfLinkersAndDrivers) {
  EXPECT_EQ(of("/usr/bin/ld: /tmp/c.o: in function `f':\n0.cpp:(.text+0x9): undefined reference to "
               "`cublasCreate_v2'\n"
               "collect2: error: ld returned 1 exit status\n"),
            "kernels/s/a.cpp: undefined reference to `cublasCreate_v2'");
  EXPECT_EQ(of("ld.lld: error: undefined symbol: foo\n"), "kernels/s/a.cpp: undefined symbol: foo");
  EXPECT_EQ(of("/usr/bin/ld: cannot find -lfoo: No such file or directory\ncollect2: error: ld returned 1\n"),
            "kernels/s/a.cpp: cannot find -lfoo: No such file or directory");
  EXPECT_EQ(of("/usr/bin/ld: cannot find /usr/lib/libfoo.so.1: No such file or directory\n"
               "collect2: error: ld returned 1 exit status\n"),
            "kernels/s/a.cpp: cannot find /usr/lib/libfoo.so.1: No such file or directory");
  EXPECT_EQ(of("nvcc fatal   : Unsupported gpu architecture 'compute_1'\n"),
            "kernels/s/a.cpp: nvcc fatal   : Unsupported gpu architecture 'compute_1'");
  EXPECT_EQ(of("g++: fatal error: Killed signal terminated program cc1plus\n"),
            "kernels/s/a.cpp: Killed signal terminated program cc1plus");
}

TEST_F(Diagnosis, OfAnythingElse) {
  EXPECT_EQ(of(""), "kernels/s/a.cpp: the compiler failed without a message");
  EXPECT_EQ(of("strange\n\n"), "kernels/s/a.cpp: strange");
  const auto sentence = of("/k/s/a.cpp:1:1: error: " + std::string(100000, 'x') + "\n");
  EXPECT_LT(sentence.size(), 300u);
  EXPECT_THAT(sentence, testing::StartsWith("kernels/s/a.cpp:1: xxx"));
  EXPECT_LT(of(std::string(1 << 20, '\xff')).size(), 300u);
}

}  // namespace
}  // namespace podium::compile
