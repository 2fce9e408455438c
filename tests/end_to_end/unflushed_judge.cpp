// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The CPU's judge, which leaves caches as they are: for tests that hold no time against expectations.
#include "backends/common/arguments.hpp"
#include "suite/judge/judge.hpp"
#include "tests/end_to_end/forwarding_device.hpp"

namespace podium {
namespace {

std::unique_ptr<device::Device> open(int ordinal) {
  return std::make_unique<test::UnflushedDevice>(device::open(ordinal));
}

}  // namespace
}  // namespace podium

int main(int argc, char** argv) {
  return podium::judge::serve(podium::number_argument(argc, argv, "--socket"), podium::open);
}
