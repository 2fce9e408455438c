// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The keys of a format (format.hpp) as parts of a JSON Schema, draft 7.
#pragma once
#include <nlohmann/json.hpp>
#include <string_view>

#include "suite/problem/yaml/format.hpp"

namespace podium::problem {

nlohmann::ordered_json reference_to(std::string_view definition);
nlohmann::ordered_json type_of(std::string_view holds);  // of Key::holds
nlohmann::ordered_json object_of(const Form& form);

}  // namespace podium::problem
