// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Each form is a struct podium_evaluation_E that a template of suite/problem/program takes: prefix.hpp,
// scatter.hpp, recur.hpp, order.hpp, host.hpp say what it must have. Bounds of loops are words of the
// context, or functions of the indices outside.
#include "suite/problem/generate/forms.hpp"

#include <algorithm>

#include "suite/problem/formula/reference_forms.hpp"
#include "suite/problem/formula/reference_terms.hpp"

namespace podium::problem {
namespace {

constexpr const char* i64 = "podium::program::i64";
constexpr const char* settle = "settle";  // a kernel of compensated sums alone

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += ", " + name;
  return text;
}

class FormWriter {
 public:
  FormWriter(FormText& text, std::size_t e)
      : text_(text),
        out_(text.out()),
        e_(e),
        evaluation_(text.plan().evaluations()[e]),
        r_(evaluation_.reference),
        reference_(text.problem().references[r_]),
        magnitude_(evaluation_.magnitude && info(reference_.form).carries_magnitude) {
    for (const Index& index : reference_.index) names_.push_back(index.name);
  }

  struct Row {
    Reference::Form form;
    void (FormWriter::*write)();
    std::vector<std::pair<const char*, const char*>> kernels;  // podium_NAME_E, and the template behind it
  };
  static const Row* row_of(Reference::Form form);

  void write(const Row& row) {
    (this->*row.write)();
    text_.result(e_);
  }

 private:
  std::string position(std::size_t k) const { return text_.position(r_, k, evaluation_.sets[k]); }
  std::string type_of(std::size_t k) const { return text_.index_type(evaluation_.sets[k]); }
  std::string positions() const { return text_.positions(r_, evaluation_.sets); }
  // With a comma before, for the end of a list.
  std::string more_positions() const { return names_.empty() ? "" : ", " + positions(); }

  // podium_stored_E: the type of `function`'s value, kept with its magnitude where that is asked for.
  void stored(const std::string& function, const std::vector<std::string>& parameters) {
    std::string arguments = "podium::program::Words{}";
    for (const std::string& name : parameters) {
      const auto k = static_cast<std::size_t>(std::find(names_.begin(), names_.end(), name) - names_.begin());
      arguments += fmt::format(", {}{{}}", k < names_.size() ? type_of(k) : i64);
    }
    out_.add("using podium_stored_{} = Stored<decltype({}({})), {}>;", e_, function, arguments,
             evaluation_.magnitude);
  }
  void open() { out_.add("struct podium_evaluation_{} {{", e_); }
  void close() { out_.add("}};"); }
  void place() { out_.add("  static constexpr int place = {};", text_.plan().evaluation(e_)); }
  void elements() {
    out_.add(
        "  PODIUM_DEVICE static i64 elements(Words podium_words) {{ return elements_of<{}>(podium_words); }}",
        positions());
  }
  void sum() {
    out_.add("  using Sum = Total<Op::{}, podium_stored_{}, {}>;", name_of(reference_.op), e_,
             text_.compensated());
    out_.add("  using Value = decltype(Sum::identity().value());");
  }

  // Lines along index k: how many, how long, how far apart their elements are.
  void lines(std::size_t along) {
    std::string others, inner;
    for (std::size_t k = 0; k < names_.size(); ++k) {
      if (k == along) continue;
      others += (others.empty() ? "" : ", ") + position(k);
      if (k > along) inner += (inner.empty() ? "" : ", ") + position(k);
    }
    const auto count = [&](const char* name, const std::string& list) {
      out_.add(
          "  PODIUM_DEVICE static i64 {}(Words podium_words) {{ return elements_of<{}>(podium_words); }}",
          name, list);
    };
    count("lines", others);
    count("steps", position(along));
    count("stride", inner);
  }
  // Takes podium_NUMBER apart into the indices for which `wanted`.
  void take_apart(const char* number, const std::vector<bool>& wanted) {
    if (std::find(wanted.begin(), wanted.end(), true) == wanted.end()) return;
    out_.add("    [[maybe_unused]] podium::program::Unravel podium_rest{{{}}};", number);
    const std::size_t first =
        static_cast<std::size_t>(std::find(wanted.begin(), wanted.end(), true) - wanted.begin());
    for (std::size_t k = names_.size(); k-- > 0;)
      if (wanted[k])
        out_.add("    [[maybe_unused]] const auto {} = podium_rest.{}<{}>(podium_words);", names_[k],
                 k == first ? "last" : "take", position(k));
  }
  std::vector<bool> all_but(std::size_t along) const {
    std::vector<bool> wanted(names_.size(), true);
    wanted[along] = false;
    return wanted;
  }
  void step_index(std::size_t along) {
    out_.add("    [[maybe_unused]] const podium::program::i64 {} = podium_words.integer({}) + podium_step;",
             names_[along], text_.plan().bounds(r_, along));
  }
  std::string own(const char* what) const { return fmt::format("podium_{}_{}", what, e_); }
  static std::string call(const std::string& function, const std::vector<std::string>& names) {
    return fmt::format("podium::program::{}(podium_words{})", function, joined(names));
  }

