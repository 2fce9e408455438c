// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Products that are programs of an interpreter, and interpreters that are none.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include "suite/base/descriptor.hpp"
#include "suite/compile/interpreter.hpp"
#include "tests/compile/workshop.hpp"

namespace podium::compile {
namespace {

using testing::HasSubstr;

struct Interpreted : testing::Test {
  Folder folder;

  std::filesystem::path named_in(const std::string& text) {
    const Descriptor file(open(folder.write("product", text).c_str(), O_RDONLY | O_CLOEXEC));
    return interpreter_of(file.get());
  }
};

TEST_F(Interpreted, TheFirstLineNamesTheInterpreter) {
  EXPECT_EQ(named_in("#!/a/bin/python3\nserve()\n"), "/a/bin/python3");
  EXPECT_EQ(named_in("\x7f"
                     "ELF\n"),
            "");
  EXPECT_EQ(named_in("#!/without/an/end"), "");
  EXPECT_EQ(named_in(""), "");
}

TEST_F(Interpreted, WhatIsNoPythonIsAFault) {
  EXPECT_THAT(interpreter_at("/nowhere/python3").fault, HasSubstr("/nowhere/python3 is not a Python 3.10"));
  EXPECT_THAT(interpreter_at("/bin/true").fault, HasSubstr("/bin/true is not a Python 3.10"));
}

TEST_F(Interpreted, TheVariableComesBeforeWhatCMakeFound) {
  Toolchain tools;
  tools.backends["host"].needs["python"] = {
      .found = false, .version = "", .compile = {}, .link = {}, .hint = "x"};
  tools.backends["other"] = {};
  unsetenv("PODIUM_PYTHON");
  choose_interpreter(tools);
  EXPECT_FALSE(tools.backends["host"].needs["python"].found);
  setenv("PODIUM_PYTHON", "/a/python3", 1);
  choose_interpreter(tools);
  unsetenv("PODIUM_PYTHON");
  EXPECT_TRUE(tools.backends["host"].needs["python"].found);
  EXPECT_EQ(tools.backends["host"].needs["python"].compile, std::vector<std::string>{"/a/python3"});
  EXPECT_TRUE(tools.backends["other"].needs.empty());
}

}  // namespace
}  // namespace podium::compile
