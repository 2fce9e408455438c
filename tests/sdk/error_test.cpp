// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What contestants throw.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <podium/podium.hpp>

#include <exception>
#include <string>

namespace {
using testing::AllOf, testing::HasSubstr, testing::ThrowsMessage;

enum Status { success = 0, no_memory = 2 };
enum class Scoped { success, failed = 7 };

TEST(Check, LetsZeroPass) {
  podium::check(success);
  podium::check(Scoped::success);
  podium::check(0);
}
TEST(Check, NamesFileLineAndStatus) {
  const int line = __LINE__ + 1;
  const auto failing = [] { podium::check(no_memory); };
  EXPECT_THAT(failing, ThrowsMessage<podium::Error>(AllOf(HasSubstr("error_test.cpp:" + std::to_string(line)),
                                                          HasSubstr("status 2"))));
  EXPECT_THAT([] { podium::check(Scoped::failed); }, ThrowsMessage<podium::Error>(HasSubstr("status 7")));
}
TEST(Error, KeepsItsOwnCopyOfAnyKindOfText) {
  const auto thrown = [](auto text) { return [text] { throw podium::Error(text); }; };
  EXPECT_THAT(thrown("plain"), ThrowsMessage<std::exception>("plain"));
  EXPECT_THAT(thrown(std::string("of a string")), ThrowsMessage<std::exception>("of a string"));
  EXPECT_THAT(thrown(std::string(5000, 'x')), ThrowsMessage<std::exception>(std::string(1023, 'x')));
}
TEST(Require, ThrowsUnsupported) {
  podium::require(true, "never");
  EXPECT_THAT([] { podium::require(false, "odd rows"); }, ThrowsMessage<podium::Unsupported>("odd rows"));
}
TEST(CeilDiv, RoundsUp) {
  static_assert(podium::ceil_div(0, 4) == 0 && podium::ceil_div(1, 4) == 1 && podium::ceil_div(8, 4) == 2);
}

}  // namespace