  void scan() {
    text_.write(e_, {own("term"), names_, &reference_.term, magnitude_});
    stored(own("term"), names_);
    open();
    sum();
    place();
    out_.add("  static constexpr bool exclusive = {};", reference_.exclusive);
    lines(reference_.along);
    out_.add(
        "  PODIUM_DEVICE static auto term(Words podium_words, [[maybe_unused]] i64 podium_line, i64 "
        "podium_step) {{");
    take_apart("podium_line", all_but(reference_.along));
    step_index(reference_.along);
    out_.add("    return {};\n  }}", call(own("term"), names_));
    close();
  }

  void recur() {
    const Text &first = reference_.first, &next = reference_.term;
    const std::string& along = names_[reference_.along];
    text_.write(e_, {own("first"), names_, &first, magnitude_, magnitude_});
    // The type of its values is that of `first` and `next` together; `next` is asked what it makes of them.
    FormText::Function later{own("next"), names_, &next, magnitude_, magnitude_};
    later.prefix = "template <class podium_value>";
    later.itself = fmt::format("podium::program::Earlier<podium_value, {}, {}, {}{}>", r_,
                               text_.plan().evaluation(e_), reference_.along, more_positions());
    later.itself_made_of = fmt::format("podium_words, {}, {}", r_, along);
    text_.write(e_, later);
    stored(own("first"), names_);
    std::string arguments = "podium::program::Words{}";
    for (std::size_t k = 0; k < names_.size(); ++k) arguments += fmt::format(", {}{{}}", type_of(k));
    out_.add(
        "using podium_both_{0} = Stored<decltype(podium_stored_{0}{{}} + {1}<podium_stored_{0}>({2})), {3}>;",
        e_, own("next"), arguments, evaluation_.magnitude);
    open();
    out_.add("  using Value = podium_both_{};", e_);
    place();
    out_.add("  static constexpr bool crosses = {};", crosses_lines(reference_));
    lines(reference_.along);
    out_.add(
        "  PODIUM_DEVICE static Value step(Words podium_words, [[maybe_unused]] i64 podium_line, i64 "
        "podium_step) {{");
    take_apart("podium_line", all_but(reference_.along));
    step_index(reference_.along);
    out_.add("    if (podium_step == 0) return Value({});", call(own("first"), names_));
    out_.add("    return Value({});\n  }}", call(own("next") + "<Value>", names_));
    close();
  }

  void order() {
    const std::size_t rank = names_.size() - 1;
    std::vector<std::string> line(names_.begin(), names_.end() - 1), pair = line;
    pair.push_back(reference_.over[0].name);
    write_bounds(text_, e_);
    text_.write(e_, {own("key"), pair, &reference_.term});
    open();
    out_.add("  using Value = podium::program::i64;");
    place();
    out_.add("  static constexpr int site = {};", r_);
    out_.add("  static constexpr bool descending = {};", reference_.descending);
    const auto of_line = [&](const char* name, const char* more, const std::string& value) {
      out_.add("  PODIUM_DEVICE static auto {}(Words podium_words, [[maybe_unused]] i64 podium_line{}) {{",
               name, more);
      take_apart("podium_line", all_but(rank));
      if (*more == '\0') write_loop_bounds(text_, e_, 0, "    ");
      out_.add("    return {};\n  }}", value);
    };
    of_line("low", "", "podium_low_0");
    of_line("high", "", "podium_high_0");
    of_line("key", fmt::format(", i64 {}", reference_.over[0].name).c_str(), call(own("key"), pair));
    out_.add("  PODIUM_DEVICE static i64 ranks(Words podium_words) {{ return {}::count(podium_words); }}",
             position(rank));
    out_.add(
        "  PODIUM_DEVICE static i64 rank(Words podium_words, i64 podium_slot) {{ return {}::at(podium_words, "
        "podium_slot); }}",
        position(rank));
    close();
  }

