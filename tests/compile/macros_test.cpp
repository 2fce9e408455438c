// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Macros that compilers define for a contestant's headers: no name of a problem may be one of them.
#include "suite/problem/formula/names.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>

#include "suite/compile/subprocess.hpp"
#include "suite/compile/toolchain.hpp"
#include "tests/compile/workshop.hpp"
#include "tests/paths.hpp"

namespace podium::compile {
namespace {

// Names that C++ reserves are refused by another rule.
bool reserved(const std::string& name) {
  return name.find("__") != name.npos ||
         (name[0] == '_' && name.size() > 1 && std::isupper(static_cast<unsigned char>(name[1])));
}

TEST(Macros, OfTheHeadersOfContestants) {
  const Toolchain tools = read_toolchain(test::binary_dir() + "/toolchain.yaml");
  const Folder folder;
  folder.write(
      "headers.cpp",
      "#include <podium/podium.hpp>\n#include <podium/threads.hpp>\n#include <algorithm>\n"
      "#include <atomic>\n#include <cassert>\n#include <cerrno>\n#include <cfenv>\n#include <cfloat>\n"
      "#include <cinttypes>\n#include <climits>\n#include <cmath>\n#include <complex>\n"
      "#include <complex.h>\n#include <csetjmp>\n#include <csignal>\n#include <cstdarg>\n"
      "#include <cstdint>\n#include <cstdio>\n#include <cstdlib>\n#include <cstring>\n#include <ctime>\n"
      "#include <cwchar>\n#include <future>\n#include <mutex>\n#include <numbers>\n#include <random>\n"
      "#include <sys/mman.h>\n#include <thread>\n#include <unistd.h>\n");
  std::vector<std::string> names;
  const int status =
      run_program({tools.backends.at("host").compiler, "-std=c++20", "-I", tools.sdk.string(), "-dM", "-E",
                   (folder.path() / "headers.cpp").string()},
                  {}, [&](const std::string& line) {
                    const std::string define = "#define ";
                    if (!line.starts_with(define)) return;
                    names.push_back(line.substr(define.size(),
                                                line.find_first_of(" (\n", define.size()) - define.size()));
                  });
  ASSERT_EQ(status, 0);
  ASSERT_NE(std::find(names.begin(), names.end(), "INT_MAX"), names.end());
  int looked_at = 0;
  for (const std::string& name : names)
    if (!reserved(name) && name != "podium" && !name.starts_with("PODIUM")) {
      EXPECT_TRUE(problem::may_be_macro(name) || name == "I") << name;
      ++looked_at;
    }
  EXPECT_GT(looked_at, 300);
}

TEST(Macros, OrdinaryNamesAreNone) {
  for (const char* name : {"n", "N", "K", "M0", "N12", "rows", "head_dim", "Rows", "qK", "major_axis",
                           "q_heads", "M_tile", "Kv", "cudas", "hips", "island", "x_l", "primes", "sizes"})
    EXPECT_FALSE(problem::may_be_macro(name)) << name;
  for (const char* name : {"NULL", "EOF", "BUFSIZ", "INT_MAX", "M_PI", "M_PIf", "errno", "BM", "A_", "E2BIG",
                           "cudaStreamLegacy", "SYS_read", "PRId64", "isalpha_l"})
    EXPECT_TRUE(problem::may_be_macro(name)) << name;
}

}  // namespace
}  // namespace podium::compile
