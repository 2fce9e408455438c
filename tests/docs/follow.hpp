// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Follows a document as a reader does, in a scratch checkout: a block whose first line names a file,
// "# kernels/…" or "// kernels/…", is that file; a block of shell is run; a block of text behind it is what
// it prints.
#pragma once
#include <string>
#include <vector>

#include "tests/docs/blocks.hpp"
#include "tests/end_to_end/command.hpp"

namespace podium::docs {

// The path that a block's first line names; "" if none.
std::string file_of(const Block& block);

// Whether `output` holds the lines of `shown` in their order. "…" stands for anything, also for whole lines.
// `about`: numbers and units of time may differ. The first line that is missing, or "".
std::string line_missing(const std::string& output, const std::string& shown, bool about);

// A checkout as far as the documents use one: kernels/, and scripts/podium with the program built already.
class Checkout {
 public:
  Checkout();

  // Writes the files and runs the shell of these blocks, in order. What went wrong: sentences with the place.
  // A block of shell marked `fails` ends with exit status 1, others with 0; a block of text marked `about` is
  // compared without numbers.
  std::vector<std::string> follow(const Document& document, const std::vector<Block>& blocks);

  struct Ran {
    int status;
    std::string output;  // stdout and stderr
  };
  Ran run(const std::string& commands) const;
  const std::filesystem::path& path() const { return scratch_.path(); }
  void write(const Block& block) const;

 private:
  test::Scratch scratch_;
};

}  // namespace podium::docs
