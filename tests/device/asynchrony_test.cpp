// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The order of asynchronous operations, as `podium verify --async` names it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "suite/base/error.hpp"
#include "suite/device/emulated.hpp"

namespace podium::device {
namespace {

using testing::HasSubstr;
using testing::StrEq;

constexpr const char* variable = "PODIUM_EMULATED_ASYNC";

std::string refusal(const std::string& mode, bool emulated) {
  try {
    set_asynchrony(mode, emulated);
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

TEST(Asynchrony, IsSetForJudgesAndWorkers) {
  for (const char* mode : {"lazy", "eager", "random:7"}) {
    set_asynchrony(mode, true);
    EXPECT_THAT(std::getenv(variable), StrEq(mode));
  }
  unsetenv(variable);
}

TEST(Asynchrony, RefusesOtherWordsAndRealDevices) {
  for (const char* mode : {"", "late", "random", "random:", "random:x", "lazy "})
    EXPECT_THAT(refusal(mode, true), HasSubstr("expected lazy, eager or random:SEED")) << mode;
  EXPECT_THAT(refusal("lazy", false), HasSubstr("only an emulated device"));
  EXPECT_EQ(std::getenv(variable), nullptr);
}

}  // namespace
}  // namespace podium::device
