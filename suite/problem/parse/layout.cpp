// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The keys of a tensor that say where its elements lie: `strides`, or a named `layout`.
#include <fmt/format.h>

#include "suite/base/nearest.hpp"
#include "suite/problem/parse/parsing.hpp"
#include "suite/problem/yaml/utf8.hpp"

namespace podium::problem {

void parse_layout(Parsing& parsing, const Cursor& cursor, Tensor& tensor) {
  const auto strides = cursor.find("strides"), layout = cursor.find("layout");
  if (strides && layout) cursor.mistake("found both strides and layout, expected one of them");
  if (strides) {
    constexpr std::string_view what = "a list of strides in elements, as in [pitch, 1]";
    const auto items = strides->items(what);
    for (const Cursor& item : items)
      tensor.strides.push_back(parse_formula(parsing, item).value_or(Text{"1", item.at()}));
    if (strides->is_list() && items.size() != tensor.shape.size())
      strides->mistake(fmt::format("found {} strides, expected {}: one for every axis of the shape",
                                   items.size(), tensor.shape.size()));
    else if (!items.empty())
      tensor.layout = Layout::strided;
  }
  if (!layout) return;
  const auto word = layout->word("the name of a layout");
  if (!word) return;
  if (*word != name_of(Layout::scales_128x4))
    return layout->mistake("unknown layout: " +
                           found_one_of(yaml::excerpt(*word), {std::string(name_of(Layout::scales_128x4))}));
  if (tensor.shape.size() != 2 && tensor.shape.size() != 3)
    return layout->mistake(
        fmt::format("found {} for a shape of rank {}, expected [rows, columns] or [batch, rows, columns]",
                    *word, tensor.shape.size()));
  tensor.layout = Layout::scales_128x4;
}

}  // namespace podium::problem
