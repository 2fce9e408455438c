// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What must hold of every sentence and of every generated text.
#pragma once
#include <string>

namespace podium::fuzz {

// Throws std::logic_error with `otherwise`.
void expect(bool holds, const std::string& otherwise);

// `text` consists of sentences "file:line: …", one a line, in UTF-8, about lines that `source` has.
void expect_sentences(const std::string& text, const std::string& source);

// Generated C++: UTF-8, and no comment that swallows the line below it.
void expect_text(const std::string& text);

}  // namespace podium::fuzz
