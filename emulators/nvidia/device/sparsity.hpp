// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Structured sparsity of A (PTX ISA 9.7.14.6.1, 9.7.15.6): half of a row's elements are stored, and metadata
// says which. Four bits stand for each chunk of a row.
#pragma once
#include <vector>

#include "emulators/nvidia/device/thread.hpp"

namespace podium::ptx {

struct GpuThread;

enum class Sparsity {
  one_of_two,         // tf32: 0b0100 stands for the first element, 0b1110 for the second
  two_of_four,        // 16 and 8 bits, bytes: two bits a number, the first stored element's in the low ones
  two_pairs_of_four,  // 4 bits: likewise, of pairs of neighbours
};
inline u32 chunk_of(Sparsity how) {
  return how == Sparsity::one_of_two ? 2 : how == Sparsity::two_of_four ? 4 : 8;
}

struct Metadata {
  Sparsity how;
  bool wide;     // elements of 16 or 32 bits
  u32 k;         // of a row, with the elements that are not stored
  bool ordered;  // .sp::ordered_metadata: the numbers of a chunk rise
  u32 selector;  // which lanes of four hold it
};

// Of each of a warp's 16 rows, where the k / 2 stored elements stand. `words`: a register of each lane.
using StoredPlaces = std::vector<std::vector<u32>>;
StoredPlaces stored_places(GpuThread&, int line, const char* what, const Metadata&, const u32* words);

// The chunks' places out of their bits, or nothing where the ISA has no such bits.
bool append_places(std::vector<u32>& places, Sparsity how, bool ordered, u32 chunk, u32 bits);

}  // namespace podium::ptx
