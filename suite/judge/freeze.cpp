// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/judge/freeze.hpp"

#include <fmt/format.h>

#include "suite/base/error.hpp"

namespace podium::judge {
namespace {

constexpr std::chrono::seconds patience{1};

}  // namespace

void Freeze::wait() {
  if (!group_.stopped(patience))
    throw Error(fmt::format("the worker's threads did not stop within {} s", patience.count()));
}

}  // namespace podium::judge
