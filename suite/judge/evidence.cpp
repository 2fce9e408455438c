// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/judge/evidence.hpp"

#include <fmt/format.h>

#include <cmath>

#include "suite/base/counted.hpp"
#include "suite/problem/model/fills.hpp"
#include "suite/problem/program/numbers.hpp"

namespace podium::judge {
namespace {

std::string coordinates(const std::int64_t* index, std::size_t rank) {
  return rank == 0 ? "" : fmt::format("[{}]", fmt::join(index, index + rank, ", "));
}

std::string real(double value, problem::Dtype dtype) {
  if (std::isnan(value)) return "nan";  // whatever its sign
  return dtype == problem::Dtype::f64 ? fmt::format("{:.17g}", value) : fmt::format("{:.9g}", value);
}

// What a term read or wrote where it must not, with its indices.
std::string target_of(const problem::Problem& problem, const problem::Instance& instance,
                      const program::Fault& fault) {
  const auto target = static_cast<std::size_t>(fault.target >= program::structure_target
                                                   ? fault.target - program::structure_target
                                               : fault.target >= 0 ? fault.target
                                                                   : -1 - fault.target);
  const auto element = [&](const std::string& name, std::size_t rank) {
    const std::vector<std::int64_t> index(fault.index, fault.index + rank);
    return name + coordinates(index.data(), rank);
  };
  if (fault.target >= program::structure_target)
    return element(instance.structure[target].name, instance.structure[target].extents.size());
  if (fault.target >= 0)
    return element(instance.tensors[target].name, instance.tensors[target].extents.size());
  return element(problem.references[target].name, problem.references[target].index.size());
}

// Of a growth that uses its output's indices, or of `any`; the fault's indices are real numbers.
std::string formula_sentence(const problem::Problem& problem, const problem::Instance& instance,
                             const program::Fault& fault) {
  const problem::Reference& reference = problem.references[static_cast<std::size_t>(fault.site)];
  const bool any = fault.kind == program::fault_any || fault.kind == program::fault_any_remainder;
  const auto& at = (any ? reference.any : problem.tensor(reference.name)->tolerance.growth).at;
  const auto value = [&](std::size_t k) {
    return program::double_of(static_cast<std::uint64_t>(fault.index[k]));
  };
  const std::string where =
      fmt::format("{}:{}: found {} of {} to ", at.file, at.line, any ? "any" : "the growth", reference.name);
  if (fault.kind == program::fault_remainder || fault.kind == program::fault_any_remainder)
    return fmt::format("{}compute {} % {} in workload {}, expected whole numbers and a divisor other than 0",
                       where, value(0), value(1), instance.workload);
  const auto& structure =
      instance.structure[static_cast<std::size_t>(fault.target - program::structure_target)];
  std::vector<double> index;
  for (std::size_t k = 0; k < structure.extents.size(); ++k) index.push_back(value(k));
  std::vector<std::int64_t> extents = structure.extents;
  if (!extents.empty()) extents[0] = structure.used;
  return fmt::format("{}read {}({}) in workload {}, expected whole indices within its part in use [{}]",
                     where, structure.name, fmt::join(index, ", "), instance.workload,
                     fmt::join(extents, ", "));
}

// found: where, and whose term.
std::string divided_by_zero(const std::string& found, const problem::Instance& instance,
                            const program::Fault& fault) {
  return fmt::format("{} to divide {} by 0 in workload {}, expected another divisor", found, fault.index[0],
                     instance.workload);
}

// "0 or 1", "whole numbers from -128 to 127".
std::string whole_numbers(problem::Dtype dtype) {
  if (dtype == problem::Dtype::boolean) return "0 or 1";
  const bool is_signed = problem::lowest(dtype) < 0;
  const std::uint64_t high = ~std::uint64_t{0} >> (64 - problem::info(dtype).bits + is_signed);
  return fmt::format("whole numbers from {}{} to {}", is_signed ? "-" : "", is_signed ? high + 1 : 0, high);
}

// found: where, and which reference.
std::string not_held(const std::string& found, const problem::Instance& instance,
                     const program::Fault& fault) {
  const auto& output = instance.tensors[static_cast<std::size_t>(fault.target)];
  const std::string value = expected_number(
      problem::Dtype::f32,
      {.expected = static_cast<std::uint64_t>(fault.index[1]), .expected_kind = fault.index[2]});
  return fmt::format("{} to expect {} of {} in workload {}, expected what {} holds: {}", found, value,
                     element_name(output, fault.index[0]), instance.workload,
                     problem::info(output.dtype).name, whole_numbers(output.dtype));
}

std::string site_of(const problem::Reference& site) {
  return site.check ? site.name : "reference " + site.name;
}

}  // namespace

std::string expected_number(problem::Dtype dtype, const program::Comparison& found) {
  if (found.expected_kind == program::expected_signed)
    return fmt::format("{}", static_cast<std::int64_t>(found.expected));
  if (found.expected_kind == program::expected_unsigned) return fmt::format("{}", found.expected);
  return real(program::double_of(found.expected), dtype);
}

std::string element_name(const problem::TensorInstance& tensor, std::int64_t linear) {
  std::vector<std::int64_t> index(tensor.extents.size());
  for (std::size_t k = index.size(); k-- > 0;) {
    index[k] = linear % tensor.extents[k];
    linear /= tensor.extents[k];
  }
  return tensor.name + coordinates(index.data(), index.size());
}

std::string number(problem::Dtype dtype, std::uint64_t word) {
  if (problem::info(dtype).floating) return real(program::double_of(word), dtype);
  if (dtype == problem::Dtype::u64) return fmt::format("{}", word);
  return fmt::format("{}", static_cast<std::int64_t>(word));
}

std::string number_of_bits(problem::Dtype dtype, std::uint64_t bits) {
  using problem::Dtype;
  const auto low32 = static_cast<std::uint32_t>(bits);
  const auto low16 = static_cast<std::uint16_t>(bits);
  const auto low8 = static_cast<std::uint8_t>(bits);
  switch (dtype) {
    case Dtype::f32:
      return real(program::float_of(low32), dtype);
    case Dtype::f16:
      return real(program::widen(program::f16{low16}), dtype);
    case Dtype::bf16:
      return real(program::widen(program::bf16{low16}), dtype);
    case Dtype::e4m3:
      return real(program::widen(program::e4m3{low8}), dtype);
    case Dtype::e5m2:
      return real(program::widen(program::e5m2{low8}), dtype);
    case Dtype::e4m3_fnuz:
      return real(program::widen(program::e4m3_fnuz{low8}), dtype);
    case Dtype::e5m2_fnuz:
      return real(program::widen(program::e5m2_fnuz{low8}), dtype);
    case Dtype::e8m0:
      return real(program::widen(program::e8m0{low8}), dtype);
    case Dtype::e2m1:
      return real(program::widen(program::e2m1{low8}), dtype);
    case Dtype::i32:
      return fmt::format("{}", static_cast<std::int32_t>(low32));
    case Dtype::i16:
      return fmt::format("{}", static_cast<std::int16_t>(low16));
    case Dtype::i8:
      return fmt::format("{}", static_cast<std::int8_t>(bits));
    default:
      return number(dtype, bits);
  }
}

std::string scan_remark(const problem::TensorInstance& output, const program::Scan& scan,
                        std::uint8_t poison) {
  std::string remark;
  if (scan.poisoned > 0)
    remark += fmt::format(
        "; {} of all {} elements hold the byte {:#04x} that memory was set to before the call, the first {}",
        scan.poisoned, output.elements, poison, element_name(output, scan.first_poisoned));
  if (scan.nonfinite > scan.poisoned)
    remark += fmt::format("; {} of all {} elements are not finite, the first {}", scan.nonfinite,
                          output.elements, element_name(output, scan.first_nonfinite));
  return remark;
}

std::string wrong_output(const problem::TensorInstance& output, const program::Comparison& found,
                         const program::Scan& scan, std::uint8_t poison) {
  std::string text = fmt::format("{} is {}, expected {}", element_name(output, found.at),
                                 number(output.dtype, found.got), expected_number(output.dtype, found));
  if (std::isfinite(found.worst))
    text += fmt::format(" within {:.4g}: {:.4g} times the limit", found.limit, found.worst);
  text += fmt::format("; {} of {} wrong", found.failed, counted(found.checked, "verified element"));
  return text + scan_remark(output, scan, poison);
}

std::string right_output(const problem::TensorInstance& output, const program::Comparison& found,
                         const program::Scan& scan, const std::string& excuse) {
  std::string excused =
      found.excused > 0 ? fmt::format(", {} of them excused by {}", found.excused, excuse) : "";
  if (scan.any > 0) excused += fmt::format("; {} of all {} may hold anything", scan.any, output.elements);
  if (found.at < 0 || found.worst == 0)
    return fmt::format("{}: no error in {}{}", output.name, counted(found.checked, "verified element"),
                       excused);
  return fmt::format("largest error {:.3g} of the limit at {}: {}, expected {} within {:.4g}; {} verified{}",
                     found.worst, element_name(output, found.at), number(output.dtype, found.got),
                     expected_number(output.dtype, found), found.limit, counted(found.checked, "element"),
                     excused);
}

std::string excuse_sentence(const problem::Reference& reference, const problem::Instance& instance,
                            const program::Comparison& found) {
  return fmt::format(
      "{}:{}: found {} to excuse {} of {} verified elements of {} in workload {}, expected at most 5 %; "
      "excuse "
      "near-ties only",
      reference.unless_at.file, reference.unless_at.line, reference.unless, found.excused, found.checked,
      reference.name, instance.workload);
}

std::string astray_sentence(const problem::Problem& problem, const problem::Instance& instance,
                            const program::Fault& fault, const std::string& range) {
  const std::string site = site_of(problem.references[static_cast<std::size_t>(fault.site)]);
  constexpr const char* by = "by a number that the contestant wrote";
  if (fault.kind == program::fault_division)
    return fmt::format("{} divides {} {} and that is 0, expected another", site, fault.index[0], by);
  if (fault.kind == program::fault_segment)
    return fmt::format(
        "{} looks for segment({}, {}) {}, expected one that the offsets hold", site,
        instance.structure[static_cast<std::size_t>(fault.target - program::structure_target)].name,
        fault.index[0], by);
  const std::string target = target_of(problem, instance, fault);
  if (fault.kind == program::fault_step)
    return fmt::format("{} calls {} before that step {}, expected an earlier one", site, target, by);
  if (fault.kind == program::fault_target)
    return fmt::format("{} scatters into {} {}, expected targets within {}", site, target, by, range);
  return fmt::format("{} reads {} {}, expected indices within {}", site, target, by, range);
}

std::string fault_sentence(const problem::Problem& problem, const problem::Instance& instance,
                           const program::Fault& fault, const std::string& range) {
  if (fault.site < 0) {
    const auto& tensor = instance.tensors[static_cast<std::size_t>(-1 - fault.site)];
    const auto& at = value_fills(problem, tensor.name).at(tensor.fill_number)->term.at;
    return divided_by_zero(fmt::format("{}:{}: found the fill of {}", at.file, at.line, tensor.name),
                           instance, fault);
  }
  const auto& site = problem.references[static_cast<std::size_t>(fault.site)];
  if (fault.kind == program::fault_limit) {
    const auto& output = instance.tensors[static_cast<std::size_t>(fault.target)];
    const auto& tolerance = problem.tensors[static_cast<std::size_t>(fault.target)].tolerance;
    const auto& at = tolerance.at;
    return fmt::format(
        "{}:{}: found the limit of {} in workload {} to be infinite or not a number{}, expected a finite "
        "one; "
        "state another tolerance or scale",
        at.file, at.line, element_name(output, fault.index[0]), instance.workload,
        tolerance.growth_by_index ? ", or its growth negative" : "");
  }
  if (fault.kind == program::fault_growth || fault.kind == program::fault_remainder ||
      fault.kind == program::fault_any || fault.kind == program::fault_any_remainder)
    return formula_sentence(problem, instance, fault);
  const std::string reference =
      fmt::format("{}:{}: found {}", site.term.at.file, site.term.at.line, site_of(site));
  if (fault.kind == program::fault_division) return divided_by_zero(reference, instance, fault);
  if (fault.kind == program::fault_value) return not_held(reference, instance, fault);
  if (fault.kind == program::fault_length)
    return fmt::format(
        "{} to sort a line of {} elements in workload {}, expected at most {}; state a larger `most` beside "
        "the range of {}",
        reference, fault.index[0], instance.workload, fault.target, site.over[0].name);
  if (fault.kind == program::fault_segment)
    return fmt::format(
        "{} to look for segment({}, {}) in workload {}, expected a number that the offsets hold", reference,
        instance.structure[static_cast<std::size_t>(fault.target - program::structure_target)].name,
        fault.index[0], instance.workload);
  if (fault.kind == program::fault_unassigned) {
    std::string element = fmt::format("element number {}", fault.index[0]);
    for (const auto& tensor : instance.tensors)
      if (tensor.name == site.name) element = element_name(tensor, fault.index[0]);
    return fmt::format("{} to leave {} unassigned in workload {}, expected out(…) = … for every element",
                       reference, element, instance.workload);
  }
  const std::string element = target_of(problem, instance, fault);
  if (fault.kind == program::fault_step)
    return fmt::format("{} to call {} before that step in workload {}, expected only earlier values of {}",
                       reference, element, instance.workload, site.index[site.along].name);
  if (fault.kind == program::fault_target)
    return fmt::format("{} to scatter into {} in workload {}, expected targets within {}; or a `where`",
                       reference, element, instance.workload, range);
  return fmt::format("{} to read {} in workload {}, expected indices within {}", reference, element,
                     instance.workload, range);
}

}  // namespace podium::judge
