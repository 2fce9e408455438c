// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Writes libFuzzer's dictionary, the words of the format's tables, to the file that it is given.
#include <fstream>

#include "tests/fuzz/mutator.hpp"

int main(int, char** arguments) {
  std::ofstream file(arguments[1]);
  for (const std::string& word : podium::fuzz::format_words()) file << '"' << word << "\"\n";
  return file.flush() ? 0 : 1;
}
