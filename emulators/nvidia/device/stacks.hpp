// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Stacks of GPU threads, kept between launches: to make a thousand costs more time than most kernels. Safe to
// use from several threads.
#pragma once
#include <cstddef>
#include <memory>

#include "sdk/podium/emulation/library/fiber.hpp"

namespace podium::ptx {

std::unique_ptr<host::Fiber> take_stack(std::size_t bytes);
// Where memory has ended, it is not kept but goes.
void give_stack_back(std::size_t bytes, std::unique_ptr<host::Fiber> stack) noexcept;

}  // namespace podium::ptx
