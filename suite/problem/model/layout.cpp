// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/problem/model/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "suite/problem/model/instance.hpp"

namespace podium::problem {
namespace {

constexpr std::int64_t tile_rows = 128, tile_columns = 4, tile_lines = 32;

std::int64_t tiles(std::int64_t extent, std::int64_t tile) { return (extent + tile - 1) / tile; }

bool empty(const TensorInstance& tensor) {
  return std::find(tensor.extents.begin(), tensor.extents.end(), 0) != tensor.extents.end();
}

std::string list(const std::vector<std::int64_t>& numbers) {
  return fmt::format("[{}]", fmt::join(numbers, ", "));
}

// Sorted by stride, each axis must step over all that the axes before it reach.
bool overlaps(const TensorInstance& tensor) {
  std::vector<std::pair<std::int64_t, std::int64_t>> axes;  // stride, extent
  for (std::size_t k = 0; k < tensor.extents.size(); ++k)
    if (tensor.extents[k] > 1) axes.emplace_back(tensor.strides[k], tensor.extents[k]);
  std::sort(axes.begin(), axes.end());
  std::int64_t reach = 0;
  for (const auto& [stride, extent] : axes) {
    if (stride <= reach) return true;
    reach += (extent - 1) * stride;
  }
  return false;
}

std::string fault_of_pairs(const TensorInstance& tensor) {
  if (tensor.extents.empty() || tensor.extents.back() % 2 != 0)
    return fmt::format(
        "found the shape {} of e2m1, expected a last extent that is even, since two elements share a byte "
        "along the last axis; pad it",
        list(tensor.extents));
  if (tensor.layout == Layout::scales_128x4)
    return "found e2m1 in the layout scales_128x4, expected a dtype of whole bytes";
  if (tensor.layout != Layout::strided) return "";
  const bool even = std::all_of(tensor.strides.begin(), tensor.strides.end() - 1,
                                [](auto stride) { return stride % 2 == 0; });
  if (tensor.strides.back() == 1 && even) return "";
  return fmt::format(
      "found the strides {} of e2m1, expected 1 along the last axis and even ones elsewhere, since two "
      "elements "
      "share a byte",
      list(tensor.strides));
}

}  // namespace

std::string_view name_of(Layout layout) {
  return layout == Layout::scales_128x4 ? "scales_128x4"
         : layout == Layout::strided    ? "strided"
                                        : "row_major";
}

double room(const TensorInstance& tensor) {
  if (empty(tensor)) return 0;
  double count = 1;
  const std::size_t rank = tensor.extents.size();
  for (std::size_t k = 0; k < rank; ++k) {
    const std::int64_t extent = tensor.extents[k];
    if (tensor.layout == Layout::strided)
      count += static_cast<double>(extent - 1) * static_cast<double>(tensor.strides[k]);
    else if (tensor.layout == Layout::scales_128x4 && k + 2 == rank)
      count *= static_cast<double>(tiles(extent, tile_rows) * tile_rows);
    else if (tensor.layout == Layout::scales_128x4 && k + 1 == rank)
      count *= static_cast<double>(tiles(extent, tile_columns) * tile_columns);
    else
      count *= static_cast<double>(extent);
  }
  return count;
}

std::string fault_of_layout(const TensorInstance& tensor) {
  if (tensor.layout == Layout::strided && !empty(tensor) && overlaps(tensor))
    return fmt::format(
        "found the strides {} for the shape {}, by which elements share memory, expected a place for each",
        list(tensor.strides), list(tensor.extents));
  return packed(tensor.dtype) ? fault_of_pairs(tensor) : "";
}

std::int64_t position_of(const TensorInstance& tensor, std::int64_t linear) {
  if (tensor.layout == Layout::row_major) return linear;
  std::vector<std::int64_t> index(tensor.extents.size());
  for (std::size_t k = index.size(); k-- > 0; linear /= tensor.extents[k])
    index[k] = linear % tensor.extents[k];
  std::int64_t position = 0;
  if (tensor.layout == Layout::strided) {
    for (std::size_t k = 0; k < index.size(); ++k) position += index[k] * tensor.strides[k];
    return position;
  }
  const std::int64_t row = index[index.size() - 2], column = index.back();
  const std::int64_t inside[] = {row / tile_rows, column / tile_columns, row % tile_lines,
                                 row / tile_lines % (tile_rows / tile_lines), column % tile_columns};
  const View view = view_of(tensor);
  const std::size_t batches = index.size() - 2;
  for (std::size_t k = 0; k < batches; ++k) position += index[k] * view.strides[k];
  for (std::size_t k = 0; k < std::size(inside); ++k) position += inside[k] * view.strides[batches + k];
  return position;
}

std::size_t view_rank(Layout layout, std::size_t rank) {
  return layout == Layout::scales_128x4 ? rank + 3 : rank;
}

View view_of(const TensorInstance& tensor) {
  View view{tensor.extents, tensor.strides};
  if (tensor.layout == Layout::scales_128x4) {
    const std::int64_t rows = tensor.extents[tensor.extents.size() - 2], columns = tensor.extents.back();
    view.extents.resize(tensor.extents.size() - 2);
    view.extents.insert(view.extents.end(), {tiles(rows, tile_rows), tiles(columns, tile_columns), tile_lines,
                                             tile_rows / tile_lines, tile_columns});
  }
  if (packed(tensor.dtype)) {
    view.extents.back() /= 2;
    for (std::size_t k = 0; k + 1 < view.strides.size(); ++k) view.strides[k] /= 2;
  }
  if (tensor.layout == Layout::strided) return view;
  view.strides.assign(view.extents.size(), 1);
  for (std::size_t k = view.extents.size(); k-- > 1;) view.strides[k - 1] = view.strides[k] * view.extents[k];
  return view;
}

View whole_view_of(const TensorInstance& tensor) {
  TensorInstance whole = tensor;
  if (!whole.extents.empty()) whole.extents[0] = whole.whole_extent;
  return view_of(whole);
}

}  // namespace podium::problem
