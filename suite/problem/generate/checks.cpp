// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/problem/generate/checks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "suite/problem/checks/checks.hpp"
#include "suite/problem/formula/access.hpp"

namespace podium::problem {

std::string CheckText::result_type(std::size_t reference, bool magnitude, bool fill) const {
  std::string types;
  for (const std::size_t e : plan_.evaluations_of(reference, fill))
    types += fmt::format("{}podium::program::podium_result_{}<{}>", types.empty() ? "" : ", ", e, magnitude);
  return types.empty() ? "" : fmt::format("podium::program::Overloaded<{}>", types);
}

struct CheckText::Code : CheckCode {
  explicit Code(const CheckText& text) : text_(text) {}
  std::string element(const std::string& tensor) const override { return text_.element(at(tensor)); }
  std::string data(const std::string& tensor, bool before) const override {
    return text_.data_of(at(tensor), before);
  }
  std::string count(const std::string& tensor) const override { return text_.count_of(at(tensor)); }
  std::string row(const std::string& tensor, std::size_t before_last) const override {
    const std::size_t t = at(tensor), rank = text_.problem_.tensors[t].shape.size();
    if (rank == 0) return "1";
    return fmt::format("words.integer({})", text_.plan_.tensor(t) + static_cast<int>(rank - before_last));
  }

 private:
  std::size_t at(const std::string& tensor) const { return text_.tensor_index(tensor); }
  const CheckText& text_;
};

std::set<std::string, std::less<>> CheckText::declare_views(Lines& out, std::size_t site,
                                                            std::string_view term, bool magnitude,
                                                            Elements elements, bool fill,
                                                            const Itself& itself) const {
  struct Parts {
    std::string values = "podium::program::Absent", initial = values, reference = values;
    bool view = false;  // more than the results of a reference
  };
  std::vector<std::pair<std::size_t, Parts>> tensors;
  for (const Access& access : accesses(term)) {
    const Tensor* tensor = problem_.tensor(access.name);
    const Meaning what = meaning(problem_, problem_.references[site], access);
    if (!tensor || tensor->role == Role::input || what.kind == Meaning::Kind::other) continue;
    const std::size_t t = tensor_index(access.name);
    auto known =
        std::find_if(tensors.begin(), tensors.end(), [&](const auto& one) { return one.first == t; });
    if (known == tensors.end()) known = tensors.insert(tensors.end(), {t, Parts{}});
    Parts& parts = known->second;
    const bool own = what.kind == Meaning::Kind::reference && what.index == site;
    if (own)
      parts.values = itself.type;
    else if (what.kind == Meaning::Kind::reference)
      (access.member.empty() ? parts.values : parts.reference) = result_type(what.index, magnitude, fill);
    if (what.kind == Meaning::Kind::written) parts.values = tensor_accessor(t, elements);
    if (what.kind == Meaning::Kind::input) parts.initial = tensor_accessor(t, elements, true);
    if (what.kind != Meaning::Kind::reference || !access.member.empty()) parts.view = true;
  }
  std::set<std::string, std::less<>> declared;
  for (const auto& [t, parts] : tensors) {
    if (!parts.view) continue;
    const std::string& name = problem_.tensors[t].name;
    const bool own = !itself.type.empty() && parts.values == itself.type;
    out.add("  const podium::program::Views<{}, {}, {}> {}({}podium_words, {});", parts.values, parts.initial,
            parts.reference, name, own ? fmt::format("{}{{{}}}, ", itself.type, itself.made_of) : "", site);
    declared.insert(name);
  }
  return declared;
}

void CheckText::check_kernels(Lines& out) const {
  for (const Check& check : problem_.checks) {
    const auto kernel = [&](std::string_view prefix, const std::string& body) {
      if (!body.empty())
        out.add("PODIUM_KERNEL(podium_{}_{}) {{ podium::program::{}; }}", prefix, check.name, body);
    };
    if (!check.builtin) {
      const std::size_t e = plan_.evaluations_of(check.reference).at(0);
      kernel("check", fmt::format("hold<podium::program::podium_evaluation_{}>(words, group)", e));
    } else if (check.builtin->kernels) {
      const CheckKernels text = check.builtin->kernels(check, Code(*this));
      kernel("check", text.check);
      kernel("before", text.before);
    }
  }
}

}  // namespace podium::problem
