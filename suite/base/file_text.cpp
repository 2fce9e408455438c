// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/base/file_text.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <new>
#include <stdexcept>

#include "suite/base/error.hpp"

namespace podium {
namespace {

namespace fs = std::filesystem;

const char* kind_of(fs::file_type type) {
  switch (type) {
    case fs::file_type::directory:
      return "a folder";
    case fs::file_type::fifo:
      return "a FIFO";
    case fs::file_type::socket:
      return "a socket";
    case fs::file_type::character:
    case fs::file_type::block:
      return "a device";
    default:
      return "something else";
  }
}

}  // namespace

std::string text_of(const fs::path& file) {
  std::error_code unknown;
  if (!fs::is_regular_file(file, unknown)) return "";  // a FIFO would be waited for
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string whole_text_of(const fs::path& file) {
  const auto refuse = [&](const std::string& why) {
    throw Error(fmt::format("{}: cannot be read: {}", file.string(), why));
  };
  std::error_code error;
  const auto type = fs::status(file, error).type();
  if (error && type != fs::file_type::not_found) refuse(error.message());
  if (type == fs::file_type::not_found) refuse("there is no such file");
  if (type != fs::file_type::regular) refuse(fmt::format("found {}, expected a file", kind_of(type)));
  const auto bytes = fs::file_size(file, error);
  if (error) refuse(error.message());
  std::string text;
  try {
    text.resize(bytes);
  } catch (const std::exception&) {  // std::bad_alloc, std::length_error
    refuse(fmt::format("its {} bytes do not fit into memory", bytes));
  }
  std::ifstream in(file, std::ios::binary);
  if (!in.read(text.data(), static_cast<std::streamsize>(text.size()))) refuse(std::strerror(errno));
  return text;
}

}  // namespace podium
