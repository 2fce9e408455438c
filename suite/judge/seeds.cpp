// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/judge/seeds.hpp"

#include <fmt/format.h>
#include <openssl/sha.h>
#include <sys/random.h>

#include <cstring>

#include "suite/base/error.hpp"

namespace podium::judge {
namespace {

std::uint64_t digest_of(const std::string& text) {
  unsigned char digest[SHA256_DIGEST_LENGTH];
  SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest);
  std::uint64_t seed;
  std::memcpy(&seed, digest, sizeof seed);
  return seed;
}

}  // namespace

Secret draw_secret() {
  Secret secret;
  if (getrandom(secret.data(), sizeof secret, 0) != static_cast<ssize_t>(sizeof secret))
    throw Error("getrandom failed: this run's seeds need a secret");
  return secret;
}

std::uint64_t seed_of(const Secret& secret, std::string_view purpose, const SampleName& name) {
  return digest_of(fmt::format("{:016x}{:016x}|{}|{}|{}|{}|{}|{}|{}", secret[0], secret[1], purpose,
                               name.problem, name.types, name.workload, name.round, name.index, name.owner));
}

std::uint64_t seed_of(std::uint64_t call, std::string_view purpose) {
  return digest_of(fmt::format("{:016x}|{}", call, purpose));
}

}  // namespace podium::judge
