// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/record/validator.hpp"

#include <fmt/format.h>

#include <string_view>
#include <unordered_map>

#include "suite/base/error.hpp"
#include "suite/record/scalar.hpp"

namespace podium::record {
namespace {

using nlohmann::json;

struct Type;
using Members = std::unordered_map<std::string, Type>;

// One of these: what a field holds.
struct Type {
  const ScalarOf* scalar = nullptr;
  const Members* object = nullptr;
  std::shared_ptr<Type> list{}, map{};
};

// From the object to a value in it: a name, or an index where there is none.
struct Path {
  const Path* before = nullptr;
  std::string_view name{};
  std::size_t index = 0;

  std::string text() const {
    const std::string start = before ? before->text() : "";
    if (name.empty()) return fmt::format("{}[{}]", start, index);
    return start.empty() ? std::string(name) : fmt::format("{}.{}", start, name);
  }
};

std::string shown(const json& value) {
  constexpr std::size_t most = 40;
  if (value.is_structured()) return value.is_array() ? "a list" : "an object";
  std::string text = value.dump(-1, ' ', true, json::error_handler_t::replace);
  if (text.size() > most) text = text.substr(0, most) + (value.is_string() ? "…\"" : "…");
  return text;
}

[[noreturn]] void refuse_value(const Path& path, const json& value, const std::string& expected) {
  const std::string name = shown(path.text());  // in quotes
  throw Error(fmt::format("field '{}' is {}, expected {}; {}", name.substr(1, name.size() - 2), shown(value),
                          expected, what_to_do_about_damage));
}

void check_members(const json& object, const Members& members, const Path* path);

void check_value(const json& value, const Type& type, const Path& path) {
  if (type.scalar) {
    if (!holds(*type.scalar, value)) refuse_value(path, value, type.scalar->says);
  } else if (type.list) {
    if (!value.is_array()) refuse_value(path, value, "a list");
    for (std::size_t i = 0; i < value.size(); ++i)
      check_value(value[i], *type.list, {.before = &path, .index = i});
  } else {
    if (!value.is_object()) refuse_value(path, value, "an object");
    if (type.object) return check_members(value, *type.object, &path);
    for (const auto& [name, one] : value.get_ref<const json::object_t&>())
      check_value(one, *type.map, {.before = &path, .name = name});
  }
}

void check_members(const json& object, const Members& members, const Path* path) {
  for (const auto& [name, one] : object.get_ref<const json::object_t&>())
    if (const auto found = members.find(name); found != members.end())
      check_value(one, found->second, {.before = path, .name = name});
}

}  // namespace

struct Validator::State {
  std::unordered_map<std::string, Members> objects;
  const Members* root = nullptr;

  Type type_of(const std::string& holds) const {
    const std::string inner = holds.substr(1, holds.size() - 2);
    if (holds.starts_with('[')) return {.list = std::make_shared<Type>(type_of(inner))};
    if (holds.starts_with('{')) return {.map = std::make_shared<Type>(type_of(inner))};
    if (const ScalarOf* found = scalar(holds)) return {.scalar = found};
    return {.object = &objects.at(holds)};
  }
};

Validator::Validator(const std::vector<FormOf>& forms) : state_(std::make_unique<State>()) {
  for (const FormOf& form : forms) state_->objects[form.name];
  for (const FormOf& form : forms)
    for (const FieldOf& field : form.fields)
      state_->objects[form.name].emplace(field.name, state_->type_of(field.holds));
  state_->root = &state_->objects.at(forms.front().name);
}
Validator::~Validator() = default;

void Validator::check(const json& object) const { check_members(object, *state_->root, nullptr); }

}  // namespace podium::record
