// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Where a tensor's elements lie in memory, and how contestants see it. Elements are numbered row-major by
// their indices whatever the layout; what lies between them is padding, which is never verified.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "suite/problem/model/dtype.hpp"

namespace podium::problem {

enum class Layout : std::uint8_t {
  row_major,  // contiguous
  strided,    // a stride for every axis
  // Block scales as tensor cores take them: [rows, columns] in row-major order of tiles of 128 rows and 4
  // columns, within a tile by row mod 32, row / 32 mod 4, column; a leading axis is a batch of these.
  scales_128x4,
};
std::string_view name_of(Layout layout);

struct TensorInstance;

// How many elements memory must have room for; exact where it is below 2^53. Needs extents, layout and
// strides.
double room(const TensorInstance& tensor);

// What is wrong with the layout for this dtype, these extents and strides: a sentence, or "".
std::string fault_of_layout(const TensorInstance& tensor);

// The place of the element of that row-major number, in elements from the start.
std::int64_t position_of(const TensorInstance& tensor, std::int64_t linear);

// The extents and strides of a contestant's podium::Tensor, both in its elements: pairs of e2m1 along the
// last axis; tiles of scales_128x4 as [rows / 128, columns / 4, 32, 4, 4], rounded up, behind the batch.
struct View {
  std::vector<std::int64_t> extents, strides;
};
View view_of(const TensorInstance& tensor);
// The same of all that is allocated where only a part is in use; strides are those of view_of.
View whole_view_of(const TensorInstance& tensor);
// The rank of that view, for a shape of `rank` axes.
std::size_t view_rank(Layout layout, std::size_t rank);

}  // namespace podium::problem
