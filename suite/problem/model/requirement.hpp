// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Whether a device is one that a problem says it runs on: `requires: { backends, features, architectures }`.
#pragma once
#include <string>
#include <vector>

#include "suite/problem/model/problem.hpp"

namespace podium::problem {

// The input formats of the matrix units of a device of `architecture` ("sm_90", "gfx942:sramecc+"), as words
// of the list `feature`; none of a CPU, and none of an architecture that is not in the vendors' tables.
//
// Sources: NVIDIA, PTX ISA, "Target ISA notes" of mma, wgmma and tcgen05.mma; AMD, the instruction set
// architectures of CDNA 1 to 4 and RDNA 3 and 4, their matrix instructions (MFMA, WMMA).
std::vector<std::string> features_of(const std::string& architecture);

// Why the problem does not run on a device of that backend and architecture ("" on the host): a sentence with
// its place; "" if it runs.
std::string unmet(const Problem& problem, const std::string& backend, const std::string& architecture);

// Why neither the CPU nor any device whose formats are known, or that the file names, meets all requirements;
// "" if one does. Without a place: the key requires is to blame.
std::string runs_nowhere(const Problem& problem);

}  // namespace podium::problem
