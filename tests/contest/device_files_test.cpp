// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// One device is left to a worker: whose files are whose, in a folder that stands for a machine with several
// GPUs, and that a worker opens its own and no other.
#include "suite/contest/device_access.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <cstdlib>
#include <fstream>

#include "suite/sandbox/landlock.hpp"
#include "tests/contest/sandbox_fixture.hpp"

namespace podium::contest {
namespace {

using namespace sandbox;

namespace fs = std::filesystem;
using testing::AnyOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Optional;

// A machine of stand-in files, beside the worker's program, whose folder it sees wherever it lies.
class Machine {
 public:
  Machine() : root_(fs::path(trespassing_program()).parent_path() / ("machine-" + std::to_string(getpid()))) {
    fs::create_directories(root_ / "dev/dri");
    for (const char* name : {"nvidiactl", "nvidia-uvm", "nvidia-uvm-tools", "nvidia-modeset", "kfd", "null"})
      file(fs::path("dev") / name);
  }
  ~Machine() {
    std::error_code ignored;
    fs::remove_all(root_, ignored);
  }
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  const fs::path& root() const { return root_; }
  fs::path dev(const std::string& name) const { return root_ / "dev" / name; }
  void file(const fs::path& path, const std::string& text = "") {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }
  void nvidia(const std::string& pci, int minor) {
    file("dev/nvidia" + std::to_string(minor));
    file(fs::path("proc/driver/nvidia/gpus") / pci / "information",
         "Model: \t\t NVIDIA H100 80GB HBM3\nGPU UUID: \t GPU-0\nDevice Minor: \t " + std::to_string(minor) +
             "\nGPU Excluded:\t No\n");
  }
  void drm(const std::string& pci, int number) {
    for (const std::string& name :
         {"card" + std::to_string(number), "renderD" + std::to_string(128 + number)}) {
      file(fs::path("dev/dri") / name);
      fs::create_directories(root_ / "sys/bus/pci/devices" / pci / "drm" / name);
    }
  }
  void on_bus(const std::string& name, const std::string& bus) {
    const fs::path device = root_ / "sys/class/drm" / name / "device";
    fs::create_directories(device);
    fs::create_symlink("../../../../bus/" + bus, device / "subsystem");
  }
  std::optional<std::vector<std::string>> others(const std::string& pci) const {
    return other_device_files(pci, root_);
  }

