// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A sealed contestant as its worker gets it, in place of a shared library: code objects, and for every
// workload the launches as plain numbers. podium writes it and our own worker reads it; the contestant's code
// is in the code objects alone.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace podium::protocol {

struct SealedProgram {
  struct Argument {
    enum class Kind : std::int32_t { tensor, structure, scratch, number };  // the first three: an address
    Kind kind = Kind::number;
    std::int32_t index = 0;  // of tensor, structure or scratch, in the order of Create, Structures, `scratch`
    std::int32_t bytes = 8;  // of the argument: at most 8
    std::uint64_t bits = 0;  // number: little-endian
  };
  struct Launch {
    std::int32_t code = 0;  // index into SealedProgram::code
    std::string kernel;
    std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
    std::uint32_t shared = 0;  // bytes of dynamic shared memory
    std::vector<Argument> arguments;
    bool operator==(const Launch&) const = default;
  };
  struct List {  // of the workloads with these axes and parameters, as Create has them
    std::vector<std::int64_t> axes;
    std::vector<double> parameters;
    std::vector<std::uint64_t> scratch;  // bytes of each allocation
    std::vector<Launch> prepare;         // once, when an instance is made
    std::vector<Launch> launches;        // each call
  };
  std::string hash;               // of the problem's interface, as plugins have it
  std::vector<std::string> code;  // bytes
  std::vector<List> lists;

  // nullptr if there is none.
  const List* find(const std::vector<std::int64_t>& axes, const std::vector<double>& parameters) const;
};
inline bool operator==(const SealedProgram::Argument& a, const SealedProgram::Argument& b) {
  return a.kind == b.kind && a.index == b.index && a.bytes == b.bytes && a.bits == b.bits;
}

std::string pack(const SealedProgram& program);
bool is_sealed_program(std::string_view bytes);
// Throws podium::Error if it is not whole, or of another version.
SealedProgram unpack(std::string_view bytes);

}  // namespace podium::protocol
