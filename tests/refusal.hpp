// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>

#include "suite/base/error.hpp"

namespace podium {

// The sentence with which `read` refuses what it reads.
inline std::string refusal(const std::function<void()>& read) {
  try {
    read();
    return "not refused";
  } catch (const Error& e) {
    return e.what();
  }
}

}  // namespace podium