  // Loops that do not depend on others are cut into items, together with the elements' free indices; from
  // the first dependent one on they run inside an item.
  void scatter() {
    std::vector<std::string> free, all;
    std::vector<bool> is_free;
    for (std::size_t k = 0; k < names_.size(); ++k) {
      is_free.push_back(reference_.targets[k].text.empty());
      if (is_free[k]) free.push_back(names_[k]);
    }
    all = free;
    for (const Index& index : reference_.over) all.push_back(index.name);
    write_bounds(text_, e_);
    text_.write(e_, {own("term"), all, &reference_.term, magnitude_});
    stored(own("term"), all);
    for (std::size_t k = 0; k < names_.size(); ++k)
      if (!is_free[k])
        text_.write(e_, {fmt::format("podium_target_{}_{}", e_, k), all, &reference_.targets[k], false, false,
                         "podium::program::whole_number"});
    if (!reference_.where.text.empty()) text_.write(e_, {own("where"), all, &reference_.where});

    std::size_t flat = 0;
    while (flat < reference_.over.size() && !reference_.over[flat].dependent) ++flat;
    std::string cut;
    for (std::size_t k = 0; k < names_.size(); ++k)
      if (is_free[k]) cut += (cut.empty() ? "" : ", ") + position(k);
    for (std::size_t k = 0; k < flat; ++k) cut += (cut.empty() ? "" : ", ") + loop_position(k);
    open();
    sum();
    place();
    elements();
    out_.add(
        "  PODIUM_DEVICE static i64 items(Words podium_words) {{ return elements_of<{}>(podium_words); }}",
        cut);
    out_.add("  PODIUM_DEVICE static void visit(Words podium_words, i64 podium_item) {{");
    out_.add("    [[maybe_unused]] podium::program::Unravel podium_rest{{podium_item}};");
    for (std::size_t k = flat; k-- > 0;)
      out_.add("    [[maybe_unused]] const auto {} = podium_rest.take<{}>(podium_words);",
               reference_.over[k].name, loop_position(k));
    for (std::size_t k = names_.size(); k-- > 0;)
      if (is_free[k])
        out_.add("    [[maybe_unused]] const auto {} = podium_rest.take<{}>(podium_words);", names_[k],
                 position(k));
    std::string indent = "    ";
    for (std::size_t k = flat; k < reference_.over.size(); ++k) {
      write_loop_bounds(text_, e_, k, indent);
      out_.add("{0}for ({1} {2} = podium_low_{3}; {2} < podium_high_{3}; ++{2}) {{", indent, i64,
               reference_.over[k].name, k);
      indent += "  ";
    }
    join(indent, is_free, all);
    for (std::size_t k = flat; k < reference_.over.size(); ++k) {
      indent.resize(indent.size() - 2);
      out_.add("{}}}", indent);
    }
    out_.add("  }}");
    close();
  }
  std::string loop_position(std::size_t k) const {
    return fmt::format("podium::program::Whole<{}>", text_.plan().bounds(r_, names_.size() + k));
  }
  void join(const std::string& indent, const std::vector<bool>& is_free,
            const std::vector<std::string>& all) {
    std::string target;
    for (std::size_t k = 0; k < names_.size(); ++k)
      target += ", " + (is_free[k] ? names_[k] : call(fmt::format("podium_target_{}_{}", e_, k), all));
    if (!reference_.where.text.empty())
      out_.add("{}if (podium::program::value_of({}) != 0)", indent, call(own("where"), all));
    out_.add(
        "{}{}podium::program::Targets<podium::program::Op::{}, Value, Sum::exact, {}, "
        "place{}>{{podium_words, "
        "{}}}.join({}{});",
        indent, reference_.where.text.empty() ? "" : "  ", name_of(reference_.op), r_, more_positions(), r_,
        call(own("term"), all), target);
  }

