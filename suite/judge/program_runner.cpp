// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/judge/program_runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>

#include "suite/base/error.hpp"
#include "suite/judge/draws.hpp"
#include "suite/judge/evidence.hpp"
#include "suite/judge/tiling.hpp"
#include "suite/problem/fills/fills.hpp"
#include "suite/problem/formula/form_stages.hpp"
#include "suite/problem/formula/reference_forms.hpp"
#include "suite/problem/formula/reference_terms.hpp"
#include "suite/problem/generate/blame.hpp"
#include "suite/problem/program/numbers.hpp"

namespace podium::judge {
namespace {

std::uint64_t word(const void* address) { return reinterpret_cast<std::uint64_t>(address); }
std::uint64_t word(std::int64_t x) { return static_cast<std::uint64_t>(x); }
std::uint64_t word(double x) { return std::bit_cast<std::uint64_t>(x); }

// A parameter as contestants see it: rounded to its type, f32 or f64.
double rounded(double value, problem::Dtype type) {
  return type == problem::Dtype::f32 ? static_cast<double>(static_cast<float>(value)) : value;
}

}  // namespace

ProgramRunner::ProgramRunner(device::Device& device, device::Program& program,
                             const problem::Problem& problem)
    : device_(device),
      program_(program),
      problem_(problem),
      plan_(problem),
      depends_(problem::dependences(problem)) {}

void ProgramRunner::begin(const problem::Instance& instance, bool full,
                          std::shared_ptr<const PackedStructure> structure) {
  if (!instance.structured()) throw std::logic_error("structure was to be placed before it was computed");
  structure_.reset();  // first: there may be room for one of them only
  structure_ = structure ? std::move(structure) : std::make_shared<PackedStructure>(device_, instance);
  PrivateLayout layout = lay_out(plan_, problem_, instance, full);
  const auto needed = static_cast<std::size_t>(layout.bytes);
  if (!memory_ || memory_->bytes() < needed) {
    memory_.reset();  // first: there may be room for one of them only
    memory_ = device_.allocate(needed);
  }
  if (const auto results = static_cast<std::size_t>(layout.regions * region_bytes());
      !results_ || results_->bytes() < results)
    results_ = device_.mapped(results);
  instance_ = instance;
  full_ = full;
  layout_ = std::move(layout);
  place_numbers();
  place_structure();
  device_.set(fault(FaultKind::problems), 0, fault_kinds * sizeof(program::Fault));
  // Fills leave padding alone; it must not hold what an earlier workload left there.
  for (std::size_t t = 0; t < instance_.tensors.size(); ++t)
    if (instance_.tensors[t].storage != instance_.tensors[t].elements)
      for (std::byte* const memory : {tensor(t), initial(t)})
        device_.set(memory, 0, static_cast<std::size_t>(instance_.tensors[t].bytes));
}

void ProgramRunner::place_structure() {
  for (std::size_t s = 0; s < instance_.structure.size(); ++s) {
    const auto& structure = instance_.structure[s];
    set(plan_.structure(s), word(structure_->data(s)));
    for (std::size_t k = 0; k < structure.extents.size(); ++k)
      set(plan_.structure(s) + 1 + static_cast<int>(k), word(k == 0 ? structure.used : structure.extents[k]));
  }
}

void ProgramRunner::place_numbers() {
  words_.assign(static_cast<std::size_t>(plan_.words()), 0);
  set(program::launch_fault, word(fault(FaultKind::problems)));
  for (std::size_t k = 0; k < instance_.axes.size(); ++k) set(plan_.axis(k), word(instance_.axes[k]));
  for (std::size_t k = 0; k < instance_.parameters.size(); ++k)
    set(plan_.parameter(k), word(rounded(instance_.parameters[k], problem_.parameters[k].type)));
  for (std::size_t t = 0; t < instance_.tensors.size(); ++t) {
    set(plan_.tensor(t), word(tensor(t)));
    for (std::size_t k = 0; k < instance_.tensors[t].extents.size(); ++k)
      set(plan_.tensor(t) + 1 + static_cast<int>(k), word(instance_.tensors[t].extents[k]));
    const int strides = 1 + static_cast<int>(instance_.tensors[t].extents.size());
    for (std::size_t k = 0; k < instance_.tensors[t].strides.size(); ++k)
      set(plan_.tensor(t) + strides + static_cast<int>(k), word(instance_.tensors[t].strides[k]));
    if (layout_.initials[t] < 0) continue;
    set(plan_.initial(t), word(initial(t)));
    for (int k = 1; k < strides + static_cast<int>(instance_.tensors[t].strides.size()); ++k)
      set(plan_.initial(t) + k,
          words_[static_cast<std::size_t>(plan_.tensor(t)) + static_cast<std::size_t>(k)]);
  }
  for (std::size_t r = 0; r < layout_.ranges.size(); ++r)
    for (std::size_t k = 0; k < layout_.ranges[r].size(); ++k) {
      set(plan_.bounds(r, k), word(layout_.ranges[r][k].low));
      set(plan_.bounds(r, k) + 1, word(layout_.ranges[r][k].extent));
    }
  for (std::size_t e = 0; e < layout_.values.size(); ++e) {
    set(plan_.evaluation(e), word(at(layout_.values[e])));
    if (layout_.magnitudes[e] >= 0) set(plan_.evaluation(e) + 1, word(at(layout_.magnitudes[e])));
  }
  counts_.assign(layout_.sets.size(), 0);
  lists_.assign(layout_.sets.size(), {});
  for (std::size_t s = 0; s < layout_.sets.size(); ++s) place_whole_set(s);
}

void ProgramRunner::place_whole_set(std::size_t s) {
  counts_[s] = layout_.sets[s].extent;
  set(plan_.set(s), 0);
  set(plan_.set(s) + 1, word(layout_.sets[s].low));
  set(plan_.set(s) + 2, word(counts_[s]));
}

void ProgramRunner::place_set(std::size_t s, std::vector<std::int64_t> offsets) {
  const auto count = static_cast<std::int64_t>(offsets.size());
  if (count > layout_.capacity[s]) throw std::logic_error("a sample set is larger than its memory");
  for (std::int64_t& offset : offsets) offset += layout_.sets[s].low;
  lists_[s] = std::move(offsets);
  counts_[s] = count;
  device_.copy(at(layout_.lists[s]), lists_[s].data(), lists_[s].size() * sizeof(std::int64_t));
  set(plan_.set(s), word(at(layout_.lists[s])));
  set(plan_.set(s) + 2, word(count));
}

void ProgramRunner::fill(std::uint64_t seed) {
  set(program::launch_seed, seed);
  set(program::launch_fault, word(fault(FaultKind::fills)));
  device_.set(fault(FaultKind::fills), 0, sizeof(program::Fault));
  for (std::size_t t = 0; t < instance_.tensors.size(); ++t) {
    const auto& tensor = instance_.tensors[t];
    if (tensor.role == problem::Role::output || tensor.elements == 0 ||
        tensor.fill == problem::Fill::Kind::derived || tensor.fill == problem::Fill::Kind::python)
      continue;
    const auto numbers = problem::fill_words(tensor);
    for (std::size_t k = 0; k < numbers.size(); ++k)
      set(program::fill_kind + static_cast<int>(k), numbers[k]);
    const bool by_term = tensor.fill == problem::Fill::Kind::value;
    program_.run(by_term ? fmt::format("podium_draw_{}_{}", tensor.name, tensor.fill_number)
                         : "podium_fill_" + tensor.name,
                 words_, groups_for(tensor.elements));
  }
  derive();
  set(program::launch_fault, word(fault(FaultKind::problems)));
}

// In the order of the references: each fill is rounded into its tensor before another one reads that.
void ProgramRunner::derive() {
  for (std::size_t e = 0; e < plan_.evaluations().size(); ++e) {
    const auto& evaluation = plan_.evaluations()[e];
    if (!needed_by_fill(evaluation, instance_)) continue;
    if (const std::int64_t count = elements(evaluation.reference, evaluation.sets)) evaluate(e, count);
    for (const auto& tensor : instance_.tensors)
      if (tensor.fill == problem::Fill::Kind::derived && tensor.fill_reference == evaluation.reference &&
          tensor.elements > 0)
        program_.run(fmt::format("podium_round_{}", evaluation.reference), words_,
                     groups_for(tensor.elements));
  }
}

void ProgramRunner::sample(std::uint64_t seed, const std::vector<std::vector<std::int64_t>>& wanted) {
  for (std::size_t s = 0; s < layout_.sets.size(); ++s) {
    const Bounds range = layout_.sets[s];
    if (layout_.capacity[s] >= range.extent) continue;
    std::vector<std::int64_t> offsets;
    for (const std::int64_t value : wanted[s])
      if (value >= range.low && value < range.low + range.extent) offsets.push_back(value - range.low);
    place_set(s,
              draw_sample(range.extent, plan_.sets()[s].drawn, seed, static_cast<std::uint32_t>(s), offsets));
  }
}

std::int64_t ProgramRunner::elements(std::size_t reference, const std::vector<int>& sets) const {
  std::int64_t count = 1;
  for (std::size_t k = 0; k < sets.size(); ++k) count *= elements(reference, k, sets[k]);
  return count;
}

std::int64_t ProgramRunner::elements(std::size_t reference, std::size_t index, int set) const {
  return set == problem::whole_range ? layout_.ranges[reference][index].extent
                                     : counts_[static_cast<std::size_t>(set)];
}

void ProgramRunner::tell(std::size_t e, std::int64_t elements) const {
  if (!watch_) return;
  const std::size_t r = plan_.evaluations()[e].reference;
  const std::size_t indices = problem_.references[r].index.size();
  Evaluator::Evaluated done{r, elements, 1, 1};
  for (std::size_t k = 0; k < layout_.ranges[r].size(); ++k)
    (k < indices ? done.all : done.terms) *= layout_.ranges[r][k].extent;
  watch_(done);
}

void ProgramRunner::evaluate() {
  if (watch_) watch_({Evaluator::before_all, 0, 0, 0});
  for (std::size_t e = 0; e < plan_.evaluations().size(); ++e) {
    const auto& evaluation = plan_.evaluations()[e];
    const std::int64_t count = elements(evaluation.reference, evaluation.sets);
    if (evaluation.fill() || count == 0) continue;
    const bool contestants = depends_[evaluation.reference].on_contestant();
    set(program::launch_fault, word(fault(contestants ? FaultKind::contestants : FaultKind::problems)));
    if (evaluates(evaluation.reference)) evaluate(e, count);
    tell(e, count);
  }
  set(program::launch_fault, word(fault(FaultKind::problems)));
}

void ProgramRunner::reduce(std::size_t e, std::int64_t elements) {
  const auto& evaluation = plan_.evaluations()[e];
  const problem::Reference& reference = problem_.references[evaluation.reference];
  const std::size_t loops = reference.over.size(), indices = reference.index.size();
  const auto count = [&](std::size_t k) {
    return this->elements(evaluation.reference, k, evaluation.sets[k]);
  };
  Reduction work{.gpu = gpu(),
                 .elements = elements,
                 .rows = 1,
                 .columns = 1,
                 .tiled = problem::tiled(reference),
                 .extents = {},
                 .emulated = device_.description().emulated};
  if (indices >= 1) work.columns = count(indices - 1);
  if (indices >= 2) work.rows = count(indices - 2);
  for (std::size_t k = 0; k < loops; ++k)
    work.extents.push_back(layout_.ranges[evaluation.reference][indices + k].extent);
  std::int64_t terms = elements;
  for (const std::int64_t extent : work.extents) terms *= std::max<std::int64_t>(extent, 1);
  const int groups = groups_for(terms);
  const Tiling tiling = tile(work, groups);
  const std::int64_t splits = tiling.outers * tiling.inners;
  set(program::reduce_lanes, word(tiling.lanes));
  set(program::reduce_outer, word(tiling.outers));
  set(program::reduce_inner, word(tiling.inners));
  set(program::reduce_parts, word(at(layout_.parts)));
  program_.run(fmt::format("podium_{}_{}", tiling.tiled ? "tiles" : "evaluate", e), words_, groups);
  if (splits == 1) return;
  const std::int64_t lanes = gpu() ? lanes_of_parts(splits) : 1, teams = gpu() ? group_threads / lanes : 1;
  set(program::reduce_lanes, word(lanes));
  program_.run(fmt::format("podium_add_parts_{}", e), words_,
               static_cast<int>(std::min<std::int64_t>((elements + teams - 1) / teams, most_groups)));
}

std::byte* ProgramRunner::next_region() {
  if (!memory_) throw std::logic_error("the evaluator was asked for work before it was given a workload");
  if (region_ == layout_.regions)
    throw std::logic_error("more launches hand back results than there are regions");
  return results_->data() + region_bytes() * region_++;
}

int ProgramRunner::groups_for(std::int64_t items) const {
  return std::clamp(device_.groups_for(items), 1, most_groups);
}

std::byte* ProgramRunner::fault(FaultKind kind) const {
  return at(layout_.fault +
            static_cast<std::int64_t>(kind) * static_cast<std::int64_t>(sizeof(program::Fault)));
}

void ProgramRunner::clear_fault() {
  for (const FaultKind kind : {FaultKind::problems, FaultKind::contestants})
    device_.set(fault(kind), 0, sizeof(program::Fault));
}

ProgramRunner::Astray ProgramRunner::raise_fault() {
  program::Fault faults[fault_kinds] = {};
  device_.copy(faults, fault(FaultKind::problems), sizeof faults);
  device_.synchronise();
  for (const program::Fault& found : faults) {
    if (found.taken == 0) continue;
    if (problem::is_contestants(problem_, found))
      return {astray_sentence(problem_, instance_, found, range_of(found)),
              static_cast<std::size_t>(found.site)};
    throw Error(fault_sentence(problem_, instance_, found, range_of(found)));
  }
  return {};
}

void ProgramRunner::clear_tables(const problem::TensorInstance& tensor) {
  device_.set(at(layout_.tables), 0, static_cast<std::size_t>(table_bytes(tensor)));
  set(program::distinct_table, word(at(layout_.tables)));
  set(program::distinct_slots, word(table_slots(tensor)));
}

std::string ProgramRunner::place_of(std::size_t r, std::int64_t element) const {
  const auto& index = problem_.references[r].index;
  const std::vector<int> sets = plan_.output_sets(r);
  std::string place;
  for (std::size_t k = index.size(); k-- > 0;) {
    const bool whole = sets[k] == problem::whole_range;
    const auto s = static_cast<std::size_t>(whole ? 0 : sets[k]);
    const std::int64_t count = whole ? layout_.ranges[r][k].extent : counts_[s];
    const std::int64_t slot = element % count;
    element /= count;
    const bool listed = !whole && !lists_[s].empty();
    const std::int64_t low = whole ? layout_.ranges[r][k].low : layout_.sets[s].low;
    place = fmt::format("{} = {}{}{}", index[k].name,
                        listed ? lists_[s][static_cast<std::size_t>(slot)] : low + slot,
                        place.empty() ? "" : ", ", place);
  }
  return place.empty() ? "" : " at " + place;
}

std::string ProgramRunner::range_of(const program::Fault& fault) const {
  if (fault.kind != program::fault_range && fault.kind != program::fault_target) return "";
  std::vector<std::string> ranges;
  if (fault.target >= program::structure_target) {
    const auto& structure =
        instance_.structure[static_cast<std::size_t>(fault.target - program::structure_target)];
    for (std::size_t k = 0; k < structure.extents.size(); ++k)
      ranges.push_back(fmt::format("{}", k == 0 ? structure.used : structure.extents[k]));
    return fmt::format("its shape [{}]", fmt::join(ranges, ", "));
  }
  if (fault.target >= 0) {
    for (const std::int64_t extent : instance_.tensors[static_cast<std::size_t>(fault.target)].extents)
      ranges.push_back(fmt::format("{}", extent));
    return fmt::format("its shape [{}]", fmt::join(ranges, ", "));
  }
  const auto r = static_cast<std::size_t>(-1 - fault.target);
  for (std::size_t k = 0; k < problem_.references[r].index.size(); ++k) {
    const Bounds range = layout_.ranges[r][k];
    ranges.push_back(fmt::format("{}: [{}, {}]", problem_.references[r].index[k].name, range.low,
                                 range.low + range.extent));
  }
  return fmt::format("its ranges {{ {} }}", fmt::join(ranges, ", "));
}

std::string ProgramRunner::text_of(std::size_t t, std::int64_t index) {
  return number_of_bits(instance_.tensors[t].dtype, bits_of(t, index, index + 1).front());
}

std::vector<std::uint64_t> ProgramRunner::bits_of(std::size_t t, std::int64_t first, std::int64_t last) {
  const auto& tensor_instance = instance_.tensors[t];
  const auto width = static_cast<std::int64_t>(problem::info(tensor_instance.dtype).bytes);
  const bool pair = problem::packed(tensor_instance.dtype);
  std::vector<std::int64_t> positions;
  for (std::int64_t index = first; index < last; ++index)
    positions.push_back(problem::position_of(tensor_instance, index));
  const auto [low, high] = std::minmax_element(positions.begin(), positions.end());
  const auto unit = [pair](std::int64_t position) { return pair ? position / 2 : position; };
  std::vector<std::byte> bytes(static_cast<std::size_t>((unit(*high) - unit(*low) + 1) * width));
  device_.copy(bytes.data(), tensor(t) + unit(*low) * width, bytes.size());
  device_.synchronise();
  std::vector<std::uint64_t> all;
  for (const std::int64_t position : positions) {
    std::uint64_t bits = 0;  // little-endian, as every device that Podium knows
    std::memcpy(&bits, bytes.data() + (unit(position) - unit(*low)) * width, static_cast<std::size_t>(width));
    all.push_back(pair ? bits >> (4 * (position % 2)) & 15 : bits);
  }
  return all;
}

std::int64_t ProgramRunner::first_equal(std::size_t t, std::int64_t first, std::int64_t at) {
  using problem::Dtype;
  const Dtype dtype = instance_.tensors[t].dtype;
  const bool signed_zero = problem::info(dtype).floating && dtype != Dtype::e8m0 &&
                           dtype != Dtype::e4m3_fnuz && dtype != Dtype::e5m2_fnuz;
  const std::uint64_t minus_zero = std::uint64_t{signed_zero} << (problem::info(dtype).bits - 1);
  const auto unsigned_zero = [&](std::uint64_t bits) { return bits == minus_zero ? 0 : bits; };
  const std::uint64_t sought = unsigned_zero(bits_of(t, at, at + 1).front());
  constexpr std::int64_t piece = 1 << 16;  // elements
  for (; first < at; first += piece) {
    const auto bits = bits_of(t, first, std::min(first + piece, at));
    const auto same = std::find_if(bits.begin(), bits.end(),
                                   [&](std::uint64_t one) { return unsigned_zero(one) == sought; });
    if (same != bits.end()) return first + (same - bits.begin());
  }
  return -1;
}

bool ProgramRunner::evaluates(std::size_t reference) const {
  if (leaves_out_ && problem_.references[reference].output) return false;
  return instance_.stage == problem::Stage::test ||
         !problem::needs_host(problem_, problem_.references[reference]);
}

// What a form's launch may do.
class ProgramRunner::Launch : public problem::FormLaunch {
 public:
  Launch(ProgramRunner& runner, std::size_t e, std::int64_t elements)
      : runner_(runner), e_(e), elements_(elements), evaluation_(runner.plan_.evaluations()[e]) {}

