// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/compile/sealed_check.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "suite/base/counted.hpp"
#include "suite/base/error.hpp"
#include "suite/base/nearest.hpp"
#include "suite/problem/model/arch.hpp"
#include "suite/problem/yaml/utf8.hpp"

namespace podium::compile {
namespace {

using nlohmann::json;
using protocol::SealedProgram;

constexpr int address_bytes = 8;
constexpr std::array<std::uint32_t, 3> any{};

std::uint32_t product(const std::array<std::uint32_t, 3>& sides) { return sides[0] * sides[1] * sides[2]; }

class Fitting {
 public:
  Fitting(const std::vector<MadeCode>& codes, const std::string& architecture, problem::Mistakes& mistakes)
      : codes_(codes), architecture_(architecture), mistakes_(mistakes) {}

  void fit(SealedProgram::Launch& launch, const Manifest::Launch& stated, const std::string& workload) {
    at_ = &stated.at;
    where_ = fmt::format("kernel '{}': ", stated.kernel);
    workload_ = fmt::format(" in the {}", workload);
    const KernelInfo* const kernel = find(launch, stated);
    if (!kernel) return;
    const auto& code = codes_[static_cast<std::size_t>(launch.code)];
    if (!problem::admits(code.about.architecture, architecture_))
      wrong(fmt::format("found code for {}, expected it for {}", code.about.architecture, architecture_));
    if (!code.symbol.empty()) complete(launch, code, *kernel);
    arguments(launch, stated, *kernel, code.hidden_advice);
    block(launch, *kernel);
  }

 private:
  void wrong(const std::string& sentence) { mistakes_.add(*at_, "", where_ + sentence); }

  const KernelInfo* find(SealedProgram::Launch& launch, const Manifest::Launch& stated) {
    std::vector<std::string> names;
    for (std::size_t c = 0; c < codes_.size(); ++c) {
      if (launch.code >= 0 && static_cast<std::size_t>(launch.code) != c) continue;
      const std::string& name = codes_[c].symbol.empty() ? launch.kernel : codes_[c].symbol;
      for (const auto& kernel : codes_[c].about.kernels) {
        if (kernel.name == name) {
          launch.code = static_cast<std::int32_t>(c);
          launch.kernel = name;
          return &kernel;
        }
        names.push_back(kernel.name);
      }
    }
    const bool mangled = std::ranges::any_of(names, [&](const auto& name) {
      return name.starts_with("_Z") && name.find(stated.kernel) != name.npos;
    });
    mistakes_.add(*at_, "kernel",
                  found_one_of(yaml::excerpt(stated.kernel), names) + ", which are the kernels of its code" +
                      (mangled ? "; write extern \"C\" before it" : ""));
    return nullptr;
  }

  // Compilers of Python choose the block; their kernels may take addresses of scratch that is not used.
  static void complete(SealedProgram::Launch& launch, const MadeCode& code, const KernelInfo& kernel) {
    launch.shared = code.shared;
    launch.block = kernel.block != any ? kernel.block : std::array<std::uint32_t, 3>{code.threads, 1, 1};
    for (int i = 0; i < code.trailing && launch.arguments.size() < kernel.arguments.size(); ++i)
      launch.arguments.push_back({.bytes = address_bytes});
  }

  void arguments(const SealedProgram::Launch& launch, const Manifest::Launch& stated,
                 const KernelInfo& kernel, const std::string& hidden_advice) {
    if (launch.arguments.size() != kernel.arguments.size())
      return wrong(fmt::format("found {}, expected {}, of {} bytes",
                               counted(launch.arguments.size(), "argument"), kernel.arguments.size(),
                               fmt::join(kernel.arguments, ", ")));
    const bool one_to_one = stated.arguments.size() == launch.arguments.size();
    for (std::size_t i = 0; i < kernel.arguments.size(); ++i)
      if (launch.arguments[i].bytes != kernel.arguments[i])
        wrong(fmt::format("found argument {}{} of {} bytes, expected {}", i + 1,
                          one_to_one ? fmt::format(", {},", stated.arguments[i].text) : "",
                          launch.arguments[i].bytes, kernel.arguments[i]));
    if (kernel.hidden > 0)
      wrong(fmt::format(
          "found code that takes {} bytes of arguments besides those it lists, expected none: only its "
          "own launcher could fill them{}",
          kernel.hidden, hidden_advice.empty() ? "" : "; " + hidden_advice));
  }

  void block(const SealedProgram::Launch& launch, const KernelInfo& kernel) {
    if (kernel.block != any && launch.block != kernel.block)
      wrong(fmt::format("found a block of [{}] threads{}, expected [{}], which it requires",
                        fmt::join(launch.block, ", "), workload_, fmt::join(kernel.block, ", ")));
    else if (kernel.most_threads > 0 &&
             product(launch.block) > static_cast<std::uint32_t>(kernel.most_threads))
      wrong(fmt::format("found a block of {} threads{}, expected at most {}, its launch bounds",
                        product(launch.block), workload_, kernel.most_threads));
    for (std::size_t i = 0; i < 3; ++i)
      if (kernel.cluster[i] > 0 && launch.grid[i] % kernel.cluster[i] != 0)
        return wrong(fmt::format("found a grid of [{}] blocks{}, expected multiples of its cluster, [{}]",
                                 fmt::join(launch.grid, ", "), workload_, fmt::join(kernel.cluster, ", ")));
  }

  const std::vector<MadeCode>& codes_;
  const std::string& architecture_;
  problem::Mistakes& mistakes_;
  const problem::Location* at_ = nullptr;
  std::string where_, workload_;
};

}  // namespace

MadeCode made_code(const Language& language, const std::string& file, const std::string& architecture,
                   bool translated) try {
  MadeCode code;
  code.bytes = file;
  code.hidden_advice = language.python.hidden_advice;
  if (language.sealed == SealedForm::python) {
    const auto end = std::min(file.find('\n'), file.size());
    const auto about = json::parse(file.substr(0, end));
    code.symbol = about.at("symbol");
    code.threads = about.at("threads");
    code.shared = about.at("shared");
    code.trailing = about.at("trailing");
    code.bytes = file.substr(std::min(end + 1, file.size()));
  }
  if (translated) {
    code.about = read_translated(code.bytes);
    return code;
  }
  code.bytes = extract(code.bytes, architecture);
  code.about = read_code(code.bytes);
  return code;
} catch (const json::exception& e) {
  throw Error(fmt::format("found code whose description cannot be read: {}", e.what()));
}

void fit(Resolved& resolved, const std::vector<MadeCode>& codes, const std::string& architecture,
         problem::Mistakes& mistakes) {
  Fitting fitting(codes, architecture, mistakes);
  for (std::size_t i = 0; i < resolved.lists.size(); ++i) {
    auto& list = resolved.lists[i];
    const auto& origin = resolved.origins[i];
    for (std::size_t l = 0; l < list.prepare.size(); ++l)
      fitting.fit(list.prepare[l], *origin.prepare[l], origin.workload);
    for (std::size_t l = 0; l < list.launches.size(); ++l)
      fitting.fit(list.launches[l], *origin.launches[l], origin.workload);
  }
}

}  // namespace podium::compile