  void host() {
    const char* value = text_.integral(r_) ? "podium::program::i64" : "double";
    FormText::Function body{own("run"), {}, &reference_.term};
    body.locals = fmt::format(
        "  [[maybe_unused]] const podium::program::Out<{0}, {1}, {2}{3}> "
        "out{{podium_words, {1}}};",
        value, r_, text_.plan().evaluation(e_), more_positions());
    body.is_void = true;
    text_.write(e_, body);
    open();
    out_.add("  using Assigned = {};", value);
    out_.add("  static constexpr int site = {};", r_);
    out_.add("  using Value = Stored<Assigned, {}>;", evaluation_.magnitude);
    place();
    elements();
    out_.add("  PODIUM_DEVICE static void run(Words podium_words) {{ {}; }}", call(own("run"), {}));
    close();
  }

  FormText& text_;
  Lines& out_;
  std::size_t e_;
  const Evaluation& evaluation_;
  std::size_t r_;
  const Reference& reference_;
  bool magnitude_;
  std::vector<std::string> names_;
};

const FormWriter::Row* FormWriter::row_of(Reference::Form form) {
  using Form = Reference::Form;
  static const std::vector<Row> rows{
      {Form::scan,
       &FormWriter::scan,
       {{"sums_of_parts", "prefix_sums_of_parts"}, {"carries", "prefix_carries"}, {"evaluate", "prefix"}}},
      {Form::scatter,
       &FormWriter::scatter,
       {{"start", "scatter_start"}, {settle, "scatter_settle"}, {"evaluate", "scatter"}}},
      {Form::recur, &FormWriter::recur, {{"evaluate", "recur"}}},
      {Form::order, &FormWriter::order, {{"keys", "order_keys"}, {"evaluate", "order"}}},
      {Form::host, &FormWriter::host, {{"evaluate", "run_on_host"}}}};
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const Row& one) { return one.form == form; });
  return row == rows.end() ? nullptr : &*row;
}

// The reference's own indices that its loops may use.
std::vector<std::string> outer_indices(const Reference& reference) {
  std::vector<std::string> outer;
  for (std::size_t k = 0; k < reference.index.size(); ++k) {
    const bool rank = reference.form == Reference::Form::order && k + 1 == reference.index.size();
    const bool scattered = k < reference.targets.size() && !reference.targets[k].text.empty();
    if (!rank && !scattered) outer.push_back(reference.index[k].name);
  }
  return outer;
}

}  // namespace

bool write_form(FormText& text, std::size_t e) {
  const Reference& reference = text.problem().references[text.plan().evaluations()[e].reference];
  const auto* const row = FormWriter::row_of(reference.form);
  if (row) FormWriter(text, e).write(*row);
  return row != nullptr;
}

bool write_form_kernels(FormText& text, std::size_t e) {
  const Reference& reference = text.problem().references[text.plan().evaluations()[e].reference];
  const auto* const row = FormWriter::row_of(reference.form);
  if (!row) return false;
  for (const auto& [name, function] : row->kernels)
    if (name != settle || (text.compensated() && reference.op == Reference::Op::sum))
      text.out().add(
          "PODIUM_KERNEL(podium_{}_{}) {{ podium::program::{}<podium::program::podium_evaluation_{}>(words, "
          "group); }}  // {}",
          name, e, function, e, reference.name);
  return true;
}

void write_shared_kernels(FormText& text) {
  for (const Evaluation& evaluation : text.plan().evaluations()) {
    if (text.problem().references[evaluation.reference].form != Reference::Form::order) continue;
    text.out().add("PODIUM_KERNEL(podium_sort_runs) {{ podium::program::sort_runs(words, group); }}");
    text.out().add("PODIUM_KERNEL(podium_merge_runs) {{ podium::program::merge_runs(words, group); }}");
    return;
  }
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
