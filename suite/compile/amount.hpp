// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Amounts of memory and disk as people write them.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace podium::compile {

// "2 GiB", "100 MiB", "7 KiB": in the largest unit that leaves a whole number, or one decimal.
std::string amount(std::int64_t bytes);

// "20GiB", "512 MiB", "1.5G", "4096" (bytes). Nothing if it is no such amount, or negative.
std::optional<std::int64_t> parse_amount(std::string_view text);

}  // namespace podium::compile
