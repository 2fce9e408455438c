// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A tcgen05.mma that is under way: where its matrices lie in tensor memory, and its operands.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "emulators/nvidia/device/instruction_descriptor.hpp"
#include "emulators/nvidia/device/shared_matrix.hpp"
#include "emulators/nvidia/device/sparsity.hpp"
#include "emulators/nvidia/device/tcgen05.hpp"
#include "emulators/nvidia/device/tensor_memory.hpp"

namespace podium::ptx {

struct Multiply {
  TensorIssue issue;
  ProxyAccess shared;
  TensorProduct how;
  TensorOperands operands;
  std::array<u32, 8> disabled;
  InstructionDescriptor shape;

  u32 rows() const { return shape.m / how.group; }                     // of each block
  u32 stored() const { return shape.sparse ? shape.k / 2 : shape.k; }  // elements of a row of A
  [[noreturn]] void refuse(const std::string& what) const;
  Block& block(u32 index) const { return block_of(*issue.thread, issue.line, how.group, index); }

  // Layouts A to G of PTX ISA 9.7.16.10.5. Of 64 rows, F and C take the lower or the upper 16 of each 32
  // lanes; else columns of D are divided among as many copies of the rows as there are lanes for.
  bool half_of_lanes() const {
    return rows() == 64 && !how.separate_warps && (how.group == 1 || shape.sparse);
  }
  u32 copies() const { return half_of_lanes() ? 1 : tensor_lanes / rows(); }
  u32 lane_of(u32 row) const { return half_of_lanes() ? row / 16 * 32 + row % 16 : row; }
  // The columns of B that are passed over (PTX ISA 9.7.16.4.3).
  u32 column_shift() const { return how.columns_masked ? operands.column_mask >> 56 & 0x3f : 0; }
};

// tcgen05_operands.cpp: what memory holds of A, of all blocks, and of B, scaled; of a sparse A, where the
// stored elements of each row stand.
void read_a(const Multiply&, MatrixOperand&);
void read_b(const Multiply&, MatrixOperand&);
StoredPlaces places_of(const Multiply&, const MatrixOperand& a);
void scale(const Multiply&, MatrixOperand& a, MatrixOperand& b);
// Of each column of D, whether zeros stand for B's. Or nothing where the mask's descriptor is wrong.
std::optional<std::vector<bool>> masked_columns(const Multiply&);

}  // namespace podium::ptx
