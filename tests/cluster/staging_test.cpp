// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Copies between a campaign and a node's scratch.
#include "suite/cluster/staging.hpp"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "suite/base/error.hpp"
#include "suite/compile/cache.hpp"

namespace podium::cluster {
namespace {

namespace fs = std::filesystem;

class Staging : public testing::Test {
 protected:
  Staging() {
    auto name = (fs::temp_directory_path() / "podium staging XXXXXX").string();
    if (!::mkdtemp(name.data())) std::abort();
    folder = name;
  }
  ~Staging() override { fs::remove_all(folder); }
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;
  fs::path write(const fs::path& file, const std::string& text) const {
    fs::create_directories((folder / file).parent_path());
    std::ofstream(folder / file) << text;
    return folder / file;
  }
  std::string text(const fs::path& file) const {
    std::ostringstream all;
    all << std::ifstream(folder / file).rdbuf();
    return all.str();
  }
  fs::path folder;
};

TEST_F(Staging, ARunIsBroughtWhileItIsMeasured) {
  const fs::path run = folder / "scratch/run", to = folder / "campaign/run";
  bring_run(run, to, false);
  EXPECT_FALSE(fs::exists(to / "run.json"));  // not begun
  write("scratch/run/run.json", "{}\n");
  write("scratch/run/entries.jsonl", "1\n");
  write("scratch/run/sources/abc", "text");
  write("scratch/run/report.md", "early");
  bring_run(run, to, false);
  EXPECT_EQ(text("campaign/run/entries.jsonl"), "1\n");
  EXPECT_EQ(text("campaign/run/sources/abc"), "text");
  EXPECT_FALSE(fs::exists(to / "report.md"));
  EXPECT_EQ(fs::status(to / "entries.jsonl").permissions() & fs::perms::others_read, fs::perms::none);
  write("scratch/run/entries.jsonl", "1\n2\n");
  write("scratch/run/report.md", "table");
  bring_run(run, to, true);
  EXPECT_EQ(text("campaign/run/entries.jsonl"), "1\n2\n");
  EXPECT_EQ(text("campaign/run/report.md"), "table");
  EXPECT_EQ(entries_bytes(to), 4);
}

TEST_F(Staging, ProductsTravelWhole) {
  const auto product = write("cache/sum/a.0123456789abcdef0123456789abcdef.plugin", "code");
  compile::seal(product);
  write("cache/sum/b.0123456789abcdef0123456789abcdef.plugin.x.part", "unfinished");
  bring_products(folder / "cache", folder / "campaign");
  stage_products(folder / "campaign", folder / "other", {"sum", "absent"});
  const auto there = folder / "other/sum" / product.filename();
  EXPECT_TRUE(compile::intact(there));
  int files = 0;
  for ([[maybe_unused]] const auto& file : fs::directory_iterator(folder / "other/sum")) ++files;
  EXPECT_EQ(files, 2);
}

TEST_F(Staging, ProblemsStayOnceShardsHaveBegun) {
  write("kernels/sum/problem.yaml", "first");
  fs::create_directories(folder / "campaign");
  keep_problems(folder / "campaign", folder / "kernels");
  write("kernels/sum/problem.yaml", "second");
  keep_problems(folder / "campaign", folder / "kernels");
  EXPECT_EQ(text("campaign/problems/sum/problem.yaml"), "second");
  write("campaign/shards/0001/state.json", "{}");
  write("kernels/sum/problem.yaml", "changed since");
  keep_problems(folder / "campaign", folder / "kernels");
  EXPECT_EQ(text("campaign/problems/sum/problem.yaml"), "second");
}

TEST_F(Staging, ScratchIsRemovedAlsoAfterAKill) {
  fs::path left;
  {
    const NodeScratch scratch(folder.string(), "nightly");
    left = scratch.folder();
    write(left / "x", "y");
    const NodeScratch beside(folder.string(), "nightly");
    EXPECT_TRUE(fs::exists(left));  // in use
  }
  EXPECT_FALSE(fs::exists(left));
  const pid_t killed = ::fork();
  if (killed == 0) {
    const NodeScratch scratch(folder.string(), "nightly");
    ::_exit(0);
  }
  ::waitpid(killed, nullptr, 0);
  EXPECT_FALSE(fs::is_empty(folder));
  {
    const NodeScratch next(folder.string(), "nightly");
  }
  EXPECT_TRUE(fs::is_empty(folder));
}

TEST_F(Staging, ScratchMayHoldVariables) {
  ::setenv("PODIUM_TEST_SCRATCH", folder.c_str(), 1);
  EXPECT_EQ(NodeScratch("$PODIUM_TEST_SCRATCH/own", "nightly").folder().parent_path(), folder / "own");
  ::unsetenv("PODIUM_TEST_SCRATCH");
  for (const char* wrong : {"$PODIUM_TEST_SCRATCH/own", "relative", "$(echo /tmp)"})
    EXPECT_THROW(NodeScratch(wrong, "nightly"), Error) << wrong;
}

}  // namespace
}  // namespace podium::cluster
