// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Reads the keys of sealed contestants. Formulas are tried with every number 1, so that a name that nobody
// knows is found before anything is built.
#include "suite/compile/sealed_manifest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <regex>
#include <set>

#include "suite/base/error.hpp"
#include "suite/base/nearest.hpp"
#include "suite/problem/formula/formula.hpp"
#include "suite/problem/formula/names.hpp"
#include "suite/problem/model/arch.hpp"
#include "suite/problem/model/instance.hpp"
#include "suite/problem/yaml/cursor.hpp"
#include "suite/problem/yaml/utf8.hpp"

namespace podium::compile {
namespace {

using problem::Cursor;
using problem::Dtype;
using problem::Text;
using yaml::excerpt;
using Kind = Manifest::Argument::Kind;

constexpr std::size_t most_launches = 64, most_arguments = 64, most_scratch = 16, most_values = 64;

// Numbers that a kernel may be given by value.
const std::vector<std::string>& number_types() {
  static const std::vector<std::string> all{"i8",  "i16", "i32", "i64", "u8",  "u16",
                                            "u32", "u64", "f32", "f64", "bool"};
  return all;
}

class ManifestReader {
 public:
  ManifestReader(const Language& language, const problem::Problem& problem, std::filesystem::path folder)
      : language_(language), problem_(problem), folder_(std::move(folder)) {
    for (const auto& axis : problem.axes) know(axis.name, "an axis", true);
    for (const auto& parameter : problem.parameters) know(parameter.name, "a parameter", true);
    for (const auto& constant : problem.constants) know(constant.name, "a constant", true);
    for (const char* name : {"warp", "multiprocessors", "shared_memory"})
      know(name, "a number of the device", true);
    know("nil", "the null address", false);
    for (const auto& tensor : problem.tensors)
      if (tensor.visible) know(tensor.name, "a tensor", false), tensors_.push_back(tensor.name);
    for (const auto& structure : problem.structure) {
      trial_.structure[structure.name] = &any_;
      if (structure.visible) know(structure.name, "structure", false), structure_.push_back(structure.name);
    }
    trial_.types = problem.choices.front().types.empty()
                       ? decltype(trial_.types){}
                       : decltype(trial_.types)(problem.choices.front().types.begin(),
                                                problem.choices.front().types.end());
    trial_.trial = true;
  }

  Manifest read(const Cursor& block) {
    if (const auto values = block.find("values")) values_of(*values);
    if (const auto scratch = block.find("scratch")) scratch_of(*scratch);
    if (const auto define = block.find("define")) manifest_.define = named(*define, most_values);
    if (const auto prepare = block.find("prepare")) manifest_.prepare = launches(*prepare, false);
    if (const auto run = block.need("launches", "the kernels that run, in order"))
      manifest_.launches = launches(*run, true);
    if (language_.sealed == SealedForm::objects)
      if (const auto code = block.need("code", "a list such as [{ file: softmax.sm_90.cubin, arch: sm_90 }]"))
        code_of(*code);
    return std::move(manifest_);
  }

 private:
  void know(const std::string& name, const std::string& what, bool number) {
    taken_[name] = what;
    if (number) trial_.numbers[name] = 1;
  }

  // Whether `name`, at `where`, is free and well-formed.
  bool fresh(const Cursor& where, const std::string& name) {
    if (const auto fault = problem::fault_of_name(name); !fault.empty()) {
      where.mistake(fmt::format("found \"{}\", {}", excerpt(name), fault));
      return false;
    }
    const auto known = taken_.find(name);
    if (known == taken_.end()) return true;
    where.mistake(fmt::format("found \"{}\", which is {}, expected a name of its own", name, known->second));
    return false;
  }

  Text formula(const Cursor& cursor) {
    auto text = cursor.text("a formula over axes and values").value_or(Text{"0", cursor.at()});
    try {
      if (const auto used = problem::structure_in(text.text, trial_); !used.empty())
        throw Error(
            fmt::format("found structure '{}', whose numbers differ from round to round, expected axes, "
                        "parameters and values; kernels may read structure",
                        used.front()));
      evaluate(text.text, trial_);
    } catch (const Error& e) {
      cursor.mistake(e.what());
    }
    return text;
  }

  void values_of(const Cursor& cursor) {
    const auto fields = cursor.fields("a map of names to formulas");
    if (fields.size() > most_values) cursor.expected(fmt::format("at most {} values", most_values));
    for (const auto& field : fields) {
      const bool good = fresh(field, field.name());
      auto text = formula(field);  // sees the values before it
      if (good) know(field.name(), "a value", true);
      manifest_.values.push_back({field.name(), std::move(text)});
    }
  }

