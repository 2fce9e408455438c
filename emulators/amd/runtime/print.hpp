// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What printf() in a kernel prints, from the words that the compiler makes of its arguments.
#pragma once
#include <cstdint>
#include <span>
#include <string>

namespace podium::amd {

// `words`: the format, then each argument; a text fills as many words as it needs with its terminating zero,
// everything else one: a float as double, an integer of any width in its low bits. What the format asks for
// and the words do not have is left as it stands in the format.
std::string printed(std::span<const std::uint64_t> words);

}  // namespace podium::amd
