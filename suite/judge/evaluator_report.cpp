// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/judge/evaluator_report.hpp"

#include <fmt/format.h>

#include <cmath>

#include "suite/problem/program/numbers.hpp"

namespace podium::judge {
namespace {

std::string coordinates(const std::int64_t* index, std::size_t rank) {
  return rank == 0 ? "" : fmt::format("[{}]", fmt::join(index, index + rank, ", "));
}

std::string real(double value, problem::Dtype dtype) {
  return dtype == problem::Dtype::f64 ? fmt::format("{:.17g}", value) : fmt::format("{:.9g}", value);
}

// What a term read out of range, with its indices.
std::string target_of(const problem::Problem& problem, const problem::Instance& instance,
                      const program::Fault& fault) {
  const bool tensor = fault.target >= 0;
  const auto target = static_cast<std::size_t>(tensor ? fault.target : -1 - fault.target);
  const std::string& name = tensor ? instance.tensors[target].name : problem.references[target].name;
  const std::size_t rank =
      tensor ? instance.tensors[target].extents.size() : problem.references[target].index.size();
  const std::vector<std::int64_t> index(fault.index, fault.index + rank);
  return name + coordinates(index.data(), rank);
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
  switch (dtype) {
    case Dtype::f32:
      return real(program::float_of(low32), dtype);
    case Dtype::f16:
      return real(program::widen(program::f16{low16}), dtype);
    case Dtype::bf16:
      return real(program::widen(program::bf16{low16}), dtype);
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
  text += fmt::format("; {} of {} verified elements are wrong", found.failed, found.checked);
  return text + scan_remark(output, scan, poison);
}

std::string right_output(const problem::TensorInstance& output, const program::Comparison& found,
                         const std::string& excuse) {
  const std::string excused =
      found.excused > 0 ? fmt::format(", {} of them excused by {}", found.excused, excuse) : "";
  if (found.at < 0 || found.worst == 0)
    return fmt::format("{}: no error in {} verified elements{}", output.name, found.checked, excused);
  return fmt::format(
      "largest error {:.3g} of the limit at {}: {}, expected {} within {:.4g}; {} elements verified{}",
      found.worst, element_name(output, found.at), number(output.dtype, found.got),
      expected_number(output.dtype, found), found.limit, found.checked, excused);
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
  return fmt::format("{} reads {} by a number that the contestant wrote, expected indices within {}",
                     site_of(problem.references[static_cast<std::size_t>(fault.site)]),
                     target_of(problem, instance, fault), range);
}

std::string fault_sentence(const problem::Problem& problem, const problem::Instance& instance,
                           const program::Fault& fault, const std::string& range) {
  const auto& site = problem.references[static_cast<std::size_t>(fault.site)];
  if (fault.kind == program::fault_limit) {
    const auto& output = instance.tensors[static_cast<std::size_t>(fault.target)];
    const auto& at = problem.tensors[static_cast<std::size_t>(fault.target)].tolerance.at;
    return fmt::format(
        "{}:{}: found the limit of {} in workload {} to be infinite or not a number, expected a finite one; "
        "state another tolerance or scale",
        at.file, at.line, element_name(output, fault.index[0]), instance.workload);
  }
  return fmt::format("{}:{}: found {} to read {} in workload {}, expected indices within {}",
                     site.term.at.file, site.term.at.line, site_of(site), target_of(problem, instance, fault),
                     instance.workload, range);
}

}  // namespace podium::judge
