// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Each form is a struct podium_evaluation_E that a template of suite/problem/program takes: prefix.hpp,
// scatter.hpp, recur.hpp, order.hpp, host.hpp say what it must have. Bounds of loops are words of the
// context, or functions of the indices outside.
#include "suite/problem/generate/forms.hpp"

#include <algorithm>

#include "suite/problem/formula/reference_forms.hpp"

namespace podium::problem {
namespace {

class Writer : public FormWriter {
 public:
  Writer(FormText& text, std::size_t e)
      : text_(text),
        e_(e),
        evaluation_(text.plan().evaluations()[e]),
        r_(evaluation_.reference),
        reference_(text.problem().references[r_]) {}

  const Reference& reference() const override { return reference_; }
  std::size_t reference_number() const override { return r_; }
  std::size_t number() const override { return e_; }
  bool keeps_magnitude() const override { return evaluation_.magnitude; }
  bool carries_magnitude() const override {
    return evaluation_.magnitude && reference_.form->carries_magnitude;
  }
  bool compensated() const override { return text_.compensated(); }
  bool integral() const override { return text_.integral(r_); }
  int place_of_values() const override { return text_.plan().evaluation(e_); }
  int place_of_bounds(std::size_t k) const override { return text_.plan().bounds(r_, k); }
  std::string position(std::size_t k) const override { return text_.position(r_, k, evaluation_.sets[k]); }
  std::string positions() const override { return text_.positions(r_, evaluation_.sets); }
  std::string type_of(std::size_t k) const override { return text_.index_type(evaluation_.sets[k]); }
  void add_text(std::string_view text) override { text_.out().add_text(text); }
  void write(const FormFunction& function) override { text_.write(e_, function); }
  void bounds() override { write_bounds(text_, e_); }
  void loop_bounds(std::size_t k, const std::string& indent) override {
    write_loop_bounds(text_, e_, k, indent);
  }

 private:
  FormText& text_;
  std::size_t e_;
  const Evaluation& evaluation_;
  std::size_t r_;
  const Reference& reference_;
};

const Reference& reference_of(FormText& text, std::size_t e) {
  return text.problem().references[text.plan().evaluations()[e].reference];
}

// The reference's own indices that its loops may use.
std::vector<std::string> outer_indices(const Reference& reference) {
  std::vector<std::string> outer;
  for (std::size_t k = 0; k < reference.index.size(); ++k) {
    const bool rank = reference.form->ranks && k + 1 == reference.index.size();
    const bool scattered = k < reference.targets.size() && !reference.targets[k].text.empty();
    if (!rank && !scattered) outer.push_back(reference.index[k].name);
  }
  return outer;
}

}  // namespace

bool write_form(FormText& text, std::size_t e) {
  const ReferenceForm& form = *reference_of(text, e).form;
  if (!form.write) return false;
  Writer writer(text, e);
  form.write(writer);
  text.result(e);
  return true;
}

bool write_form_kernels(FormText& text, std::size_t e) {
  const Reference& reference = reference_of(text, e);
  const ReferenceForm& form = *reference.form;
  if (!form.write) return false;
  for (const ReferenceForm::Kernel& kernel : form.kernels)
    if (!kernel.settles || (text.compensated() && reference.op == Reference::Op::sum))
      text.out().add(
          "PODIUM_KERNEL(podium_{}_{}) {{ podium::program::{}<podium::program::podium_evaluation_{}>(words, "
          "group); }}  // {}",
          kernel.name, e, kernel.function, e, reference.name);
  return true;
}

void write_shared_kernels(FormText& text) {
  const std::vector<Evaluation>& all = text.plan().evaluations();
  for (const ReferenceForm& form : reference_forms())
    if (std::ranges::any_of(all, [&](const Evaluation& evaluation) {
          return text.problem().references[evaluation.reference].form == &form;
        }))
      for (const char* const kernel : form.shared_kernels)
        text.out().add("PODIUM_KERNEL(podium_{0}) {{ podium::program::{0}(words, group); }}", kernel);
}

void write_bounds(FormText& text, std::size_t e) {
  const Reference& reference = text.problem().references[text.plan().evaluations()[e].reference];
  std::vector<std::string> outer = outer_indices(reference);
  for (std::size_t k = 0; k < reference.over.size(); ++k) {
    const Index& index = reference.over[k];
    const auto write = [&](const char* which, const Text& bound) {
      text.write(e, {fmt::format("podium_{}_of_{}_{}", which, e, k), outer, &bound, false, false,
                     "podium::program::whole_number"});
    };
    if (index.dependent) {
      write("low", index.low);
      write("high", index.high);
    }
    outer.push_back(index.name);
  }
}

void write_loop_bounds(FormText& text, std::size_t e, std::size_t k, const std::string& indent) {
  const std::size_t r = text.plan().evaluations()[e].reference;
  const Reference& reference = text.problem().references[r];
  const int place = text.plan().bounds(r, reference.index.size() + k);
  std::string low = fmt::format("podium_words.integer({})", place),
              high = fmt::format("podium_low_{} + podium_words.integer({})", k, place + 1);
  if (reference.over[k].dependent) {
    std::string outer;
    for (const std::string& name : outer_indices(reference)) outer += ", " + name;
    for (std::size_t i = 0; i < k; ++i) outer += ", " + reference.over[i].name;
    low = fmt::format("podium::program::podium_low_of_{}_{}(podium_words{})", e, k, outer);
    high = fmt::format("podium::program::podium_high_of_{}_{}(podium_words{})", e, k, outer);
  }
  text.out().add(
      "{0}[[maybe_unused]] const podium::program::i64 podium_low_{1} = {2}, podium_high_{1} = {3};", indent,
      k, low, high);
}

}  // namespace podium::problem
