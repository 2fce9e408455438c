// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What is left to do of a run that was begun before: whole rounds on record count, and what is left of the
// others is set aside. docs/results.md has the rules.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "suite/contest/plan.hpp"
#include "suite/record/provenance.hpp"
#include "suite/record/record.hpp"

namespace podium::contest {

struct Rest {
  std::vector<BoardPlan> boards;                   // with all that is still to be measured
  std::vector<record::BoardRecord> records;        // of all boards, with the contestants of each from now on
  std::vector<record::ContestantRecord> replaced;  // those that have changed, as they were
  std::vector<std::string> set_aside;              // by entry: why it does not count; "": it does
  std::vector<std::string> missing;                // contestants that are no longer there
};

// `plan`: of all problems on record, as they are now. `entries`: all lines, in order. `changed`: whether a
// contestant is another one than on record. Throws podium::Error if a problem is another one.
using Changed = std::function<bool(const Entrant&, const record::ContestantRecord&)>;
Rest rest_of(const Plan& plan, const record::Provenance& on_record, const std::vector<record::Entry>& entries,
             const Changed& changed);

}  // namespace podium::contest
