// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Each reason for which a machine's AMD GPU cannot be used is named, with what to do about it.
#include "backends/hip/access.hpp"

#include <gmock/gmock.h>
#include <grp.h>
#include <unistd.h>

#include <map>
#include <set>

#include "tests/backends/hip/folder.hpp"

namespace podium::gpu {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;

constexpr const char* node = "sys/class/kfd/kfd/topology/nodes/";

class Access : public testing::Test {
 protected:
  Access() {
    machine_ = {.dev = folder_.path() / "dev",
                .sys = folder_.path() / "sys",
                .runtime = folder_.path() / "rocm/lib/libamdhip64.so.7",
                .may_open = [this](const auto& file) { return !closed_.contains(file.filename()); },
                .variable =
                    [this](const char* name) {
                      const auto found = environment_.find(name);
                      return found == environment_.end() ? nullptr : found->second.c_str();
                    }};
    folder_.write("sys/module/amdgpu/version", "6.10.5\n");
    folder_.write("dev/kfd", "");
    folder_.write("dev/dri/card0", "");
    folder_.write("dev/dri/renderD128", "");
    folder_.write(std::string(node) + "0/properties", "simd_count 0\ngfx_target_version 0\n");
    folder_.write(std::string(node) + "1/properties", "simd_count 1216\ngfx_target_version 90402\n");
  }
  void lose(const std::string& what) { std::filesystem::remove_all(folder_.path() / what); }
  std::string why() const { return why_no_device(machine_); }

  test::Folder folder_;
  Machine machine_;
  std::set<std::filesystem::path> closed_;
  std::map<std::string, std::string> environment_;
};

TEST_F(Access, WithoutTheDriver) {
  lose("dev/kfd");
  lose("sys/module");
  EXPECT_THAT(why(), AllOf(HasSubstr("is the amdgpu driver loaded?"), HasSubstr("sudo modprobe amdgpu")));
}

TEST_F(Access, InAContainerWithoutTheNodes) {
  lose("dev/kfd");
  EXPECT_THAT(why(), AllOf(HasSubstr("there is no"), HasSubstr("--device /dev/kfd --device /dev/dri")));
}

TEST_F(Access, InAContainerWithoutTheRenderNodes) {
  lose("dev/dri/renderD128");
  EXPECT_THAT(why(), AllOf(HasSubstr("/dri/renderD*"), HasSubstr("--device /dev/kfd --device /dev/dri")));
}

TEST_F(Access, WithoutPermissionNamesTheGroupAndTheCommand) {
  const group* const some = getgrnam("video");
  ASSERT_NE(some, nullptr);
  for (const char* closed : {"kfd", "renderD128"}) {
    closed_ = {closed};
    const auto file = machine_.dev / (closed == std::string("kfd") ? "kfd" : "dri/renderD128");
    if (chown(file.c_str(), getuid(), some->gr_gid) != 0) GTEST_SKIP() << "needs root, or the group video";
    EXPECT_THAT(why(), AllOf(HasSubstr("this user may not open " + file.string()),
                             HasSubstr("it belongs to group video: `sudo usermod -aG video "),
                             EndsWith("then log in again")));
  }
}

TEST_F(Access, AGroupThatHasNoNameIsAddedToTheContainer) {
  constexpr gid_t nameless = 4'123'456;
  ASSERT_EQ(getgrgid(nameless), nullptr);
  closed_ = {"kfd"};
  if (chown((machine_.dev / "kfd").c_str(), getuid(), nameless) != 0) GTEST_SKIP() << "needs root";
  EXPECT_THAT(why(),
              AllOf(HasSubstr("group 4123456, which has no name here"), EndsWith("--group-add 4123456")));
}

TEST_F(Access, AGroupJoinedSinceLoginTakesALogin) {
  closed_ = {"kfd"};  // which the test has made: of a group that its user is in
  EXPECT_THAT(why(), AllOf(HasSubstr("only since this login: log in again"), HasSubstr("newgrp ")));
}

TEST_F(Access, TheKernelKnowsNone) {
  lose(std::string(node) + "1");
  EXPECT_THAT(why(), AllOf(HasSubstr("the kernel knows no AMD GPU that computes"), HasSubstr("dmesg")));
}

TEST_F(Access, TheEnvironmentHidesThem) {
  environment_["ROCR_VISIBLE_DEVICES"] = "-1";
  EXPECT_THAT(why(), HasSubstr("ROCR_VISIBLE_DEVICES=-1; unset it"));
}

TEST_F(Access, ARuntimeThatOnlyCompilesIsNamed) {
  folder_.write("rocm/llvm/installation", "");
  EXPECT_THAT(why(), AllOf(HasSubstr("libamdhip64.so.7 only serves to compile"), HasSubstr("install ROCm")));
}

TEST_F(Access, ElseTheRuntimeDoesNotKnowTheGpu) {
  EXPECT_THAT(why(), HasSubstr("the kernel knows gfx942, this ROCm does not: `rocminfo` says more"));
}

}  // namespace
}  // namespace podium::gpu
