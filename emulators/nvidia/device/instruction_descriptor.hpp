// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The instruction descriptor of tcgen05.mma: PTX ISA 9.7.16.4.2.
#pragma once
#include <string>
#include <variant>

#include "emulators/nvidia/device/shared_matrix.hpp"
#include "emulators/nvidia/device/tcgen05.hpp"

namespace podium::ptx {

struct InstructionDescriptor {
  u32 m = 0, n = 0, k = 0;  // k: with the elements of A that a sparse one does not store
  MatrixType a{}, b{};
  Element d{};
  bool negate_a = false, negate_b = false, transpose_a = false, transpose_b = false, saturate = false;
  bool scales_are_exponents = false;  // ue8m0; else ue4m3
  u32 scale_a_byte = 0, scale_b_byte = 0;
  bool sparse = false;
  u32 selector = 0;  // of a sparse matrix's metadata
};

// Or what is wrong with it, after "tcgen05.mma ".
std::variant<InstructionDescriptor, std::string> decoded(TensorKind kind, u32 scale_vector, u32 descriptor);

}  // namespace podium::ptx
