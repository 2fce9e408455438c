// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What stands between a worker and the rest of the machine, and which of it this machine grants.
#pragma once
#include <sys/types.h>

#include <array>
#include <bitset>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace podium::sandbox {

enum class Means : std::uint8_t {
  uid,
  seccomp,
  network,
  ipc,
  mounts,
  landlock,
  processes,
  one_device,
  hold,
  memory
};
inline constexpr std::array all_means = {Means::uid,    Means::seccomp,  Means::network,   Means::ipc,
                                         Means::mounts, Means::landlock, Means::processes, Means::one_device,
                                         Means::hold,   Means::memory};
// As records name it: "uid", "seccomp", "network namespace" ...
std::string_view name_of(Means means);

class MeansSet {
 public:
  bool has(Means means) const { return bits_[static_cast<std::size_t>(means)]; }
  void set(Means means, bool held = true) { bits_[static_cast<std::size_t>(means)] = held; }
  bool operator==(const MeansSet&) const = default;

 private:
  std::bitset<all_means.size()> bits_;
};

struct Grant {
  Means means{};
  bool held = false;
  std::string detail;  // where it holds, how: may be empty; else why it does not
};

// What this machine grants podium's workers. Each means is tried once, in a process of its own, in the very
// way in which a worker is started. PODIUM_SANDBOX_WITHOUT, a list of names with commas, leaves some out;
// podium::Error if it names none.
const std::vector<Grant>& grants();
MeansSet granted();
bool is_left_out(Means means);  // by PODIUM_SANDBOX_WITHOUT

// What a worker or a compiler may not do.
struct Sandbox {
  std::optional<uid_t> uid;              // another user than podium's; nothing: podium's own
  std::int64_t file_bytes = 64 << 20;    // largest file it may write
  std::int64_t scratch_bytes = 1 << 30;  // of /tmp and of /dev/shm, each, where they are its own
  std::int64_t memory_bytes = 0;         // of all its processes, by Means::memory; 0: no limit
  MeansSet means = granted();            // `uid` follows from the field above
  std::vector<std::string> kept{};       // folders that it can read even where it has a /tmp of its own
  std::vector<std::string> hidden{};     // files of devices that it cannot open, by Means::one_device
  std::vector<std::string> covered{};    // folders that it finds empty, by Means::mounts
  // Of a compiler: files and folders that alone it can read, by Means::mounts or Means::landlock. Empty: all
  // that its user may read.
  std::vector<std::string> readable{};
  // Of a rank of a group, by Means::network: it has a network of its own, loopback alone. `beside`: the first
  // rank, whose namespaces it joins; 0: it is that itself.
  bool loopback = false;
  pid_t beside = 0;
  std::string folder{};  // its user's, for all that it writes; empty: it gets one of its own

  bool hides() const { return means.has(Means::one_device) && !hidden.empty(); }
};

// Whether a process so confined, as another user than podium's or not, cannot leave its control group.
bool keeps_groups(const MeansSet& means, bool other_user);

// Whether a leaderboard may rest on a worker so confined: the judge out of reach, by user and by system call.
bool attested(const MeansSet& means);
// The sentence for --require-sandbox: what a leaderboard needs and this machine does not grant. Empty: it
// grants all.
std::string lacking(const std::vector<Grant>& grants);

// For `podium doctor`, of each means: what it does where it holds, or what is open without it and how to get
// it.
std::string_view effect_of(Means means);
std::string_view advice_on(Means means);

}  // namespace podium::sandbox
