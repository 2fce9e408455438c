// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Damaged problem files: each is read, or refused with a sentence; nothing else happens, and soon.
#include <gtest/gtest.h>

#include <ctime>
#include <random>
#include <string>
#include <vector>

#include "suite/base/error.hpp"
#include "suite/problem/parse/parse.hpp"
#include "tests/paths.hpp"
#include "tests/problem/sample.hpp"

namespace podium::problem {
namespace {

#ifdef __SANITIZE_ADDRESS__
constexpr int mutations_per_file = 100;  // ten times slower
#else
constexpr int mutations_per_file = 600;
#endif

class Damage {
 public:
  std::string to(std::string text) {
    for (int edits = 1 + below(3); edits > 0 && !text.empty(); --edits) edit(text);
    return text;
  }

 private:
  int below(std::size_t n) { return static_cast<int>(random_() % n); }

  void edit(std::string& text) {
    static const std::vector<std::string> pieces{"{",
                                                 "}",
                                                 "[",
                                                 "]",
                                                 ":",
                                                 ": ",
                                                 ",",
                                                 "\"",
                                                 "'",
                                                 "\n",
                                                 "  ",
                                                 "- ",
                                                 "#",
                                                 "&a ",
                                                 "*a",
                                                 "!!x ",
                                                 "|\n",
                                                 ">\n",
                                                 "? ",
                                                 "---\n",
                                                 "%",
                                                 "0",
                                                 "-1",
                                                 "1e400",
                                                 "9007199254740993",
                                                 ".nan",
                                                 ".inf",
                                                 "0x",
                                                 "nothing",
                                                 "null",
                                                 "(",
                                                 ")",
                                                 "((((",
                                                 "^",
                                                 "=",
                                                 "i",
                                                 "n",
                                                 "rows",
                                                 "y",
                                                 "x",
                                                 "\xff",
                                                 std::string(1, '\0'),
                                                 "\xc3\xa4",
                                                 "\t",
                                                 "role: input, ",
                                                 "sqrt",
                                                 "eps(f16)",
                                                 "size(",
                                                 "{}",
                                                 "[]",
                                                 "~",
                                                 "\\"};
    const auto at = static_cast<std::size_t>(below(text.size()));
    const auto count = std::min<std::size_t>(static_cast<std::size_t>(1 + below(12)), text.size() - at);
    switch (below(5)) {
      case 0:
        text.erase(at, count);
        break;
      case 1:
        text.insert(at, pieces[static_cast<std::size_t>(below(pieces.size()))]);
        break;
      case 2:
        text.replace(at, count, pieces[static_cast<std::size_t>(below(pieces.size()))]);
        break;
      case 3:
        text.insert(static_cast<std::size_t>(below(text.size())), text.substr(at, count));
        break;
      default:
        swap_words(text);
        break;
    }
  }

  // Puts one of the file's own words in the place of another: the mistakes that people make.
  void swap_words(std::string& text) {
    const auto word = [&] {
      const auto start = text.find_first_of("abcdefghijklmnopqrstuvwxyz0123456789",
                                            static_cast<std::size_t>(below(text.size())));
      if (start == text.npos) return std::pair<std::size_t, std::size_t>{0, 0};
      return std::pair{start, std::min(text.find_first_of(" ,:{}[]()\"\n", start), text.size()) - start};
    };
    const auto [from, bytes] = word();
    const std::string piece = text.substr(from, bytes);
    const auto [to, replaced] = word();
    text.replace(to, replaced, piece);
  }

  std::mt19937 random_{20240607};  // the same files every time
};

TEST(Mutations, AreReadOrRefused) {
  std::vector<std::string> sources{sample};
  for (const Problem& problem : load_all(test::source_dir() + "/kernels")) sources.push_back(problem.source);
  Damage damage;
  int read = 0, refused = 0;
  const std::clock_t start = std::clock();  // of this process: others may be busy
  for (const std::string& source : sources) {
    for (int i = 0; i < mutations_per_file; ++i) {
      const std::string text = damage.to(source);
      try {
        parse("thing", text, "p.yaml");
        ++read;
      } catch (const Error& error) {
        ++refused;
        ASSERT_EQ(std::string(error.what()).rfind("p.yaml:", 0), 0u) << error.what() << "\n" << text;
      } catch (const std::exception& error) {
        FAIL() << error.what() << "\n" << text;
      }
    }
  }
  EXPECT_LT(std::clock() - start, 2 * CLOCKS_PER_SEC * static_cast<std::clock_t>(sources.size()));
  EXPECT_GT(read, mutations_per_file / 4);  // harmless ones: in titles, comments, numbers
  EXPECT_GT(refused, 2 * mutations_per_file);
}

}  // namespace
}  // namespace podium::problem
