// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// All that a contestant includes beside its problem's header; the same in every problem and on every backend.
// C++17. One file compiles with nvcc, with hipcc, with g++ for the CPU, and with -DPODIUM_EMULATE as C++20,
// where GPU kernels run on the CPU.
#pragma once
#include <podium/dialect.hpp>
#include <podium/dtype.hpp>
#include <podium/error.hpp>
#include <podium/platform.hpp>
#include <podium/scales.hpp>
#include <podium/tensor.hpp>
#include <podium/workspace.hpp>
