// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// sample.yaml, a problem that uses most of the format, to be spoilt in one place at a time.
#pragma once
#include <gtest/gtest.h>

#include <string>

#include "suite/base/error.hpp"
#include "suite/problem/model/problem.hpp"
#include "suite/problem/parse/parse.hpp"
#include "suite/problem/yaml/yaml.hpp"
#include "tests/paths.hpp"

namespace podium::problem {

inline const std::string sample = yaml::read_file(test::source_dir() + "/tests/problem/sample.yaml");

inline std::string with(const std::string& from, const std::string& to) {
  std::string text = sample;
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  EXPECT_EQ(text.find(from, at + 1), std::string::npos) << "twice: " << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

inline std::string mistakes_of(const std::string& source) {
  try {
    parse("thing", source, "p.yaml");
    return "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::input);
    return error.what();
  }
}

}  // namespace podium::problem
