// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The numbers of structure, as formulas want them and as they are stored.
#include <algorithm>
#include <bit>
#include <cstring>
#include <span>

#include "suite/base/parallel.hpp"
#include "suite/problem/model/instance.hpp"

namespace podium::problem {
namespace {

template <class T, class Bits>
void pack_as(std::span<const std::uint64_t> words, std::byte* to, const Bits& bits) {
  for (std::size_t k = 0; k < words.size(); ++k) {
    const T packed = static_cast<T>(bits(words[k]));
    std::memcpy(to + k * sizeof packed, &packed, sizeof packed);
  }
}

}  // namespace

double StructureInstance::number(std::int64_t element) const {
  const std::uint64_t word = (*words)[static_cast<std::size_t>(element)];
  return info(dtype).floating ? std::bit_cast<double>(word)
                              : static_cast<double>(static_cast<std::int64_t>(word));
}

Instance part_of_rank(const Instance& instance) {
  Instance part = instance;
  for (TensorInstance& tensor : part.tensors) {
    if (tensor.per_rank == PerRank::whole) continue;
    if (tensor.per_rank == PerRank::each)
      tensor.extents.erase(tensor.extents.begin());
    else
      tensor.extents[0] /= instance.ranks;
    tensor.whole_extent = tensor.extents.empty() ? 1 : tensor.extents[0];
    for (std::int64_t* const all :
         {&tensor.elements, &tensor.storage, &tensor.bytes, &tensor.content, &tensor.whole_bytes})
      *all /= instance.ranks;
  }
  return part;
}

void StructureInstance::pack(std::byte* to) const {
  constexpr std::size_t piece = 1 << 16;  // elements
  const std::size_t pieces = (words->size() + piece - 1) / piece;
  in_parallel(static_cast<std::int64_t>(pieces), processors(), [&](std::int64_t number) {
    const std::size_t begin = static_cast<std::size_t>(number) * piece;
    const std::span<const std::uint64_t> part(words->data() + begin, std::min(piece, words->size() - begin));
    std::byte* const at = to + begin * static_cast<std::size_t>(info(dtype).bytes);
    if (dtype == Dtype::f32)
      return pack_as<std::uint32_t>(part, at, [](std::uint64_t word) {
        return std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(word)));
      });
    const auto low_bits = [](std::uint64_t word) { return word; };
    switch (info(dtype).bytes) {
      case 1:
        return pack_as<std::uint8_t>(part, at, low_bits);
      case 2:
        return pack_as<std::uint16_t>(part, at, low_bits);
      case 4:
        return pack_as<std::uint32_t>(part, at, low_bits);
      default:
        return pack_as<std::uint64_t>(part, at, low_bits);
    }
  });
}

}  // namespace podium::problem
