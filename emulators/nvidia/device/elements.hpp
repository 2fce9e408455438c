// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Elements of matrix operands as float, which holds all of them exactly.
#pragma once
#include "emulators/nvidia/device/floating.hpp"
#include "emulators/nvidia/device/matrices.hpp"

namespace podium::ptx {

inline u32 bytes_of(Element type) {
  switch (type) {
    case Element::f16:
    case Element::bf16:
      return 2;
    case Element::tf32:
    case Element::f32:
    case Element::s32:
      return 4;
    case Element::f64:
      return 8;
    default:
      return 1;
  }
}

inline f32 element(const u8* at, Element type) {
  switch (type) {
    case Element::f16:
      return float_of(read<f16>(at));
    case Element::bf16:
      return float_of(read<bf16>(at));
    case Element::tf32:
      return float_of(read<u32>(at) & 0xffffe000);  // hardware looks at no more
    case Element::e4m3:
      return widened(*at, e4m3);
    case Element::e5m2:
      return widened(*at, e5m2);
    case Element::e2m3:  // of a byte's low six bits
      return widened(*at & 0x3f, e2m3);
    case Element::e3m2:
      return widened(*at & 0x3f, e3m2);
    case Element::e2m1:  // of the four bits in a byte's middle
      return widened(*at >> 2 & 0xf, e2m1);
    case Element::s8:
      return static_cast<s8>(*at);
    case Element::u8_:
      return *at;
    default:
      return read<f32>(at);
  }
}

}  // namespace podium::ptx