  void scratch_of(const Cursor& cursor) {
    const auto fields = cursor.fields("a map of names to { dtype: , shape: }");
    if (fields.size() > most_scratch) cursor.expected(fmt::format("at most {}", most_scratch));
    for (const auto& field : fields) {
      Manifest::Scratch scratch{.name = field.name()};
      const bool good = fresh(field, scratch.name);
      if (!field.is_map()) {
        field.expected("{ dtype: f32, shape: [n] }");
        continue;
      }
      field.keys(std::vector<std::string>{"dtype", "shape"});
      if (const auto at = field.need("dtype", "a dtype such as f32"))
        if (const auto word = at->word("a dtype such as f32")) scratch.dtype = dtype(*at, *word);
      if (const auto at = field.need("shape", "a list of formulas"))
        for (const auto& extent : at->items("a list of formulas")) scratch.shape.push_back(formula(extent));
      if (good) taken_[scratch.name] = "scratch", scratch_.push_back(scratch.name);
      manifest_.scratch.push_back(std::move(scratch));
    }
  }

  Dtype dtype(const Cursor& at, const std::string& name) {
    if (const auto known = problem::dtype_named(name)) return *known;
    std::vector<std::string> names;
    for (int i = 0; i < problem::dtypes; ++i) names.emplace_back(problem::info(static_cast<Dtype>(i)).name);
    at.mistake(found_one_of(excerpt(name), names));
    return Dtype::f32;
  }

  // Macros, and what a Python kernel calls its constants.
  std::vector<Manifest::Named> named(const Cursor& cursor, std::size_t most) {
    static const std::regex form("[A-Za-z_][A-Za-z0-9_]*");
    std::vector<Manifest::Named> all;
    const auto fields = cursor.fields("a map of names to formulas");
    if (fields.size() > most) cursor.expected(fmt::format("at most {} names", most));
    for (const auto& field : fields) {
      if (!std::regex_match(field.name(), form))
        field.mistake(
            fmt::format("found \"{}\", expected a name of letters, digits and _", excerpt(field.name())));
      all.push_back({field.name(), formula(field)});
    }
    return all;
  }

  std::vector<Manifest::Launch> launches(const Cursor& cursor, bool run) {
    std::vector<Manifest::Launch> all;
    const auto items = cursor.items("a list of { kernel: , grid: , block: , arguments: }");
    if (run && cursor.is_list() && items.empty()) cursor.expected("at least one launch");
    if (items.size() > most_launches) cursor.expected(fmt::format("at most {} launches", most_launches));
    for (const auto& item : items)
      if (item.is_map())
        all.push_back(launch(item, run));
      else
        item.expected("a map of kernel, grid and arguments");
    return all;
  }

  Manifest::Launch launch(const Cursor& cursor, bool run) {
    const bool python = language_.sealed == SealedForm::python;
    Manifest::Launch launch{.kernel = "", .at = cursor.at()};
    std::vector<std::string> keys{"kernel", "grid", "arguments"};
    if (python)
      keys.insert(keys.end(), {"constants", "options"});
    else
      keys.insert(keys.end(), {"block", "shared"});
    cursor.keys(keys);
    if (const auto at = cursor.need("kernel", "the kernel's name"))
      launch.kernel = at->word("the kernel's name").value_or("");
    if (const auto at = cursor.need("grid", "one to three formulas")) launch.grid = dimensions(*at);
    if (!python)
      if (const auto at = cursor.need("block", "one to three formulas")) launch.block = dimensions(*at);
    if (const auto at = python ? std::nullopt : cursor.find("shared")) launch.shared = formula(*at);
    if (const auto at = cursor.need("arguments", "a list, [] for none")) {
      const auto items = at->items("a list of names and numbers, such as [x, y, i64(n)]");
      if (items.size() > most_arguments) at->expected(fmt::format("at most {} arguments", most_arguments));
      for (const auto& item : items) launch.arguments.push_back(argument(item, run));
    }
    if (const auto at = python ? cursor.find("constants") : std::nullopt)
      launch.constants = named(*at, most_values);
    if (const auto at = python ? cursor.find("options") : std::nullopt) {
      launch.options = named(*at, most_values);
      const auto& known = language_.python.options;
      for (const auto& field : at->fields("a map"))
        if (known.empty())
          field.mistake("found an option, expected none: " + language_.python.no_options);
        else if (std::ranges::find(known, field.name()) == known.end())
          field.mistake("unknown option: " + found_one_of(excerpt(field.name()), known));
    }
    return launch;
  }

  std::vector<Text> dimensions(const Cursor& cursor) {
    std::vector<Text> all;
    const auto items = cursor.items("one to three formulas, such as [blocks]");
    if (cursor.is_list() && (items.empty() || items.size() > 3))
      cursor.mistake(fmt::format("found {} dimensions, expected one to three", items.size()));
    for (const auto& item : items) all.push_back(formula(item));
    return all;
  }

