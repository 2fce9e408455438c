// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Matrices in shared memory, as descriptors of wgmma (PTX ISA 9.7.15.5.1) and tcgen05 (9.7.16.4) name them.
#pragma once
#include <functional>

#include "emulators/nvidia/device/matrices.hpp"
#include "emulators/nvidia/device/products.hpp"
#include "emulators/nvidia/device/proxies.hpp"
#include "emulators/nvidia/device/thread.hpp"

namespace podium::ptx {

// How elements narrower than a byte lie in the 16 bytes that a layout moves together.
enum class Storage {
  plain,   // one behind another
  padded,  // 16 elements of 4 or 6 bits at the beginning, then nothing
  packed   // 32 elements of 4 bits
};
struct MatrixType {
  Element element;
  Storage storage = Storage::plain;
};
u32 elements_in_unit(const MatrixType&);                        // of 16 bytes
void unpack(const u8* unit, const MatrixType&, f32* elements);  // elements_in_unit of them

struct SharedMatrix {
  u64 descriptor;
  u32 rank;  // block of the cluster
  u32 rows, k;
  MatrixType type;
  bool rows_contiguous;  // "MN-major", transposed; else k is contiguous
};
// Reads it to rows [first, first + rows) of `to`.
void read_matrix(const ProxyAccess&, const SharedMatrix&, MatrixOperand& to, u32 first = 0);

// The same, unit by unit: f(row, k of its first element, its 16 bytes); with contiguous rows, `row` is the
// first.
void each_unit(const ProxyAccess&, const SharedMatrix&, const std::function<void(u32, u32, const u8*)>& f);

}  // namespace podium::ptx
