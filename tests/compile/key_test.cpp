// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The cache knows content and nothing else: a copy elsewhere has what was built here; any change of an input
// is built.
#include <gmock/gmock.h>

#include "suite/compile/builder.hpp"
#include "tests/compile/workshop.hpp"

namespace podium::compile {
namespace {

// A contestant and the judge's program, built into a cache that outlives changes of the workshop.
class Key : public testing::Test {
 protected:
  Key() {
    shop.contestant("a.cpp", "\n#include \"helper.hpp\"\n", "//   needs: [there]\n");
    shop.folder.write("kernels/scale/helper.hpp", "#include \"deep/er.hpp\"\n");
    shop.folder.write("kernels/scale/deep/er.hpp", "");
  }
  // Which of (contestant, program) were in the cache.
  std::pair<bool, bool> cached(const Workshop& in, std::size_t choice = 0) {
    Builder builder(in.tools, cache.path());
    const auto p = in.problem();
    builder.add(p, p.choices[choice], in.contestants().at(0), "host", "");
    builder.add_program(p, p.choices[choice], "host", "");
    const auto products = builder.run();
    for (const auto& product : products) EXPECT_EQ(product.status, Product::Status::built) << product.message;
    return {products[0].cached, products[1].cached};
  }
  std::pair<bool, bool> cached() { return cached(shop); }

  Folder cache;
  Workshop shop;
};

constexpr std::pair both{true, true}, neither{false, false}, only_contestant{true, false},
    only_program{false, true};

TEST_F(Key, IsTheSameInACopyElsewhere) {
  EXPECT_EQ(cached(), neither);
  EXPECT_EQ(cached(), both);
  Workshop copy;
  fs::copy(shop.folder.path() / "kernels", copy.folder.path() / "kernels",
           fs::copy_options::recursive | fs::copy_options::overwrite_existing);
  ASSERT_NE(copy.folder.path(), shop.folder.path());
  EXPECT_EQ(cached(copy), both);
}

TEST_F(Key, ChangesWithTheSource) {
  cached();
  shop.contestant("a.cpp", "\n#include \"helper.hpp\"\n// a word\n", "//   needs: [there]\n");
  EXPECT_EQ(cached(), only_program);
}

TEST_F(Key, ChangesWithAHelperOfAHelper) {
  cached();
  shop.folder.write("kernels/scale/deep/er.hpp", "// a word\n");
  EXPECT_EQ(cached(), only_program);
}

TEST_F(Key, ChangesWithTheHeadersOfSdkAndProgram) {
  cached();
  shop.folder.write("sdk/podium/podium.hpp", "// a word\n");
  EXPECT_EQ(cached(), only_program);
  shop.folder.write("sdk/podium/more.hpp", "");
  EXPECT_EQ(cached(), only_program);
  shop.folder.write("program/podium_program.hpp", "// a word\n");
  EXPECT_EQ(cached(), only_contestant);
}

TEST_F(Key, ChangesWithTheProblem) {
  cached();
  std::string yaml = scale_yaml;
  yaml.replace(yaml.find("2 * x(i)"), 8, "3 * x(i)");
  shop.folder.write("kernels/scale/problem.yaml", yaml);
  EXPECT_FALSE(cached().second);
}

TEST_F(Key, ChangesWithTheTypes) {
  cached(shop, 0);
  EXPECT_EQ(cached(shop, 1), neither);
}

TEST_F(Key, ChangesWithCompilerFlagsAndLibraries) {
  cached();
  auto& host = shop.tools.backends["host"];
  host.native_flags.push_back("-O1");
  EXPECT_EQ(cached(), only_program);
  host.native_link_flags.push_back("-lm");
  EXPECT_EQ(cached(), only_program);
  host.version = "cc 1.1";
  EXPECT_EQ(cached(), only_program);
  host.needs["there"].compile = {"-Ielsewhere"};
  EXPECT_EQ(cached(), only_program);
  host.needs["there"].version = "2";
  EXPECT_EQ(cached(), only_program);
  host.flags.push_back("-O1");  // of emulated contestants
  EXPECT_EQ(cached(), both);
  host.program_flags.push_back("-O1");
  EXPECT_EQ(cached(), only_contestant);
  host.program_version = "cc 1.1";
  EXPECT_EQ(cached(), only_contestant);
  host.compiler = (shop.folder.path() / "." / "cc").string();  // where a compiler lies is no matter
  EXPECT_EQ(cached(), both);
}

TEST_F(Key, ChangesWithVariablesThatCompilersHeed) {
  cached();
  ::setenv("CPATH", "/elsewhere", 1);
  EXPECT_EQ(cached(), neither);
  ::unsetenv("CPATH");
  EXPECT_EQ(cached(), both);
}

TEST_F(Key, ChangesWithAFileThatOneOfThemLeadsTo) {
  const Folder other;
  const fs::path header = other.write("include/deep/a.hpp", "one");
  fs::create_directory_symlink(other.path() / "include", other.path() / "include/deep/round");
  const auto before = fs::last_write_time(header);
  for (const char* name : {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH"}) {
    ::setenv(name, ("/nowhere:" + (other.path() / "include").string()).c_str(), 1);
    cached();
    EXPECT_EQ(cached(), both) << name;
    other.write("include/deep/a.hpp", "two");
    fs::last_write_time(header, before);
    EXPECT_EQ(cached(), neither) << name << ": a file of another content, its size and date as before";
    other.write("include/b.hpp", "");
    EXPECT_EQ(cached(), neither) << name << ": a new file";
    fs::remove(other.path() / "include/b.hpp");
    ::unsetenv(name);
  }
}

TEST(KeyOf, ChangesWithTheArchitectureAndTheProcessor) {
  const auto key = [](const std::string& arch, const std::string& backend) {
    BackendTools tools;
    Contestant contestant;
    contestant.language = language_of("a.gpu.cpp");
    Job job;
    job.command = plugin_command(tools, contestant, backend, arch);
    return key_of(job);
  };
  EXPECT_NE(key("sm_90", "cuda"), key("sm_90a", "cuda"));
  EXPECT_NE(key("gfx942", "hip"), key("gfx90a", "hip"));
  EXPECT_EQ(this_processor().size(), 64u);
  Job generic, native;
  native.command.arguments = {"-march=native"};
  const Digest with_processor;
  generic.command.arguments = {"-march=x86-64"};
  EXPECT_NE(key_of(generic), key_of(native));
}

}  // namespace
}  // namespace podium::compile
