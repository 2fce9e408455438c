// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "emulators/nvidia/device/instruction_descriptor.hpp"

#include <fmt/format.h>

#include <optional>

namespace podium::ptx {
namespace {

bool is_scaled(TensorKind kind) {
  return kind == TensorKind::mxf8f6f4 || kind == TensorKind::mxf4 || kind == TensorKind::mxf4nvf4;
}

u32 depth(TensorKind kind) {
  switch (kind) {
    case TensorKind::f16:
      return 16;
    case TensorKind::tf32:
      return 8;
    case TensorKind::mxf4:
    case TensorKind::mxf4nvf4:
      return 64;
    default:
      return 32;
  }
}

std::optional<MatrixType> type_of(TensorKind kind, u32 code) {
  switch (kind) {
    case TensorKind::f16:
      if (code == 0) return MatrixType{Element::f16};
      if (code == 1) return MatrixType{Element::bf16};
      return std::nullopt;
    case TensorKind::tf32:
      if (code == 2) return MatrixType{Element::tf32};
      return std::nullopt;
    case TensorKind::i8:
      if (code == 0) return MatrixType{Element::u8_};
      if (code == 1) return MatrixType{Element::s8};
      return std::nullopt;
    case TensorKind::mxf4:
    case TensorKind::mxf4nvf4:
      if (code == 1) return MatrixType{Element::e2m1, Storage::packed};
      return std::nullopt;
    case TensorKind::f8f6f4:
    case TensorKind::mxf8f6f4:
      if (code == 0) return MatrixType{Element::e4m3};
      if (code == 1) return MatrixType{Element::e5m2};
      if (code == 3) return MatrixType{Element::e2m3, Storage::padded};
      if (code == 4) return MatrixType{Element::e3m2, Storage::padded};
      if (code == 5) return MatrixType{Element::e2m1, Storage::padded};
      return std::nullopt;
  }
  return std::nullopt;
}

std::optional<Element> result_of(TensorKind kind, u32 code) {
  if (is_scaled(kind)) return Element::f32;
  if (kind == TensorKind::i8) return code == 2 ? std::optional(Element::s32) : std::nullopt;
  if (code == 1) return Element::f32;
  return code == 0 && kind != TensorKind::tf32 ? std::optional(Element::f16) : std::nullopt;
}

}  // namespace

std::variant<InstructionDescriptor, std::string> decoded(TensorKind kind, u32 scale_vector, u32 descriptor) {
  const auto field = [&](int shift, u32 bits) { return descriptor >> shift & ((1u << bits) - 1); };
  InstructionDescriptor d;
  d.sparse = field(2, 1) != 0;
  d.selector = field(0, 2);
  if (is_scaled(kind) && kind != TensorKind::mxf8f6f4 && field(31, 1) != 0)
    return std::string("with k = 96, which the emulator does not know");
  const auto a = type_of(kind, field(7, 3)),
             b = type_of(kind, field(10, kind == TensorKind::f8f6f4 || kind == TensorKind::mxf8f6f4 ? 3 : 2));
  const auto result = result_of(kind, field(4, 2));
  if (!a || !b || !result)
    return fmt::format("with the instruction descriptor {:#x}: its types {}, {} and {} are none of this kind",
                       descriptor, field(4, 2), field(7, 3), field(10, 3));
  d.a = *a;
  d.b = *b;
  d.d = *result;
  d.k = depth(kind) * (d.sparse ? 2 : 1);
  d.m = field(24, 5) * 16;
  d.n = field(17, 6) * 8;
  d.negate_a = field(13, 1) != 0;
  d.negate_b = field(14, 1) != 0;
  d.transpose_a = field(15, 1) != 0;
  d.transpose_b = field(16, 1) != 0;
  if ((d.transpose_a && d.a.storage == Storage::packed) || (d.transpose_b && d.b.storage == Storage::packed))
    return std::string("with a transposed matrix of packed elements of 4 bits");
  if (!is_scaled(kind)) {
    d.saturate = kind == TensorKind::i8 && field(3, 1) != 0;
    return d;
  }
  d.scales_are_exponents = field(23, 1) != 0;
  d.scale_b_byte = field(4, 2);
  d.scale_a_byte = field(29, 2);
  if (!d.scales_are_exponents && (kind != TensorKind::mxf4nvf4 || scale_vector != 4))
    return std::string("with scale factors in ue4m3, which only mxf4nvf4 with four of them has");
  return d;
}

}  // namespace podium::ptx
