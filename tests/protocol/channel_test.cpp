// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Messages and descriptors through a channel, and what a channel refuses.
#include "suite/protocol/channel.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <chrono>

#include <cstring>
#include <thread>

namespace podium::protocol {
namespace {

struct ChannelTest : testing::Test {
  ChannelTest() {
    auto [a, b] = socket_pair();
    raw = b.get();
    left = Channel(std::move(a));
    right = Channel(std::move(b));
  }
  void send_raw(const void* bytes, std::size_t size) {
    ASSERT_EQ(::send(raw, bytes, size, 0), static_cast<ssize_t>(size));
  }

  Channel left, right;
  int raw = -1;
};

TEST_F(ChannelTest, CarriesAMessageUnchanged) {
  Begin sent{};
  sent.workload = 7;
  sent.round = -1;
  sent.owner = 0x123456789abcdef0;
  left.send(sent);
  const auto packet = right.receive(1000);
  ASSERT_TRUE(packet);
  const auto& got = packet->as<Begin>();
  EXPECT_EQ(got.workload, 7);
  EXPECT_EQ(got.round, -1);
  EXPECT_EQ(got.owner, 0x123456789abcdef0u);
}

TEST_F(ChannelTest, CarriesDescriptorsThatAreClosedOnExec) {
  const Descriptor file(memfd_create("test", 0));
  const int fd = file.get();
  left.send(End{}, std::span(&fd, 1));
  const auto packet = right.receive(1000);
  ASSERT_TRUE(packet);
  struct stat a{}, b{};
  ASSERT_EQ(fstat(fd, &a), 0);
  ASSERT_EQ(fstat(packet->descriptors[0].get(), &b), 0);
  EXPECT_EQ(a.st_ino, b.st_ino);
  EXPECT_TRUE(fcntl(packet->descriptors[0].get(), F_GETFD) & FD_CLOEXEC);
  EXPECT_FALSE(packet->descriptors[1]);
}

TEST_F(ChannelTest, SaysNothingWhenTimePasses) {
  EXPECT_FALSE(right.receive(10));
  EXPECT_FALSE(right.wait(0));
  left.send(End{});
  EXPECT_TRUE(right.wait(1000));
}

TEST_F(ChannelTest, KnowsThatTheOtherSideHasEnded) {
  left.close();
  EXPECT_THROW(right.receive(1000), Closed);
  EXPECT_THROW(right.send(End{}), Closed);
}

// Who says everything and reads nothing would keep the sender waiting for ever.
TEST_F(ChannelTest, DoesNotWaitForWhoReadsNothing) {
  const auto fill = [&] {
    for (int k = 0; k < 100'000; ++k) left.send(LoadProblem{});
  };
  EXPECT_THROW(fill(), Malformed);
  EXPECT_EQ(right.receive(1000)->type(), Type::problem) << "what had found room is there";
}

TEST_F(ChannelTest, RefusesAnotherTypeThanExpected) {
  left.send(End{});
  const auto packet = right.receive(1000);
  ASSERT_TRUE(packet);
  EXPECT_THROW(packet->as<Begin>(), Malformed);
}

TEST_F(ChannelTest, RefusesWhatIsNoMessage) {
  send_raw("hello", 5);
  EXPECT_THROW(left.receive(1000), Malformed);
  Header header;
  header.type = Type::end;
  header.bytes = 999;  // it is not that long
  send_raw(&header, sizeof header);
  EXPECT_THROW(left.receive(1000), Malformed);
  header.bytes = sizeof header;
  header.version = version + 1;
  send_raw(&header, sizeof header);
  EXPECT_THROW(left.receive(1000), Malformed);
  const std::string flood(2 * max_message, 'x');
  send_raw(flood.data(), flood.size());
  EXPECT_THROW(left.receive(1000), Malformed);
  // A right one is still understood afterwards.
  header.version = version;
  send_raw(&header, sizeof header);
  EXPECT_EQ(left.receive(1000)->type(), Type::end);
}

TEST_F(ChannelTest, RefusesTheRightTypeInAnotherSize) {
  Begin begin{};
  begin.header = {.type = Type::begin, .bytes = sizeof(Begin) - 8};
  send_raw(&begin, sizeof begin - 8);
  const auto packet = left.receive(1000);
  ASSERT_TRUE(packet);
  EXPECT_THROW(packet->as<Begin>(), Malformed);
}

TEST(Sentence, IsCutWithAnEllipsisAndReadUpToItsEnd) {
  char field[8];
  put(field, "short");
  EXPECT_EQ(get(field), "short");
  put(field, "much too long");
  EXPECT_EQ(get(field), "much...");
  std::memset(field, 'x', sizeof field);  // a sender that leaves out the closing zero
  EXPECT_EQ(get(field), "xxxxxxxx");
}

TEST(Channel, LooksForAMessageUntilTimePasses) {
  using namespace std::chrono_literals;
  auto [one, other] = socket_pair();
  Channel here(std::move(one)), there(std::move(other));
  const auto began = std::chrono::steady_clock::now();
  EXPECT_FALSE(here.look_for(3ms));
  EXPECT_GE(std::chrono::steady_clock::now() - began, 3ms);
  there.send(Ready{});
  const auto packet = here.look_for(20s);
  ASSERT_TRUE(packet);
  EXPECT_EQ(packet->type(), Type::ready);
  there.send(Ready{});
  EXPECT_TRUE(here.look_for(0ms)) << "one look is made";
  there.close();
  EXPECT_THROW(here.look_for(20s), Closed) << "an end is news, too";
  EXPECT_LT(std::chrono::steady_clock::now() - began, 10s);
}

}  // namespace
}  // namespace podium::protocol