 private:
  fs::path root_;
};

TEST(DeviceFiles, OfNvidiaAreToldByTheMinorNumber) {
  Machine machine;
  machine.nvidia("0000:19:00.0", 3);
  machine.nvidia("0000:c1:00.0", 0);
  EXPECT_THAT(machine.others("0000:C1:00.0"), Optional(ElementsAre(machine.dev("nvidia3"))));
  EXPECT_THAT(machine.others("0000:19:00.0"), Optional(ElementsAre(machine.dev("nvidia0"))));
  EXPECT_EQ(machine.others("0000:55:00.0"), std::nullopt) << "not to be told";
  EXPECT_THAT(machine.others(""), Optional(ElementsAre(machine.dev("nvidia0"), machine.dev("nvidia3"))))
      << "who competes on the processor needs none";
}

TEST(DeviceFiles, OfAmdAreToldByTheKernel) {
  Machine machine;
  machine.drm("0000:03:00.0", 0);
  machine.drm("0000:43:00.0", 1);
  machine.nvidia("0000:c1:00.0", 0);
  EXPECT_THAT(
      machine.others("0000:43:00.0"),
      Optional(ElementsAre(machine.dev("dri/card0"), machine.dev("dri/renderD128"), machine.dev("nvidia0"))));
}

// AMD's partitions share an address, and all but the first have files of devices that are on no bus.
TEST(DeviceFiles, OfPartsOfADividedOneAreNotTold) {
  Machine machine;
  machine.drm("0000:03:00.0", 0);
  machine.file("dev/dri/renderD129");
  machine.on_bus("renderD128", "pci");
  EXPECT_THAT(machine.others("0000:03:00.0"), Optional(ElementsAre(machine.dev("dri/renderD129"))));
  machine.on_bus("renderD129", "platform");
  EXPECT_EQ(machine.others("0000:03:00.0"), std::nullopt);
}

TEST(DeviceFiles, OfOneAloneNeedNotBeTold) {
  Machine machine;
  EXPECT_THAT(machine.others("0000:19:00.0"), Optional(IsEmpty()));
  machine.file("dev/nvidia5");
  EXPECT_THAT(machine.others("0000:19:00.0"), Optional(IsEmpty()));
  machine.file("dev/nvidia6");
  EXPECT_EQ(machine.others("0000:19:00.0"), std::nullopt);
}

TEST(DeviceFiles, WhatIsRecordedIsOfThatDevice) {
  const auto one = [](const Machine& machine, const std::string& pci) {
    return one_device_on(pci, machine.root());
  };
  Machine machine;
  EXPECT_TRUE(one(machine, "0000:19:00.0").held) << "whatever this machine grants";
  machine.nvidia("0000:19:00.0", 3);
  machine.nvidia("0000:c1:00.0", 0);
  EXPECT_EQ(one(machine, "0000:19:00.0").held, grant_of(Means::one_device).held);
  EXPECT_FALSE(one(machine, "0000:55:00.0").held);
  EXPECT_THAT(one(machine, "0000:55:00.0").detail, HasSubstr("no file in /dev is known"));
}

// What stands for a device, in that folder, if this user may make one and can open it there.
bool make_device(const fs::path& path, unsigned minor) {
  constexpr unsigned memory_devices = 1;
  fs::remove(path);
  return mknod(path.c_str(), S_IFCHR | 0666, makedev(memory_devices, minor)) == 0 &&
         chmod(path.c_str(), 0666) == 0 && std::ifstream(path).is_open();
}

TEST(OneDevice, AWorkerOpensItsOwnAndNoOther) {
  if (const auto why = not_granted({Means::mounts}); !why.empty()) GTEST_SKIP() << why;
  // Where it can be had and is not granted, something is broken.
  EXPECT_TRUE(grant_of(Means::one_device).held) << grant_of(Means::one_device).detail;
  Machine machine;
  machine.nvidia("0000:19:00.0", 0);
  machine.nvidia("0000:c1:00.0", 1);
  constexpr unsigned zero = 5, full = 7;
  if (!make_device(machine.dev("nvidia0"), zero) || !make_device(machine.dev("nvidia1"), full))
    GTEST_SKIP() << "this user may make no devices, or not there";
  const auto others = machine.others("0000:19:00.0");
  ASSERT_THAT(others, Optional(ElementsAre(machine.dev("nvidia1"))));
  const auto opens = [&](const char* deed, const std::string& name, const std::vector<Means>& means) {
    return answer({deed, machine.dev(name)},
                  Sandbox{.uid = worker_uid(), .means = only(means), .hidden = *others});
  };
  for (const char* deed : {"read", "overwrite"}) {
    EXPECT_EQ(opens(deed, "nvidia1", {Means::mounts}), "done") << "the attempt itself is at fault";
    EXPECT_EQ(opens(deed, "nvidia1", {Means::mounts, Means::one_device}), "EACCES") << deed;
    EXPECT_EQ(opens(deed, "nvidia0", {Means::mounts, Means::one_device}), "done") << deed;
  }
}

TEST(OneDevice, LandlockAloneHidesTheOthers) {
  if (const auto why = not_granted({Means::landlock}); !why.empty()) GTEST_SKIP() << why;
  if (!Landlock::hides_devices()) GTEST_SKIP() << "takes version 5 of Landlock";
  const auto opens = [&](const char* deed, const std::string& name, const std::vector<Means>& means) {
    return answer({deed, name}, Sandbox{.uid = worker_uid(), .means = only(means), .hidden = {"/dev/zero"}});
  };
  const std::vector<Means> both{Means::landlock, Means::one_device};
  EXPECT_EQ(opens("overwrite", "/dev/zero", {Means::landlock}), "done");
  EXPECT_EQ(opens("overwrite", "/dev/zero", both), "EACCES");
  EXPECT_EQ(opens("overwrite", "/dev/full", both), "done");
  EXPECT_EQ(opens("ask", "/dev/zero", {Means::landlock}), "done") << "the attempt itself is at fault";
  EXPECT_EQ(opens("ask", "/dev/zero", both), "EACCES") << "open to be read, a driver would answer";
  EXPECT_EQ(opens("ask", "/dev/full", both), "done");
}

TEST(OneDevice, AWorkerCountsDevicesAnew) {
  setenv("CUDA_VISIBLE_DEVICES", "1", 1);
  setenv("ROCR_VISIBLE_DEVICES", "1", 1);
  const auto environment = [](const std::vector<std::string>& hidden) {
    return answer({"environment"}, Sandbox{.uid = worker_uid(), .means = granted(), .hidden = hidden});
  };
  const std::string all = environment({}), one = environment({"/dev/zero"});
  setenv("CUDA_VISIBLE_DEVICES", "MIG-0", 1);
  const std::string part = environment({"/dev/zero"});
  unsetenv("CUDA_VISIBLE_DEVICES");
  unsetenv("ROCR_VISIBLE_DEVICES");
  EXPECT_THAT(all, HasSubstr("CUDA_VISIBLE_DEVICES=1"));
  if (!granted().has(Means::one_device)) GTEST_SKIP() << grant_of(Means::one_device).detail;
  EXPECT_THAT(one, Not(HasSubstr("VISIBLE_DEVICES")));
  EXPECT_THAT(part, HasSubstr("CUDA_VISIBLE_DEVICES=MIG-0"));
}

TEST(OneDevice, AWorkerIsToldWhichByItsAddress) {
  const Sandbox hiding{.means = only({Means::one_device}), .hidden = {"/dev/zero"}};
  EXPECT_THAT(place_arguments(hiding, "0000:19:00.0"), ElementsAre("--at", "0000:19:00.0"));
  EXPECT_THAT(place_arguments(hiding, ""), IsEmpty()) << "on the processor there is none";
  EXPECT_THAT(place_arguments(Sandbox{.means = {}, .hidden = {"/dev/zero"}}, "0000:19:00.0"), IsEmpty());
  EXPECT_THAT(place_arguments(Sandbox{.means = only({Means::one_device})}, "0000:19:00.0"), IsEmpty());
}

}  // namespace
}  // namespace podium::contest