  const problem::Reference& reference() const override {
    return runner_.problem_.references[evaluation_.reference];
  }
  std::int64_t elements() const override { return elements_; }
  std::int64_t extent(std::size_t k) const override {
    return runner_.layout_.ranges[evaluation_.reference][k].extent;
  }
  std::int64_t count(std::size_t k) const override {
    return runner_.elements(evaluation_.reference, k, evaluation_.sets[k]);
  }
  bool gpu() const override { return runner_.gpu(); }
  std::int64_t group_threads() const override { return judge::group_threads; }
  int groups_for(std::int64_t items) const override { return runner_.groups_for(items); }
  int group_each(std::int64_t items) const override {
    return static_cast<int>(std::min<std::int64_t>(items, most_groups));
  }
  void set(int place, std::uint64_t value) override { runner_.set(place, value); }
  void run(const char* kernel, int groups) override {
    runner_.program_.run(fmt::format("podium_{}_{}", kernel, e_), runner_.words_, groups);
  }
  void run_shared(const char* kernel, int groups) override {
    runner_.program_.run(fmt::format("podium_{}", kernel), runner_.words_, groups);
  }
  std::uint64_t parts() const override { return address(runner_.layout_.parts); }
  std::int64_t most_parts() const override { return judge::most_parts; }
  std::uint64_t errors() const override {
    return runner_.layout_.errors >= 0 ? address(runner_.layout_.errors) : 0;
  }
  std::uint64_t sort_buffer(bool second) const override {
    return address(runner_.layout_.sort + (second ? sort_pair_bytes * runner_.layout_.sorted : 0));
  }
  std::int64_t sorted() const override { return runner_.layout_.sorted; }

 private:
  std::uint64_t address(std::int64_t offset) const {
    return reinterpret_cast<std::uint64_t>(runner_.at(offset));
  }

  ProgramRunner& runner_;
  std::size_t e_;
  std::int64_t elements_;
  const problem::Evaluation& evaluation_;
};

void ProgramRunner::evaluate(std::size_t e, std::int64_t elements) {
  const problem::ReferenceForm& form = *problem_.references[plan_.evaluations()[e].reference].form;
  if (form.reduces) return reduce(e, elements);
  Launch launch(*this, e, elements);
  if (form.launch) return form.launch(launch);
  launch.run("evaluate", groups_for(elements));
}

}  // namespace podium::judge
