// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Names of emulated devices, what a judge and a worker are told of them, and that nothing is timed on them.
#include "suite/device/emulated.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "suite/base/error.hpp"

namespace podium::device {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;

std::string error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / ("podium-emulated-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

TEST(Emulated, NamesAreParsed) {
  const auto device = parse_emulated("hip:emulated:gfx942");
  ASSERT_TRUE(device);
  EXPECT_EQ(device->backend, "hip");
  EXPECT_EQ(device->architecture, "gfx942");
  EXPECT_EQ(device->name(), "hip:emulated:gfx942");
  EXPECT_EQ(parse_emulated("cuda:emulated:sm_100a")->architecture, "sm_100a");
}

TEST(Emulated, OtherNamesAreLeftAlone) {
  for (const char* name : {"", "host", "hip", "hip:0", "hip:emulate", "hip:emulatedx", "emulated"})
    EXPECT_FALSE(parse_emulated(name)) << name;
}

TEST(Emulated, EveryListedDeviceIsParsed) {
  for (const char* backend : {"cuda", "hip"}) {
    EXPECT_GE(emulated_architectures(backend).size(), 5u);
    for (const auto& architecture : emulated_architectures(backend))
      EXPECT_EQ(parse_emulated(Emulated{backend, architecture}.name())->architecture, architecture);
  }
  EXPECT_TRUE(emulated_architectures("host").empty());
}

TEST(Emulated, UnknownOnesAreNamed) {
  EXPECT_THAT(error_of([] { parse_emulated("hip:emulated:gfx941"); }),
              AllOf(HasSubstr("--device hip:emulated:gfx941"), HasSubstr("gfx942"), HasSubstr("gfx1201")));
  EXPECT_THAT(error_of([] { parse_emulated("hip:emulated"); }), HasSubstr("gfx90a"));
  EXPECT_THAT(error_of([] { parse_emulated("hip:emulated:"); }), HasSubstr("gfx90a"));
  EXPECT_THAT(error_of([] { parse_emulated("hip:emulated:sm_90a"); }), HasSubstr("found \"sm_90a\""));
  EXPECT_THAT(error_of([] { parse_emulated("host:emulated:gfx942"); }), HasSubstr("none for 'host'"));
}

TEST(Emulated, ASettingNamesTheStandInAndTheCache) {
  const Folder folder;
  const auto programs = folder.path() / "bin", stand_in = folder.path() / "lib/podium/emulated/hip";
  const Emulated device{"hip", "gfx942"};
  EXPECT_THAT(error_of([&] { emulated_setting(device, programs, folder.path() / "cache"); }),
              AllOf(HasSubstr("scripts/setup --emulators"), HasSubstr(stand_in.string())));
  std::filesystem::create_directories(stand_in);
  ::setenv("LD_LIBRARY_PATH", "/what/was", 1);
  ::setenv("PODIUM_EMULATED_THREADS", "3", 1);
  const auto setting = emulated_setting(device, programs, folder.path() / "cache");
  ::unsetenv("LD_LIBRARY_PATH");
  ::unsetenv("PODIUM_EMULATED_THREADS");
  const auto cache = (folder.path() / "cache/emulated/hip").string();
  EXPECT_THAT(setting.environment, Contains("LD_LIBRARY_PATH=" + stand_in.string() + ":/what/was"));
  EXPECT_THAT(setting.environment, Contains("PODIUM_EMULATED=gfx942"));
  EXPECT_THAT(setting.environment, Contains("PODIUM_EMULATED_THREADS=3"));
  EXPECT_THAT(setting.environment, Contains("PODIUM_EMULATOR_CACHE=" + cache));
  EXPECT_THAT(setting.folders, testing::UnorderedElementsAre(stand_in.string(), cache));
  EXPECT_TRUE(std::filesystem::is_directory(cache));
}

TEST(Emulated, ARootsOwnFoldersAreClosedToWorkers) {
  namespace fs = std::filesystem;
  const Folder folder;
  EXPECT_TRUE(open_to_all(folder.path() / "not/there/yet"));
  fs::create_directories(folder.path() / "closed/within");
  fs::permissions(folder.path() / "closed", fs::perms::owner_all);
  EXPECT_FALSE(open_to_all(folder.path() / "closed/within"));
  EXPECT_TRUE(open_to_all(folder.path()));
}

TEST(Emulated, ACacheThatCannotBeMadeIsNamed) {
  const Folder folder;
  std::filesystem::create_directories(folder.path() / "lib/podium/emulated/hip");
  std::ofstream(folder.path() / "file") << "no folder";
  EXPECT_THAT(
      error_of([&] { emulated_setting({"hip", "gfx942"}, folder.path() / "bin", folder.path() / "file"); }),
      HasSubstr("PODIUM_CACHE"));
}

TEST(Emulated, NothingIsTimed) {
  EXPECT_THAT(error_of([] { refuse_times("AMD gfx942 (emulated)", "podium run"); }),
              AllOf(HasSubstr("podium run"), HasSubstr("AMD gfx942"), HasSubstr("podium verify")));
}

}  // namespace
}  // namespace podium::device
