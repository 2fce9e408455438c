// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What becomes of each product when compilers fail, hang, lie or are killed.
#include "suite/compile/builder.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/wait.h>

#include <chrono>
#include <thread>

#include "suite/base/error.hpp"
#include "tests/compile/unconfined.hpp"
#include "tests/compile/workshop.hpp"

namespace podium::compile {
namespace {

using Status = Product::Status;
using testing::AllOf;
using testing::HasSubstr;
using namespace std::chrono_literals;

class Build : public testing::Test {
 protected:
  std::string stopped() {
    try {
      shop.build();
    } catch (const Error& e) {
      return e.what();
    }
    return "not stopped";
  }
  bool scratch_is_empty() const { return files_in(shop.cache() / "scratch") == 0; }
  Workshop shop;
};

TEST_F(Build, CompilesOnceAndTellsHowFarItIs) {
  shop.contestant("a.cpp", "");
  shop.contestant("b.gpu.cpp", "");
  std::vector<std::string> told;
  const auto first = shop.build({}, [&](int done, int total, const std::string& what) {
    told.push_back(std::to_string(done) + "/" + std::to_string(total) + " " + what);
  });
  ASSERT_EQ(first.size(), 2u);
  for (const auto& product : first) {
    EXPECT_EQ(product.status, Status::built) << product.message;
    EXPECT_FALSE(product.cached);
    EXPECT_THAT(text_of(product.file), AllOf(HasSubstr("compiled "), HasSubstr(shop.folder.path().string())));
    EXPECT_TRUE(product.log.empty());
  }
  ASSERT_EQ(told.size(), 3u);
  EXPECT_EQ(told[0], "0/2 ");
  EXPECT_THAT(told[2], HasSubstr("2/2 scale/f32/"));
  EXPECT_TRUE(scratch_is_empty());

  told.clear();
  const auto second = shop.build({}, [&](int, int, const std::string& what) { told.push_back(what); });
  EXPECT_TRUE(second[0].cached && second[1].cached);
  EXPECT_EQ(second[0].file, first[0].file);
  EXPECT_TRUE(told.empty());
}

TEST_F(Build, AFailureIsOneProductAndTheOthersAreBuilt) {
  const auto bad =
      shop.contestant("bad.cpp", "\n// do: echo \"$source:4:2: error: no such thing\" >&2; exit 1\n");
  shop.contestant("good.cpp", "");
  for (int again = 0; again < 2; ++again) {  // a failure is not remembered
    const auto products = shop.build();
    EXPECT_EQ(products[0].status, Status::failed);
    EXPECT_EQ(products[0].message, bad.string() + ":4: no such thing");
    EXPECT_THAT(text_of(products[0].log), HasSubstr("error: no such thing"));
    EXPECT_EQ(products[1].status, Status::built);
    EXPECT_EQ(products[1].cached, again == 1);
  }
  EXPECT_TRUE(scratch_is_empty());
}

TEST_F(Build, WarningsAreKeptAndSilencedOnesForgotten) {
  shop.contestant("a.cpp",
                  "\n// do: [ -e '" + (shop.folder.path() / "quiet").string() + "' ] || echo warning >&2\n");
  const auto product = shop.build().at(0);
  EXPECT_EQ(product.status, Status::built);
  EXPECT_EQ(text_of(product.log), "warning\n");
  fs::remove(product.file);
  shop.folder.write("quiet", "");
  EXPECT_TRUE(shop.build().at(0).log.empty());
  EXPECT_FALSE(fs::exists(product.log));
}

TEST_F(Build, ACompilerThatWritesNothingFailed) {
  shop.contestant("a.cpp", "\n// do: : > $out\n");
  shop.contestant("b.cpp", "\n// do: rm $out\n");
  for (const auto& product : shop.build()) {
    EXPECT_EQ(product.status, Status::failed);
    EXPECT_THAT(product.message, HasSubstr("the compiler wrote no output"));
  }
}

TEST_F(Build, ACompilerThatChangesItsSourcesFailed) {
  shop.contestant("a.cpp", "\n// do: chmod u+w \"$source\"; echo '// more' >> \"$source\"\n");
  const auto product = shop.build().at(0);
  EXPECT_EQ(product.status, Status::failed);
  EXPECT_THAT(product.message, HasSubstr("the compiler changed its sources"));
}

TEST_F(Build, TimeAndMemoryAreLimited) {
  shop.contestant("slow.cpp", "\n// do: exec sleep 60\n");
  shop.contestant("vast.cpp", "\n// do: head -c 300000000 /dev/zero | tail >&2 || exit 1\n");
  const auto start = std::chrono::steady_clock::now();
  const auto products = shop.build({.seconds = 2, .bytes = 100 << 20});
  EXPECT_LT(std::chrono::steady_clock::now() - start, 30s);
  EXPECT_EQ(products[0].status, Status::failed);
  EXPECT_THAT(products[0].message, HasSubstr("slow.cpp: its compilation took longer than 2 s"));
  EXPECT_EQ(products[1].status, Status::failed);
  EXPECT_THAT(products[1].message, HasSubstr("memory"));
}

TEST_F(Build, WhatIsMissingIsSaidWithItsPackage) {
  shop.contestant("a.cpp", "", "//   needs: [absent]\n");
  shop.contestant("b.cpp", "", "//   needs: [theer]\n");
  shop.contestant("c.cpp", "", "//   needs: [there]\n");
  const auto products = shop.build();
  EXPECT_EQ(products[0].status, Status::unavailable);
  EXPECT_THAT(products[0].message,
              AllOf(HasSubstr("a.cpp needs absent"), HasSubstr("install libabsent-dev")));
  EXPECT_EQ(products[1].status, Status::failed);
  EXPECT_THAT(products[1].message, AllOf(HasSubstr("b.cpp: needs"), HasSubstr("\"there\"")));
  EXPECT_EQ(products[2].status, Status::built);
}

TEST_F(Build, APrebuiltCacheNeedsNeitherCompilerNorLibrary) {
  shop.contestant("a.cpp", "", "//   needs: [there]\n");
  ASSERT_EQ(shop.build().at(0).status, Status::built);
  shop.tools.backends["host"].compiler = "/nowhere/cc";
  shop.tools.backends["host"].needs["there"].found = false;
  EXPECT_EQ(shop.build().at(0).status, Status::built);
  EXPECT_TRUE(shop.build().at(0).cached);
  shop.contestant("b.cpp", "");
  const auto b = shop.build().at(1);
  EXPECT_EQ(b.status, Status::unavailable);
  EXPECT_THAT(b.message, HasSubstr("its compiler /nowhere/cc does not exist"));
}

TEST_F(Build, ABackendThatWasNotConfiguredAndADeviceThatIsNotAdmitted) {
  shop.contestant("a.cu", "", "//   arch: sm_100a\n");
  const auto p = shop.problem();
  const auto c = discover(p, problem_files(shop.folder.path() / "kernels/scale"), "cuda").at(0);
  Builder builder(shop.tools, shop.cache());
  builder.add(p, p.choices[0], c, "cuda", "sm_100");
  builder.add(p, p.choices[0], c, "cuda", "sm_90");
  const auto products = builder.run();
  EXPECT_EQ(products[0].status, Status::unavailable);
  EXPECT_THAT(products[0].message, HasSubstr("cmake --preset cuda"));
  EXPECT_EQ(products[1].status, Status::unsuited);
  EXPECT_THAT(products[1].message, HasSubstr("its `arch` is sm_100a, this device is sm_90"));
}

TEST_F(Build, ASourceThatVanishesIsOneProduct) {
  const auto file = shop.contestant("a.cpp", "");
  shop.contestant("b.cpp", "");
  const auto contestants = shop.contestants();
  fs::remove(file);
  const auto p = shop.problem();
  Builder builder(shop.tools, shop.cache());
  for (const auto& c : contestants) builder.add(p, p.choices[0], c, "host", "");
  const auto products = builder.run();
  EXPECT_EQ(products[0].status, Status::failed);
  EXPECT_THAT(products[0].message, HasSubstr("a.cpp: cannot be read: No such file"));
  EXPECT_EQ(products[1].status, Status::built);
}

TEST_F(Build, EqualJobsAreCompiledOnce) {
  shop.contestant("a.cpp", "\n// do: echo once >> '" + (shop.folder.path() / "count").string() + "'\n");
  const auto p = shop.problem();
  Builder builder(shop.tools, shop.cache());
  for (int i = 0; i < 3; ++i) builder.add(p, p.choices[0], shop.contestants().at(0), "host", "");
  for (const auto& product : builder.run()) EXPECT_EQ(product.status, Status::built);
  EXPECT_EQ(text_of(shop.folder.path() / "count"), "once\n");
}

TEST_F(Build, ACacheThatCannotBeWrittenOrIsFullIsASentence) {
  shop.contestant("a.cpp", "");
  EXPECT_THROW(Builder(shop.tools, "/dev/null/cache"), Error);
  shop.folder.write("cache/scale", "a file where a folder should be");
  EXPECT_THAT(stopped(), HasSubstr("PODIUM_CACHE"));
  fs::remove(shop.cache() / "scale");
  shop.contestant("a.cpp", "\n// do: echo '#error No space left on device' >&2; exit 1\n");
  EXPECT_EQ(shop.build().at(0).status, Status::failed);  // said, but not so
  EXPECT_TRUE(scratch_is_empty());
}

TEST_F(Build, JobsRunSideBySide) {
  const auto here = [&](const char* name) { return "'" + (shop.folder.path() / name).string() + "'"; };
  const auto meet = [&](const char* mine, const char* other) {
    return "\n// do: : > " + here(mine) + "; for i in $(seq 200); do [ -e " + here(other) +
           " ] && exit 0; sleep 0.05; done; exit 1\n";
  };
  shop.contestant("a.cpp", meet("one", "two"));
  shop.contestant("b.cpp", meet("two", "one"));
  for (const auto& product : shop.build({.parallel = 2}))
    EXPECT_EQ(product.status, Status::built) << product.message;
}

TEST_F(Build, AnInterruptStopsTheBuild) {
  shop.contestant("a.cpp", "\n// do: kill -INT $PPID; sleep 60\n");
  const auto start = std::chrono::steady_clock::now();
  EXPECT_THAT(stopped(), HasSubstr("interrupted"));
  EXPECT_LT(std::chrono::steady_clock::now() - start, 30s);
  EXPECT_TRUE(scratch_is_empty());
}

bool within(std::chrono::seconds time, const std::function<bool()>& condition) {
  for (const auto end = std::chrono::steady_clock::now() + time; std::chrono::steady_clock::now() < end;) {
    if (condition()) return true;
    std::this_thread::sleep_for(20ms);
  }
  return condition();
}

TEST_F(Build, CompilersEndWithPodium) {
  const auto file = shop.folder.path() / "pid";
  shop.contestant("a.cpp", "\n// do: echo $$ > '" + file.string() + ".part'; mv '" + file.string() +
                               ".part' '" + file.string() + "'; exec sleep 300\n");
  const pid_t podium = ::fork();
  if (podium == 0) {
    shop.build();
    ::_exit(0);
  }
  ASSERT_TRUE(within(20s, [&] { return fs::exists(file); }));
  const pid_t compiler = std::stoi(text_of(file));
  ASSERT_EQ(::kill(compiler, 0), 0);
  ::kill(podium, SIGKILL);
  ::waitpid(podium, nullptr, 0);
  EXPECT_TRUE(within(20s, [&] {
    ::waitpid(compiler, nullptr, WNOHANG);  // where it became this process's child
    return text_of("/proc/" + std::to_string(compiler) + "/comm") != "sleep\n";
  }));
}

TEST_F(Build, ScratchFoldersThatNobodyUsesAreRemoved) {
  const Scratch used(shop.cache());
  const fs::path left = used.folder().string() + "x";  // of this machine
  fs::create_directory(left);
  for (const auto& folder : {used.folder(), left})
    fs::last_write_time(folder, fs::file_time_type::clock::now() - 1h);
  const Scratch next(shop.cache());
  EXPECT_TRUE(fs::exists(used.folder()));
  EXPECT_FALSE(fs::exists(left));
}

TEST_F(Build, TwoAtATimeShareACache) {
  for (int i = 0; i < 6; ++i) shop.contestant("c" + std::to_string(i) + ".cpp", "\n// do: sleep 0.1\n");
  std::vector<pid_t> children;
  for (int i = 0; i < 3; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      bool well = true;
      for (const auto& product : shop.build())
        well = well && product.status == Status::built && text_of(product.file).starts_with("compiled ");
      ::_exit(well ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const auto child : children) {
    int status = -1;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_TRUE(scratch_is_empty());
  EXPECT_EQ(files_in(shop.cache() / "scale"), 2 * 6) << "each product with the hash that seals it";
}

}  // namespace
}  // namespace podium::compile
