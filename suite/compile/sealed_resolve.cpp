// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Workload by workload: values, scratch memory, launches; each number checked for what it is used as.
#include "suite/compile/sealed_resolve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <nlohmann/json.hpp>

#include "suite/base/error.hpp"
#include "suite/problem/instance/instantiate.hpp"
#include "suite/problem/yaml/mistakes.hpp"

namespace podium::compile {
namespace {

using nlohmann::json;
using problem::Dtype;
using problem::Text;
using protocol::SealedProgram;
using Kind = Manifest::Argument::Kind;

// What every GPU of both vendors takes.
constexpr double most_grid[] = {2147483647, 65535, 65535}, most_block[] = {1024, 1024, 64};
constexpr double most_threads = 1024, most_shared = 1 << 20, most_bytes = double(std::int64_t{1} << 53);

double least_of(Dtype dtype) {
  const auto& about = problem::info(dtype);
  const bool is_signed = about.name.starts_with('i');
  return is_signed ? -std::exp2(about.bits - 1) : 0;
}
double most_of(Dtype dtype) {
  const auto& about = problem::info(dtype);
  if (dtype == Dtype::boolean) return 1;
  return std::exp2(about.name.starts_with('i') ? about.bits - 1 : about.bits) - 1;
}

struct NamedNumber {
  std::string name;
  double value = 0;
};

constexpr std::uint64_t divisor = 16;  // that compilers make something of
bool is_whole(Dtype dtype) { return dtype != Dtype::boolean && !problem::info(dtype).floating; }

json map_of(const std::vector<NamedNumber>& all) {
  auto map = json::object();
  for (const auto& [name, value] : all) map[name] = value;
  return map;
}

// What a compiler of Python is asked for: one kernel for one set of constants. suite/compile/python says what
// the keys mean. `target`: "sm_90", "gfx942"; `ptx`: in place of machine code.
std::string request_for(const Language& language, const Manifest::Launch& launch,
                        const std::vector<TypedArgument>& arguments,
                        const std::vector<NamedNumber>& constants, const std::vector<NamedNumber>& options,
                        const std::string& target, int warp, bool ptx) {
  auto typed = json::array();
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto& a = arguments[i];
    const std::string dtype(problem::info(a.dtype).name);
    if (!a.array)
      typed.push_back({{"number", dtype}, {"divisible", is_whole(a.dtype) && a.value.bits % divisor == 0}});
    else
      typed.push_back(language.python.array(a, launch.arguments[i].text));
  }
  json request{{"language", language.name}, {"kernel", launch.kernel},
               {"target", target},          {"warp", warp},
               {"arguments", typed},        {"constants", map_of(constants)},
               {"options", map_of(options)}};
  if (ptx) request["ptx"] = true;
  return request.dump();
}

// What the kernel takes for these.
std::vector<protocol::SealedProgram::Argument> passed(const Language& language,
                                                      const std::vector<TypedArgument>& arguments) {
  std::vector<protocol::SealedProgram::Argument> all;
  for (const auto& a : arguments) {
    all.push_back(a.value);
    if (!a.array || !language.python.behind_address) continue;
    const auto more = language.python.behind_address(a);
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

class Resolver {
 public:
  Resolver(const problem::Problem& problem, const Contestant& contestant, const problem::Instance& instance,
           const std::string& code, const DeviceFacts& device, Resolved& all, problem::Mistakes& mistakes)
      : language_(*contestant.language),
        manifest_(*contestant.manifest),
        instance_(instance),
        code_(code),
        device_(device),
        all_(all),
        mistakes_(mistakes),
        where_(fmt::format("in the {} workload {} ", name_of(instance.stage), instance.workload)),
        scope_(problem::scope_of(problem, instance)) {
    scope_.structure.clear();
    scope_.numbers["warp"] = device.warp;
    scope_.numbers["shared_memory"] = shared_memory_of(code);
    scope_.numbers["multiprocessors"] = std::max(device.multiprocessors, 1);
    for (const auto& tensor : instance.tensors)
      if (tensor.visible) tensors_.push_back(&tensor);
    for (const auto& structure : instance.structure)
      if (structure.visible) structure_.push_back(&structure);
  }

  void resolve() {
    for (const auto& value : manifest_.values) scope_.numbers[value.name] = number(value.formula);
    SealedProgram::List list{.axes = instance_.axes, .parameters = instance_.parameters};
    for (const auto& scratch : manifest_.scratch) list.scratch.push_back(bytes_of(scratch));
    if (language_.sealed == SealedForm::source) {
      CodeSpec spec;
      for (const auto& macro : manifest_.define)
        spec.defines[macro.name] =
            static_cast<std::int64_t>(whole(macro.formula, -most_bytes, most_bytes, "a whole number"));
      source_ = index_of(spec);
    }
    Resolved::Origin origin{.workload =
                                fmt::format("{} workload {}", name_of(instance_.stage), instance_.workload)};
    add(manifest_.prepare, list.prepare, origin.prepare);
    add(manifest_.launches, list.launches, origin.launches);
    all_.lists.push_back(std::move(list));
    all_.origins.push_back(std::move(origin));
  }

 private:
  void wrong(const Text& text, const std::string& sentence) {
    mistakes_.add(text.at, text.key, where_ + sentence);
  }

  double number(const Text& text) {
    try {
      const auto names = problem::names_in(text.text);
      if (device_.multiprocessors == 0 && std::ranges::find(names, "multiprocessors") != names.end())
        all_.lacks_device = true;
      return evaluate(text.text, scope_);
    } catch (const Error& e) {
      wrong(text, e.what());
      return 1;
    }
  }

  double whole(const Text& text, double least, double most, const std::string& what) {
    const double value = number(text);
    if (value == std::floor(value) && value >= least && value <= most) return value;
    wrong(text, fmt::format("found {}, expected {} from {} to {}", value, what, least, most));
    return std::max(least, 1.0);
  }

  std::uint64_t bytes_of(const Manifest::Scratch& scratch) {
    double elements = 1;
    for (const auto& extent : scratch.shape) elements *= whole(extent, 0, most_bytes, "a whole number");
    const double bytes = std::ceil(elements * problem::info(scratch.dtype).bits / 8);
    if (bytes > most_bytes && !scratch.shape.empty())
      wrong(scratch.shape.front(),
            fmt::format("found {} bytes of scratch, expected at most {}", bytes, most_bytes));
    return bytes > most_bytes ? 0 : static_cast<std::uint64_t>(bytes);
  }

  void add(const std::vector<Manifest::Launch>& stated, std::vector<SealedProgram::Launch>& launches,
           std::vector<const Manifest::Launch*>& origin) {
    for (const auto& launch : stated) {
      auto resolved = resolve(launch);
      if (std::ranges::find(resolved.grid, 0u) != resolved.grid.end()) continue;  // nothing to do
      launches.push_back(std::move(resolved));
      origin.push_back(&launch);
    }
  }

  SealedProgram::Launch resolve(const Manifest::Launch& stated) {
    SealedProgram::Launch launch{.code = source_, .kernel = stated.kernel};
    for (std::size_t i = 0; i < stated.grid.size() && i < 3; ++i)
      launch.grid[i] =
          static_cast<std::uint32_t>(whole(stated.grid[i], 0, most_grid[i], "a number of blocks"));
    for (std::size_t i = 0; i < stated.block.size() && i < 3; ++i)
      launch.block[i] =
          static_cast<std::uint32_t>(whole(stated.block[i], 1, most_block[i], "a number of threads"));
    if (const double threads = double(launch.block[0]) * launch.block[1] * launch.block[2];
        threads > most_threads)
      wrong(stated.block.front(),
            fmt::format("found a block of {} threads, expected at most {}", threads, most_threads));
    if (!stated.shared.text.empty())
      launch.shared =
          static_cast<std::uint32_t>(whole(stated.shared, 0, most_shared, "bytes of shared memory"));
    std::vector<TypedArgument> arguments;
    for (const auto& a : stated.arguments) arguments.push_back(typed(a));
    launch.arguments = passed(language_, arguments);
    const bool empty = std::ranges::find(launch.grid, 0u) != launch.grid.end();
    if (language_.sealed == SealedForm::python && !empty) {
      if (language_.python.fault)
        for (const auto& a : arguments)
          if (const auto fault = language_.python.fault(a); !fault.empty())
            mistakes_.add(stated.at, "", where_ + fault);
      CodeSpec spec;
      spec.request = request_for(language_, stated, arguments, numbers(stated.constants),
                                 numbers(stated.options), code_, device_.warp, device_.translated);
      launch.code = index_of(spec);
    }
    return launch;
  }

  std::vector<NamedNumber> numbers(const std::vector<Manifest::Named>& named) {
    std::vector<NamedNumber> all;
    for (const auto& one : named) all.push_back({one.name, number(one.formula)});
    return all;
  }

  TypedArgument typed(const Manifest::Argument& stated) {
    TypedArgument a;
    a.value.index = static_cast<std::int32_t>(stated.index);
    switch (stated.kind) {
      case Kind::tensor: {
        const auto& tensor = *tensors_[stated.index];
        a.value.kind = SealedProgram::Argument::Kind::tensor;
        array(a, tensor.dtype, tensor.extents);
        if (!a.extents.empty() && tensor.whole_extent != a.extents[0]) a.extents[0] = tensor.whole_extent;
        if (tensor.layout == problem::Layout::strided) a.strides = tensor.strides;
        break;
      }
      case Kind::structure: {
        const auto& structure = *structure_[stated.index];
        a.value.kind = SealedProgram::Argument::Kind::structure;
        array(a, structure.dtype, structure.extents);
        break;
      }
      case Kind::scratch: {
        const auto& scratch = manifest_.scratch[stated.index];
        a.value.kind = SealedProgram::Argument::Kind::scratch;
        std::vector<std::int64_t> extents;
        for (const auto& extent : scratch.shape)
          extents.push_back(static_cast<std::int64_t>(whole(extent, 0, most_bytes, "a whole number")));
        array(a, scratch.dtype, extents);
        break;
      }
      case Kind::number:
        a.dtype = stated.dtype;
        a.value.bytes = problem::info(stated.dtype).bytes;
        a.value.bits = bits(stated);
        break;
      case Kind::nil:
        a.dtype = Dtype::u64;
        break;
    }
    return a;
  }

  static void array(TypedArgument& a, Dtype dtype, const std::vector<std::int64_t>& extents) {
    a.array = true;
    a.dtype = dtype;
    a.extents = extents;
    if (problem::packed(dtype) && !extents.empty()) a.extents.back() = (extents.back() + 1) / 2;  // bytes
    a.strides.assign(extents.size(), 1);
    for (auto i = a.extents.size(); i-- > 1;) a.strides[i - 1] = a.strides[i] * a.extents[i];
  }

  std::uint64_t bits(const Manifest::Argument& stated) {
    if (stated.dtype == Dtype::f32)
      return std::bit_cast<std::uint32_t>(static_cast<float>(number(stated.number)));
    if (stated.dtype == Dtype::f64) return std::bit_cast<std::uint64_t>(number(stated.number));
    const std::string what = fmt::format("a whole number of {}", problem::info(stated.dtype).name);
    const double value = whole(stated.number, std::max(least_of(stated.dtype), -most_bytes),
                               std::min(most_of(stated.dtype), most_bytes), what);
    const auto pattern = static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
    const int width = problem::info(stated.dtype).bits;
    return width >= 64 ? pattern : pattern & ((std::uint64_t{1} << width) - 1);
  }

  std::int32_t index_of(const CodeSpec& spec) {
    auto found = std::ranges::find(all_.codes, spec);
    if (found == all_.codes.end()) found = all_.codes.insert(all_.codes.end(), spec);
    return static_cast<std::int32_t>(found - all_.codes.begin());
  }

  const Language& language_;
  const Manifest& manifest_;
  const problem::Instance& instance_;
  const std::string& code_;
  DeviceFacts device_;
  Resolved& all_;
  problem::Mistakes& mistakes_;
  std::string where_;
  problem::Scope scope_;
  std::vector<const problem::TensorInstance*> tensors_;
  std::vector<const problem::StructureInstance*> structure_;
  std::int32_t source_ = -1;
};

}  // namespace

int warp_of(const std::string& architecture) {
  constexpr int usual = 32;
  const Backend* const backend = backend_of(architecture);
  return backend ? backend->warp(architecture) : usual;
}

int shared_memory_of(const std::string& architecture) {
  const Backend* const backend = backend_of(architecture);
  return backend ? backend->shared_memory(architecture) : 0;
}

Resolved resolve(const problem::Problem& problem, const problem::Choice& choice, const Contestant& contestant,
                 const std::string& code, const DeviceFacts& device) {
  Resolved all;
  problem::Mistakes mistakes;
  for (const auto& workload : problem.workloads) {
    if (!problem::on_board(workload, choice)) continue;
    const auto instance = instantiate(problem, choice, workload);
    if (!contestant.when.text.empty() && evaluate(problem, instance, contestant.when) == 0) continue;
    const auto same = [&](const SealedProgram::List& list) {
      return list.axes == instance.axes && list.parameters == instance.parameters;
    };
    if (std::ranges::any_of(all.lists, same)) continue;
    Resolver(problem, contestant, instance, code, device, all, mistakes).resolve();
  }
  mistakes.raise();
  return all;
}

}  // namespace podium::compile
