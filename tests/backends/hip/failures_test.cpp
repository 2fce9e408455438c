// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What HIP's runtime answers when something is wrong becomes a sentence that says what to do.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/mman.h>
#include <unistd.h>

#include "backends/gpu/program.hpp"
#include "backends/gpu/vendor.hpp"
#include "suite/base/descriptor.hpp"
#include "suite/base/error.hpp"
#include "tests/backends/hip/runtime.hpp"

namespace podium::gpu {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

class Failures : public testing::Test {
 protected:
  Failures() { runtime = {}; }
  ~Failures() override { runtime = {}; }

  // Of choosing device `ordinal`; every one of them says that there is no device to use.
  static std::string chosen(int ordinal) {
    try {
      choose_device(ordinal);
    } catch (const Error& e) {
      EXPECT_EQ(e.fault(), Fault::device);
      return e.what();
    }
    return "";
  }
};

TEST_F(Failures, NoneWhereAllIsWell) { EXPECT_EQ(chosen(0), ""); }

TEST_F(Failures, NoDevice) {
  runtime.count = hipErrorNoDevice;
  EXPECT_THAT(chosen(0), StartsWith("no AMD GPU can be used (hipErrorSomething: its text): "));
  runtime.count = hipSuccess;
  runtime.devices = 0;
  EXPECT_THAT(chosen(0), StartsWith("no AMD GPU can be used ("));
}

TEST_F(Failures, ANumberThatNoDeviceHas) {
  runtime.devices = 2;
  EXPECT_EQ(chosen(1), "");
  EXPECT_EQ(chosen(2), "hip:2 does not exist: this machine has 2 devices, from hip:0");
}

TEST_F(Failures, ADeviceThatDoesNotOpen) {
  runtime.set = hipErrorIllegalState;
  EXPECT_THAT(chosen(0), AllOf(StartsWith("hip:0 cannot be opened: "), HasSubstr("the GPU was reset"),
                               HasSubstr("amd-smi reset --gpureset")));
}

TEST_F(Failures, ARuntimeThatIsTooOld) {
  runtime.version = hip::version(6, 1) + 40091;
  EXPECT_EQ(
      chosen(0),
      "no AMD GPU can be used (HIP 6.1.40091): ROCm 6.2 or newer is needed; install one and build again");
  runtime.version = hip::version(7, 0);
  EXPECT_EQ(chosen(0), "");
}

TEST_F(Failures, ADriverThatIsTooOld) {
  runtime.count = hipErrorInsufficientDriver;
  EXPECT_THAT(chosen(0),
              EndsWith("amdgpu driver is older than this ROCm: update AMD's package amdgpu-dkms, or "
                       "the kernel)"));
}

TEST_F(Failures, AGpuWithoutVirtualMemory) {
  runtime.virtual_memory = false;
  EXPECT_THAT(chosen(0), HasSubstr("hip:0 has no virtual memory management"));
}

TEST_F(Failures, CodeForAnotherArchitectureNamesTheOneToAdd) {
  runtime.target = "gfx1100";
  runtime.load = hipErrorNoBinaryForGpu;
  const Descriptor file(memfd_create("program", MFD_CLOEXEC));
  ASSERT_EQ(write(file.get(), "\177ELF", 4), 4);
  try {
    const CodeObject object(file.get(), nullptr);
    FAIL() << "it was loaded";
  } catch (const Error& e) {
    EXPECT_THAT(e.what(), AllOf(HasSubstr("the judge's program cannot be loaded"),
                                HasSubstr("holds nothing for this device, which is gfx1100"),
                                HasSubstr("--arch gfx1100"), HasSubstr("--offload-arch=gfx1100")));
  }
}

TEST_F(Failures, AreToldWithWhatToDo) {
  const std::pair<hipError_t, const char*> expected[] = {
      {hipErrorIllegalState, "the GPU was reset or removed: `sudo dmesg | grep amdgpu` says why"},
      {hipErrorContextIsDestroyed, "the GPU was reset"},
      {hipErrorDeinitialized, "the GPU was reset"},
      {hipErrorLaunchTimeOut, "the GPU was reset"},
      {hipErrorLaunchFailure, "a kernel was stopped: `sudo dmesg | grep amdgpu` names a page fault"},
      {hipErrorIllegalAddress, "a kernel was stopped"},
      {hipErrorECCNotCorrectable, "amd-smi metric --ecc"},
      {hipErrorInvalidDeviceFunction, "--arch gfx942"},
      {hipErrorInvalidImage, "--arch gfx942"}};
  for (const auto& [status, sentence] : expected) try {
      check(status);
      ADD_FAILURE() << "error " << status << " passed";
    } catch (const Error& e) {
      EXPECT_THAT(e.what(), AllOf(StartsWith("the device answered hipErrorSomething: its text; "),
                                  HasSubstr(sentence), HasSubstr("(failures_test.cpp:")));
    }
  EXPECT_EQ(describe(hipErrorInvalidValue), "hipErrorSomething: its text");
}

// The stand-in's sentences name kernel and instruction; a driver's log has nothing of it.
TEST_F(Failures, OfAnEmulatedDeviceHaveNoAdviceAboutDrivers) {
  setenv("PODIUM_EMULATED", "gfx942", 1);
  EXPECT_EQ(describe(hipErrorLaunchFailure), "hipErrorSomething: its text");
  unsetenv("PODIUM_EMULATED");
  EXPECT_THAT(describe(hipErrorLaunchFailure), HasSubstr("dmesg"));
}

}  // namespace
}  // namespace podium::gpu