  Manifest::Argument argument(const Cursor& cursor, bool run) {
    static const std::regex typed("([A-Za-z0-9_]+)[ ]*\\((.*)\\)");
    Manifest::Argument result{.text = cursor.word("a name, a number such as i64(n), or nil").value_or("nil")};
    std::smatch parts;
    if (std::regex_match(result.text, parts, typed)) {
      result.kind = Kind::number;
      const auto& types = number_types();
      if (std::ranges::find(types, parts[1].str()) == types.end())
        cursor.mistake(found_one_of(excerpt(parts[1].str()), types));
      else
        result.dtype = *problem::dtype_named(parts[1].str());
      result.number = number(cursor, parts[2].str());
    } else if (const auto tensor = place(tensors_, result.text)) {
      result.kind = Kind::tensor, result.index = *tensor;
      if (!run)
        cursor.mistake(
            fmt::format("found tensor '{}', expected structure, scratch or numbers: there are no tensors "
                        "yet when `prepare` runs",
                        result.text));
    } else if (const auto structure = place(structure_, result.text)) {
      result.kind = Kind::structure, result.index = *structure;
    } else if (const auto scratch = place(scratch_, result.text)) {
      result.kind = Kind::scratch, result.index = *scratch;
    } else if (trial_.numbers.contains(result.text)) {
      cursor.mistake(
          fmt::format("found {0}, which is a number, expected its type as well: i32({0}), i64({0}), "
                      "f32({0}) …",
                      result.text));
    } else if (result.text != "nil") {
      std::vector<std::string> names{"nil"};
      for (const auto* list : {&tensors_, &structure_, &scratch_})
        names.insert(names.end(), list->begin(), list->end());
      cursor.mistake(found_one_of(excerpt(result.text), names) + ", or a number such as i64(n)");
    }
    return result;
  }

  Text number(const Cursor& cursor, const std::string& text) {
    try {
      if (const auto used = problem::structure_in(text, trial_); !used.empty())
        throw Error(fmt::format("found structure '{}' in a number, expected axes, parameters and values",
                                used.front()));
      evaluate(text, trial_);
    } catch (const Error& e) {
      cursor.mistake(e.what());
    }
    return {text, cursor.at(), cursor.key()};
  }

  static std::optional<std::size_t> place(const std::vector<std::string>& names, const std::string& name) {
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) return std::nullopt;
    return static_cast<std::size_t>(found - names.begin());
  }

  void code_of(const Cursor& cursor) {
    for (const auto& item : cursor.items("a list of { file: , arch: }")) {
      if (!item.is_map()) {
        item.expected("{ file: softmax.sm_90.cubin, arch: sm_90 }");
        continue;
      }
      item.keys(std::vector<std::string>{"file", "arch"});
      Manifest::Code code{.file = {}, .arch = {}, .at = item.at()};
      if (const auto at = item.need("file", "a file beside this one")) {
        const std::filesystem::path name = at->word("a file beside this one").value_or("");
        if (name.has_parent_path() || name.filename() == "..")
          at->mistake(fmt::format("found \"{}\", expected a file beside this one, without a folder",
                                  excerpt(name.string())));
        code.file = folder_ / name;
      }
      if (const auto at = item.need("arch", "an architecture such as sm_90 or gfx942")) {
        code.arch = at->word("an architecture such as sm_90 or gfx942").value_or("sm_90");
        if (const auto mistake = problem::arch_mistake(code.arch); !mistake.empty()) at->mistake(mistake);
      }
      manifest_.code.push_back(std::move(code));
    }
    if (cursor.is_list() && manifest_.code.empty()) cursor.expected("at least one code object");
  }

  const Language& language_;
  const problem::Problem& problem_;
  std::filesystem::path folder_;
  problem::Scope trial_;
  problem::StructureInstance any_;
  std::map<std::string, std::string> taken_;  // by name: what has it
  std::vector<std::string> tensors_, structure_, scratch_;
  Manifest manifest_;
};

}  // namespace

const std::vector<std::string>& sealed_keys(SealedForm form) {
  static const std::vector<std::string> source{"values", "scratch", "define", "prepare", "launches"},
      python{"values", "scratch", "prepare", "launches"},
      objects{"values", "scratch", "prepare", "launches", "code"};
  return form == SealedForm::source ? source : form == SealedForm::python ? python : objects;
}

Manifest read_manifest(const yaml::Node& block, const Language& language, const problem::Problem& problem,
                       const std::filesystem::path& file, problem::Mistakes& mistakes) {
  const std::string name = file.string();
  return ManifestReader(language, problem, file.parent_path()).read(Cursor(block, name, mistakes));
}

}  // namespace podium::compile
