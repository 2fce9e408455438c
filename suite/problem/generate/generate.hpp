// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The C++ that a problem turns into: the contestants' header, and the judge's program.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "suite/problem/model/instance.hpp"
#include "suite/problem/model/problem.hpp"

namespace podium::problem {

// <podium/NAME.hpp> for one choice of types: namespace problem with Workload, Arguments, dtype aliases,
// constants and `hash`. C++17; compiles with g++, nvcc and hipcc.
std::string contestant_header(const Problem& problem, const Choice& choice);

// Identifies the interface that contestant_header() declares; a plugin built against another one is refused.
std::string interface_hash(const Problem& problem, const Choice& choice);

// The same as JSON, for what is not compiled: `hash`, `types` (key: dtype), `axes`, `constants` (name:
// value), `parameters` ([name, whether whole]), `structure` ([name, dtype, rank]) and `tensors` ([name, role,
// dtype, rank]), each list in the order of the wire; ranks are those of a contestant's view.
nlohmann::json interface_of(const Problem& problem, const Choice& choice);

// Names of dtypes by key of `types`.
nlohmann::json types_of(const Choice& choice);
// Axes, parameters and constants of one workload by name, as Python gets them: whole ones as integers.
nlohmann::json numbers_of(const Problem& problem, const Instance& instance);

// The judge's program: fills, references, comparison, checks and scans as kernels over 8-byte words, the same
// text for NVRTC, hipcc and g++. Names are those of suite/judge/evaluator. Includes "podium_program.hpp"
// (suite/problem/program/), with #line back into the YAML. Self-contained but for that header.
std::string judge_program(const Problem& problem, const Choice& choice);

}  // namespace podium::problem
