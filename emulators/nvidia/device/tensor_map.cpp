// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "emulators/nvidia/device/tensor_map.hpp"

#include <fmt/format.h>

#include <utility>

namespace podium::ptx {
namespace {

constexpr u64 most_extent = u64{1} << 32, most_stride = u64{1} << 40;
constexpr u32 most_box = 256, most_step = 8, unit = 16;

std::optional<std::string> check_dimension(const TiledRequest& r, u32 i) {
  if (r.extents[i] == 0 || r.extents[i] > most_extent)
    return fmt::format("globalDim[{}] is {}; expected 1 to 2^32", i, r.extents[i]);
  if (r.box[i] == 0 || r.box[i] > most_box)
    return fmt::format("boxDim[{}] is {}; expected 1 to {}", i, r.box[i], most_box);
  if (r.steps[i] == 0 || r.steps[i] > most_step)
    return fmt::format("elementStrides[{}] is {}; expected 1 to {}", i, r.steps[i], most_step);
  if (i > 0 && (r.strides[i - 1] % unit != 0 || r.strides[i - 1] >= most_stride))
    return fmt::format("globalStrides[{}] is {} bytes; expected a multiple of {} below 2^40", i - 1,
                       r.strides[i - 1], unit);
  return std::nullopt;
}

std::optional<std::string> check(const TiledRequest& r) {
  if (r.type > static_cast<u32>(TensorType::padded_u6))
    return fmt::format("there is no data type {}", r.type);
  if (r.rank < 1 || r.rank > most_dimensions)
    return fmt::format("a tensor of {} dimensions; expected 1 to {}", r.rank, most_dimensions);
  if (r.interleave != 0) return std::string("the emulator knows no interleaved tensors");
  if (r.swizzle > static_cast<u32>(Swizzle::bytes128_atom64) ||
      r.swizzle == static_cast<u32>(Swizzle::bytes128_atom32_flip8))
    return fmt::format("the emulator does not know swizzle {}", r.swizzle);
  const auto type = static_cast<TensorType>(r.type);
  const TensorUnit element = unit_of(type);
  const bool padded = element.global_bytes != element.shared_bytes;
  const u32 alignment = padded ? 32 : unit;
  if (r.address % alignment != 0)
    return fmt::format("globalAddress {:#x} is no multiple of {}", r.address, alignment);
  for (u32 i = 0; i < r.rank; ++i)
    if (auto problem = check_dimension(r, i)) return problem;
  if (padded && (r.box[0] != 128 || r.extents[0] % 128 != 0))
    return fmt::format(
        "boxDim[0] is {} and globalDim[0] {}; with this type expected 128 and a multiple of it", r.box[0],
        r.extents[0]);
  if (r.box[0] % element.elements != 0 || r.extents[0] % element.elements != 0)
    return fmt::format("boxDim[0] {} and globalDim[0] {} are no multiples of {} elements", r.box[0],
                       r.extents[0], element.elements);
  const u32 inner = r.box[0] / element.elements * element.shared_bytes;
  const u32 span = span_of(static_cast<Swizzle>(r.swizzle));
  if (inner % unit != 0)
    return fmt::format("boxDim[0] of {} elements has {} bytes; expected a multiple of {}", r.box[0], inner,
                       unit);
  if (span != 0 && inner > span)
    return fmt::format("boxDim[0] of {} elements has {} bytes; with this swizzle at most {}", r.box[0], inner,
                       span);
  return std::nullopt;
}

}  // namespace

std::optional<std::string> check(const TensorMap& map) {
  u64 extents[most_dimensions] = {};
  u32 box[most_dimensions] = {}, steps[most_dimensions] = {};
  for (u32 i = 0; i < map.dimensions; ++i) {
    extents[i] = map.last[i] + u64{1};
    box[i] = map.box[i];
    steps[i] = map.steps[i];
  }
  return check(TiledRequest{.type = static_cast<u32>(map.type),
                            .rank = map.dimensions,
                            .address = map.address,
                            .extents = extents,
                            .strides = map.strides,
                            .box = box,
                            .steps = steps,
                            .interleave = 0,
                            .swizzle = static_cast<u32>(map.swizzle),
                            .fill = 0});
}

std::optional<std::string> encode(TensorMap& map, const TiledRequest& r) {
  if (auto problem = check(r)) return problem;
  map = {};
  map.magic = TensorMap::mark;
  map.type = static_cast<TensorType>(r.type);
  map.swizzle = static_cast<Swizzle>(r.swizzle);
  map.dimensions = static_cast<u8>(r.rank);
  map.fill_nan = r.fill != 0;
  map.address = r.address;
  for (u32 i = 0; i < r.rank; ++i) {
    map.last[i] = static_cast<u32>(r.extents[i] - 1);
    map.box[i] = static_cast<u16>(r.box[i]);
    map.steps[i] = static_cast<u8>(i == 0 ? 1 : r.steps[i]);  // without interleave the first is ignored
    if (i > 0) map.strides[i - 1] = r.strides[i - 1];
  }
  return std::nullopt;
}

namespace {

constexpr u32 most_pixels = 1024;

std::optional<std::string> check(const TiledRequest& r, const Im2colRequest& i) {
  if (r.rank < 3 || r.rank > most_dimensions)
    return fmt::format("a tensor of {} dimensions in mode im2col; expected 3 to {}", r.rank, most_dimensions);
  if (i.pixels == 0 || i.pixels > most_pixels)
    return fmt::format("pixelsPerColumn is {}; expected 1 to {}", i.pixels, most_pixels);
  const int limit = r.rank == 3 ? 1 << 15 : r.rank == 4 ? 1 << 7 : 1 << 4;
  for (u32 d = 0; d < r.rank - 2; ++d) {
    for (const auto& [name, corner] : {std::pair{"Lower", i.lower[d]}, std::pair{"Upper", i.upper[d]}})
      if (corner < -limit || corner >= limit)
        return fmt::format("pixelBox{}Corner[{}] is {}; a tensor of {} dimensions has {} to {}", name, d,
                           corner, r.rank, -limit, limit - 1);
    if (i.lower[d] > static_cast<s64>(r.extents[d + 1]) - 1 + i.upper[d])
      return fmt::format("pixelBoxLowerCorner[{}] {} and pixelBoxUpperCorner[{}] {} leave no pixel of {}", d,
                         i.lower[d], d, i.upper[d], r.extents[d + 1]);
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> encode(TensorMap& map, const TiledRequest& r, const Im2colRequest& i) {
  if (auto problem = check(r, i)) return problem;
  if (auto problem = encode(map, r)) return problem;
  map.im2col = true;
  map.pixels = static_cast<u16>(i.pixels);
  for (u32 d = 0; d < r.rank - 2; ++d) {
    map.lower[d] = static_cast<s16>(i.lower[d]);
    map.upper[d] = static_cast<s16>(i.upper[d]);
  }
  return std::nullopt;
}

}  // namespace podium::ptx
