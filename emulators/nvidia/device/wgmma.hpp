// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// wgmma, as generated kernels call it: PTX ISA 9.7.15.
#pragma once
#include <initializer_list>

#include "emulators/nvidia/device/matrices.hpp"
#include "emulators/nvidia/device/sparsity.hpp"
#include "emulators/nvidia/device/thread.hpp"

namespace podium::ptx {

struct Wgmma {
  u32 n, k;
  Element a, b, d;
  bool negate_a = false, negate_b = false, transpose_a = false, transpose_b = false, saturate = false;
  bool at_once = false;  // in a function that is called: its registers end with it
  bool sparse = false;   // A holds k / 2 elements a row
  Metadata metadata{};
};

void wgmma_fence(Thread*, int line);
// `d`: the registers that hold the accumulator, which change when the product happens. `a`: four registers,
// or nullptr for descriptor_a. `metadata`: of a sparse A.
void wgmma_multiply(Thread*, int line, const Wgmma&, u32* const* d, const u32* a, u64 descriptor_a,
                    u64 descriptor_b, bool accumulate, u32 metadata = 0);
void wgmma_commit(Thread*, int line);
void wgmma_wait(Thread*, int line, u32 pending_groups);
// A register is used that a product writes, if it is not waited for: a mistake. `how`: "reads", "changes".
void wgmma_used(Thread*, int line, const void* at, const char* name, const char* how);
// Registers that hold a product's A, by their numbers in the kernel: they are read until it is waited for.
void wgmma_holds(Thread*, int line, std::initializer_list<u32> registers);
// One of them is changed: a mistake, if its product is not waited for.
void wgmma_changed(Thread*, int line, u32 number, const char* name);
// A register copied to another. True if the copy waits for a product that changes `from`: a compiler makes
// such copies where both are one register of the machine.
bool wgmma_moved(Thread*, u32* to, const u32* from);

}  // namespace podium::ptx
