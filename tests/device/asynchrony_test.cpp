// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The order of asynchronous operations, as `podium verify --async` names it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>

#include "suite/base/error.hpp"
#include "suite/device/emulated.hpp"

namespace podium::device {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StrEq;

constexpr const char* variable = "PODIUM_EMULATED_ASYNC";

const Emulated of_cuda{"cuda", "sm_90a"}, of_hip{"hip", "gfx942"};

std::string refusal(const std::string& mode, const std::optional<Emulated>& device) {
  try {
    set_asynchrony(mode, device);
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

TEST(Asynchrony, IsSetForJudgesAndWorkers) {
  for (const char* mode : {"lazy", "eager", "random:7"}) {
    set_asynchrony(mode, of_cuda);
    EXPECT_THAT(std::getenv(variable), StrEq(mode));
  }
  unsetenv(variable);
}

TEST(Asynchrony, RefusesOtherWordsAndRealDevices) {
  for (const char* mode : {"", "late", "random", "random:", "random:x", "lazy "})
    EXPECT_THAT(refusal(mode, of_cuda), HasSubstr("expected lazy, eager or random:SEED")) << mode;
  EXPECT_THAT(refusal("lazy", std::nullopt), HasSubstr("only an emulated device"));
  EXPECT_EQ(std::getenv(variable), nullptr);
}

// A mode that changes nothing would be taken for one that was tried.
TEST(Asynchrony, IsRefusedWhereNothingIsAsynchronous) {
  for (const char* mode : {"lazy", "random:7", "late"})
    EXPECT_THAT(refusal(mode, of_hip),
                AllOf(HasSubstr(mode), HasSubstr("hip:emulated:gfx942 does each operation at once")));
  EXPECT_EQ(std::getenv(variable), nullptr);
}

}  // namespace
}  // namespace podium::device
