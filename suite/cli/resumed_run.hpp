// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// `podium run --resume`: a run on disk, what it lacks, and its record from now on.
#pragma once
#include <filesystem>
#include <memory>
#include <vector>

#include "suite/cli/request.hpp"
#include "suite/compile/toolchain.hpp"
#include "suite/contest/rest.hpp"
#include "suite/record/record.hpp"

namespace podium::cli {

class ResumedRun {
 public:
  // Reads the run, and keeps others from writing it. Throws podium::Error: there is none, another process
  // writes it, or it is too old to be resumed.
  explicit ResumedRun(const std::filesystem::path& folder);

  // More than were planned. Throws podium::Error: fewer.
  void add_rounds(int rounds);
  // Ask for what the run was asked for.
  void complete(RunRequest& request) const;
  void complete(contest::Selection& selection, contest::RunOptions& options) const;

  // Leaves in `plan` what is still to be measured; false: nothing. What was not found is told on standard
  // error. Throws podium::Error if a problem has changed.
  bool plan_rest(contest::Plan& plan);
  // Throws podium::Error unless device, driver, compilers and sandbox are those of the run.
  void require_same(const protocol::Opened& device, const compile::Toolchain& toolchain) const;

  // The run's provenance with a new segment, which `now` describes.
  record::Provenance begin(const record::Provenance& now);
  std::unique_ptr<record::Writer> writer(const record::Provenance& provenance);
  int segment() const { return segment_; }                                // the new one's number
  const std::vector<record::Entry>& entries() const { return entries_; }  // of before, that count
  const std::vector<record::Entry>& set_aside() const { return set_aside_; }
  // Adds the boards and contestants of the run that are not measured now.
  void add_others(record::Provenance& provenance) const;
  // `provenance` has what was spent by this segment: adds that of those before.
  void end(record::Provenance& provenance) const;

 private:
  std::filesystem::path folder_;
  Descriptor claimed_;
  record::Provenance on_record_;
  std::vector<nlohmann::json> lines_;
  std::vector<record::Entry> entries_, set_aside_;
  contest::Rest rest_;
  int segment_ = 0;
};

}  // namespace podium::cli
