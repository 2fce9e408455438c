// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The groups of a launch: a few at a time are resident, and their waves take turns.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "emulators/amd/runtime/launch.hpp"
#include "emulators/amd/runtime/mailbox.hpp"

namespace podium::amd {

class Groups {
 public:
  Groups(const Launch& launch, const Translation& translation, emulation::Allocations& allocations);
  ~Groups();
  Groups(const Groups&) = delete;
  Groups& operator=(const Groups&) = delete;

  std::string run();  // "" or the sentence

 private:
  enum class State : std::uint8_t { ready, waiting, ended };
  struct Resident {
    Group group{};
    std::array<std::uint32_t, 3> id{};
    std::vector<std::unique_ptr<Wave>> waves;
    std::vector<State> states;
    std::vector<std::uint8_t> lds, scratch;
    std::vector<LdsByte> marks;
    bool busy = false;
  };

  void begin(Resident& resident, std::uint64_t number);
  void begin(Resident& resident, Wave& wave, std::uint32_t index);
  std::uint32_t user_registers(Wave& wave) const;
  bool turn(Resident& resident);  // each wave once; whether one did more than wait
  bool serve();                   // what they ask of the host; whether they did
  std::uint64_t state() const;    // of all waves, as a number
  std::string describe(const Resident& resident, const Fault& fault) const;
  std::string what(const Resident& resident, const Fault& fault) const;
  std::string instruction(std::uint64_t pc) const;
  std::string stuck() const;

  struct Spare {
    std::mutex mutex;
    std::vector<Resident> residents;
  };
  static Spare& spare();

  const Launch& launch_;
  Translation translation_;
  emulation::Allocations& allocations_;
  Mailbox& mailbox_;
  std::vector<Resident> resident_;
  std::byte* arguments_ = nullptr;  // the kernel's, then the packet that dispatches it
  std::size_t argument_bytes_ = 0;
  std::uint32_t threads_, wave_count_, lds_bytes_;
  std::uint64_t writes_ = 0;
};

}  // namespace podium::amd
