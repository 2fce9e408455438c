// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A judge's surroundings, played from a recorded conversation: podium's end of its socket, workers that have
// said all they will ever say, and a device in whose memory their work is done at the last moment.
#pragma once
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "tests/fuzz/conversation.hpp"
#include "tests/judge/scripted_worker.hpp"

namespace podium::fuzz {

// What is said to the judge when it opens its device: there is one scene at a time.
class Scene {
 public:
  explicit Scene(const Conversation& conversation);
  ~Scene();
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  protocol::Channel judges_end();  // to be handed to it, once
  bool silent() const { return silent_; }
  void hang_up();  // of all that are silent: as podium ends workers whose time is over
  void drain();    // takes what the judge has said, to podium and to workers
  // Writes anything to the pages that workers share with the judge, as a worker may at any time; from any
  // thread.
  void scribble(std::mt19937& random);
  void scribbles() { scribbles_ = true; }  // from now on, too, whenever the judge works on its device
  void worked();
  int scribbled() const { return scribbled_; }
  void read(const void* from);  // by the judge: of the arena, what the last armed call computes is there now
  void arena(std::byte* at, std::size_t bytes) { arena_ = at, arena_bytes_ = bytes; }
  const std::vector<std::string>& answers() const { return answers_; }
  int requests() const { return requests_; }

 private:
  struct Actor {  // of one worker: its end of the socket
    Descriptor end;
    std::int64_t elements = 0;
    bool silent = false;
    std::uint32_t* page = nullptr;  // that it shares with the judge, once it has been introduced
  };
  void speak(const Conversation& conversation, const std::vector<std::vector<const Said*>>& words);
  void hear(Actor& actor, const std::string& bytes);
  Descriptor worker(const std::vector<const Said*>& words);
  void take_page(Actor& actor, const Descriptor& page);

  std::recursive_mutex mutex_;  // of what is heard, and of the pages
  Descriptor podium_;
  std::optional<protocol::Channel> judges_end_;
  std::vector<Actor> actors_;
  std::vector<std::string> answers_;
  std::byte* arena_ = nullptr;
  std::size_t arena_bytes_ = 0;
  std::optional<protocol::Arm> armed_;
  protocol::Arm captured_{};
  std::int64_t elements_ = 0;  // of the instance that was made last
  int requests_ = 0;
  bool silent_ = false, scribbles_ = false;
  int scribbled_ = 0;
  std::mt19937 random_;
};

// The device that a judge opens on the scene that there is.
std::unique_ptr<device::Device> open_scene(int ordinal);

// The problem of the recorded conversations, and its judge's program, compiled.
std::string scene_problem();
std::filesystem::path scene_program();

}  // namespace podium::fuzz
