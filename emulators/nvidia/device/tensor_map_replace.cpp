// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// tensormap.replace (PTX ISA 9.7.9.28) and tensormap.cp_fenceproxy (9.7.13): tensor maps that a kernel
// changes, or makes of 128 zero bytes.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "emulators/nvidia/device/footprint.hpp"
#include "emulators/nvidia/device/operations.hpp"
#include "emulators/nvidia/device/scheduler.hpp"
#include "emulators/nvidia/device/tensor_copy.hpp"

namespace podium::ptx {
namespace {

// As .elemtype numbers them: not as the driver's interface does.
constexpr std::array element_types{
    TensorType::u8_,      TensorType::u16_,      TensorType::u32_,      TensorType::s32_,
    TensorType::u64_,     TensorType::s64_,      TensorType::f16_,      TensorType::f32_,
    TensorType::f32_ftz,  TensorType::f64_,      TensorType::bf16_,     TensorType::tf32_,
    TensorType::tf32_ftz, TensorType::packed_u4, TensorType::padded_u4, TensorType::padded_u6};
constexpr u64 most_extent = u64{1} << 32, most_box = 256, most_step = 8;
constexpr u8 mode_of_128_bytes = 3;

// .swizzle_mode says how many bytes, .swizzle_atomicity what stays together in 128 of them.
Swizzle swizzle_of(u8 mode, u8 atom) {
  constexpr std::array narrow{Swizzle::none, Swizzle::bytes32, Swizzle::bytes64};
  constexpr std::array wide{Swizzle::bytes128, Swizzle::bytes128_atom32, Swizzle::bytes128_atom32_flip8,
                            Swizzle::bytes128_atom64};
  return mode < narrow.size() ? narrow[mode] : wide[atom];
}
u8 mode_of(Swizzle how) { return std::min(static_cast<u8>(how), mode_of_128_bytes); }
u8 atom_of(Swizzle how) {
  return how == Swizzle::none ? u8{0} : static_cast<u8>(static_cast<u8>(how) - mode_of(how));
}

class Replacement {
 public:
  Replacement(Thread* t, int line, TensorMap& map) : thread_(t), line_(line), map_(map) {}

  void apply(TensorField field, u32 dimension, u64 value) {
    switch (field) {
      case TensorField::global_address:
        map_.address = value;
        break;
      case TensorField::rank:  // counted from zero
        map_.dimensions = static_cast<u8>(expect("rank", value, 0, most_dimensions - 1) + 1);
        break;
      case TensorField::box_dim:
        map_.box[dimension] = static_cast<u16>(expect("box_dim", value, 1, most_box));
        break;
      case TensorField::global_dim:
        map_.last[dimension] = static_cast<u32>(expect("global_dim", value, 1, most_extent) - 1);
        break;
      case TensorField::global_stride:  // of dimension + 1, bytes
        expect("global_stride's dimension", dimension, 0, most_dimensions - 2);
        map_.strides[dimension] = value;
        break;
      case TensorField::element_stride:
        map_.steps[dimension] = static_cast<u8>(expect("element_stride", value, 1, most_step));
        if (dimension == 0) map_.steps[0] = 1;  // without interleave the first is ignored
        break;
      case TensorField::elemtype:
        map_.type = element_types[expect("elemtype", value, 0, element_types.size() - 1)];
        break;
      case TensorField::interleave_layout:
        expect("interleave_layout", value, 0, 0);  // the emulator knows no other
        break;
      case TensorField::swizzle_mode:
        map_.swizzle = swizzle_of(static_cast<u8>(expect("swizzle_mode", value, 0, mode_of_128_bytes)),
                                  atom_of(map_.swizzle));
        break;
      case TensorField::swizzle_atomicity:
        expect("swizzle_atomicity", value, 0, 3);
        if (mode_of(map_.swizzle) == mode_of_128_bytes || value != 0)
          map_.swizzle = swizzle_of(mode_of_128_bytes, static_cast<u8>(value));
        break;
      case TensorField::fill_mode:
        map_.fill_nan = expect("fill_mode", value, 0, 1) != 0;
        break;
    }
  }

 private:
  u64 expect(const char* what, u64 value, u64 least, u64 most) {
    if (value < least || value > most)
      launch().fail(
          &of(thread_), line_,
          fmt::format("tensormap.replace of {} by {}; expected {} to {}", what, value, least, most));
    return value;
  }

  Thread* thread_;
  int line_;
  TensorMap& map_;
};

}  // namespace

void replace_in_tensor_map(Thread* t, int line, u8* at, TensorField field, u32 dimension, u64 value) {
  TensorMap map;
  std::memcpy(static_cast<void*>(&map), at, sizeof map);
  if (std::all_of(at, at + sizeof map, [](u8 byte) { return byte == 0; })) {
    map.magic = TensorMap::mark;
    map.dimensions = 1;
  }
  if (map.magic != TensorMap::mark)
    launch().fail(
        &of(t), line,
        "tensormap.replace where no tensor map lies: expected 128 bytes that cuTensorMapEncodeTiled "
        "made, or zeros");
  if (dimension >= most_dimensions)
    launch().fail(
        &of(t), line,
        fmt::format("tensormap.replace of dimension {}; expected 0 to {}", dimension, most_dimensions - 1));
  map.replaced = true;
  Replacement(t, line, map).apply(field, dimension, value);
  std::memcpy(at, &map, sizeof map);
}

// .sync.aligned: the warp has met before one of its lanes copies.
void copy_tensor_map(Thread* t, int line, u8* to, const u8* from) {
  warp_sync(t, line, 0xffffffff);
  leave_footprint(of(t), line, reinterpret_cast<u64>(to), sizeof(TensorMap), true);
  std::memmove(to, from, sizeof(TensorMap));
}

}  // namespace podium::ptx
