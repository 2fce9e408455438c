// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The meter on scratch memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <podium/workspace.hpp>

#include <limits>
#include <stdexcept>
#include <vector>

namespace {
using podium::wire::Memory, testing::HasSubstr, testing::ThrowsMessage;

struct Request {
  Memory kind;
  std::uint64_t bytes;
  bool operator==(const Request&) const = default;
};
struct Host {
  std::vector<Request> requests;
  double memory[4] = {};
  bool empty = false;
  podium::wire::Services services{this, allocate, 100};

  static void* allocate(void* owner, Memory kind, std::uint64_t bytes) {
    auto& self = *static_cast<Host*>(owner);
    self.requests.push_back({kind, bytes});
    return self.empty ? nullptr : self.memory;
  }
};

TEST(Workspace, PassesOnKindAndBytes) {
  Host host;
  podium::Workspace workspace(host.services);
  EXPECT_EQ(workspace.device<float>(5), static_cast<void*>(host.memory));
  EXPECT_EQ(workspace.pinned(7), static_cast<void*>(host.memory));
  EXPECT_EQ(host.requests, (std::vector<Request>{{Memory::device, 20}, {Memory::pinned, 7}}));
}

TEST(Workspace, RefusesMoreThanTheLimitOfBothKindsTogether) {
  Host host;
  podium::Workspace workspace(host.services);
  workspace.device<char>(60);
  EXPECT_THAT([&] { workspace.pinned<double>(6); },
              ThrowsMessage<podium::Error>(
                  HasSubstr("pinned memory for 6 elements of 8 bytes exceeds the 40 bytes left of 100")));
  workspace.device<double>(5);  // what was refused has not been counted
  EXPECT_THROW(workspace.device<char>(1), podium::Error);
  EXPECT_EQ(host.requests.size(), 2u);
}

TEST(Workspace, DoesNotOverflow) {
  Host host;
  podium::Workspace workspace(host.services);
  EXPECT_THROW(workspace.device<double>(std::numeric_limits<std::size_t>::max() / 8 + 2), podium::Error);
  EXPECT_TRUE(host.requests.empty());
}

TEST(Workspace, SaysWhenTheDeviceHasNoMore) {
  Host host;
  host.empty = true;
  podium::Workspace workspace(host.services);
  EXPECT_THAT([&] { workspace.device<char>(10); },
              ThrowsMessage<podium::Error>(HasSubstr("no device memory left for 10 bytes")));
}

}  // namespace
