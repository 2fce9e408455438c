// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/scene.hpp"
#include "tests/paths.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstring>
#include <filesystem>
#include <map>
#include <span>

#include "tests/fuzz/promises.hpp"

namespace podium::fuzz {
namespace {

Scene* playing = nullptr;

bool say(int socket, const std::string& bytes, std::span<const int> descriptors = {}) {
  iovec part{const_cast<char*>(bytes.data()), bytes.size()};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * 4)> control{};
  if (!descriptors.empty()) {
    message.msg_control = control.data();
    message.msg_controllen = CMSG_SPACE(descriptors.size_bytes());
    cmsghdr* const c = CMSG_FIRSTHDR(&message);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(descriptors.size_bytes());
    std::memcpy(CMSG_DATA(c), descriptors.data(), descriptors.size_bytes());
  }
  return sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT) >= 0;
}

// `descriptor`: the first that came along, if any.
std::string heard(int socket, Descriptor* descriptor = nullptr) {
  std::array<char, 2 * protocol::max_message> bytes;
  iovec part{bytes.data(), bytes.size()};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * 4)> control{};
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  const ssize_t got = recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  if (const cmsghdr* const c = CMSG_FIRSTHDR(&message); got > 0 && c && c->cmsg_type == SCM_RIGHTS) {
    const std::size_t count = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t k = 0; k < count; ++k) {
      int each = -1;
      std::memcpy(&each, CMSG_DATA(c) + k * sizeof each, sizeof each);
      Descriptor owned(each);
      if (k == 0 && descriptor) *descriptor = std::move(owned);
    }
  }
  return {bytes.data(), got > 0 ? static_cast<std::size_t>(got) : 0};
}

Descriptor file_of(const std::string& text) {
  Descriptor file(memfd_create("scene", MFD_CLOEXEC));
  if (write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()))
    throw std::runtime_error("no file in memory");
  return file;
}

class SceneProgram : public device::Program {
 public:
  void run(std::string_view kernel, std::span<const std::uint64_t> words, int groups) override {
    static judge::DoubleProgram program(scene_program());
    program.run(kernel, words, groups);
  }
};

class SceneArena : public judge::SharedArena {
 public:
  using SharedArena::SharedArena;
  ~SceneArena() override {
    if (playing) playing->arena(nullptr, 0);
  }
};

class SceneDevice : public judge::DoubleDevice {
 public:
  SceneDevice() {
    description_ = {.backend = "host",
                    .product = "scene",
                    .architecture = "none",
                    .driver = "",
                    .pci = "",
                    .memory = 1 << 30,
                    .last_level_cache = 1 << 20,
                    .multiprocessors = 1,
                    .warp = 1};
  }
  const device::Description& description() const override { return description_; }
  std::unique_ptr<device::Arena> share(std::size_t bytes) override {
    auto arena = std::make_unique<SceneArena>(bytes);
    playing->arena(arena->data(), bytes);
    return arena;
  }
  std::unique_ptr<device::Program> load(int object) override {
    if (fcntl(object, F_GETFD) < 0) throw Error("the program's descriptor cannot be read");
    return std::make_unique<SceneProgram>();
  }
  void copy(void* to, const void* from, std::size_t bytes) override {
    playing->worked();
    playing->read(from);
    DoubleDevice::copy(to, from, bytes);
  }
  void set(void* at, std::uint8_t value, std::size_t bytes) override {
    playing->worked();
    DoubleDevice::set(at, value, bytes);
  }
  void flush_caches() override {
    playing->worked();
    DoubleDevice::flush_caches();
  }
  bool spins() const override { return true; }

 private:
  device::Description description_;
};

}  // namespace

namespace fs = std::filesystem;

std::string scene_problem() {
  return judge::contents(fs::path(test::source_dir()) / "tests/faults/problems/doubling/problem.yaml");
}

fs::path scene_program() {
  static const fs::path program = [] {
    const auto problem = problem::parse("doubling", scene_problem(), "problem.yaml");
    return judge::compile_program(problem::judge_program(problem, problem.choices.at(0)));
  }();
  return program;
}

std::unique_ptr<device::Device> open_scene(int) { return std::make_unique<SceneDevice>(); }

// Whose words are whose: those after a worker was handed over, or begun with, are its own.
Scene::Scene(const Conversation& conversation) {
  auto [judges, podiums] = protocol::socket_pair();
  judges_end_.emplace(std::move(judges));
  podium_ = std::move(podiums);
  playing = this;

  std::vector<std::vector<const Said*>> words;  // of each worker, in the order in which they are handed over
  std::map<std::int32_t, std::size_t> by_number;
  std::size_t current = 0;
  for (const Said& said : conversation) {
    if (said.by == Side::worker && current < words.size()) words[current].push_back(&said);
    if (said.by != Side::podium) continue;
    if (said.type() == protocol::Type::worker) {
      current = words.size();
      words.emplace_back();
      if (const auto* worker = said.as<protocol::AddWorker>()) by_number[worker->worker] = current;
    } else if (const auto* begin = said.as<protocol::Begin>(); begin && by_number.contains(begin->worker)) {
      current = by_number[begin->worker];
    }
  }
  speak(conversation, words);
}

Scene::~Scene() {
  playing = nullptr;
  for (const Actor& actor : actors_)
    if (actor.page) munmap(actor.page, device::page_bytes);
}

void Scene::speak(const Conversation& conversation, const std::vector<std::vector<const Said*>>& words) {
  static const Descriptor yaml = file_of(scene_problem()), object = file_of("");
  std::size_t handed = 0;
  for (const Said& said : conversation) {
    if (said.by != Side::podium || said.silence()) continue;
    std::string bytes = said.bytes;
    std::vector<int> descriptors;
    Descriptor worker;
    if (said.type() == protocol::Type::worker) {
      worker = this->worker(words.at(handed++));
      descriptors = {worker.get()};
      if (said.as<protocol::AddWorker>()) {  // no process: nobody is to be stopped or ended
        std::memset(bytes.data() + offsetof(protocol::AddWorker, pid), 0, sizeof(protocol::AddWorker::pid));
        std::memset(bytes.data() + offsetof(protocol::AddWorker, uid), 0, sizeof(protocol::AddWorker::uid));
      }
    } else if (said.type() == protocol::Type::problem || said.type() == protocol::Type::load_calibration) {
      descriptors = {yaml.get(), object.get()};
    }
    if (!say(podium_.get(), bytes, descriptors)) break;
    ++requests_;
  }
  shutdown(podium_.get(), SHUT_WR);
}

// The judge's end of a worker's socket, into which it has said everything.
Descriptor Scene::worker(const std::vector<const Said*>& words) {
  auto [judges, workers] = protocol::socket_pair();
  Actor actor{.end = std::move(workers)};
  for (const Said* said : words) {
    actor.silent = said->silence();
    if (actor.silent || !say(actor.end.get(), said->bytes)) break;
  }
  if (!actor.silent) shutdown(actor.end.get(), SHUT_WR);
  silent_ = silent_ || actor.silent;
  actors_.push_back(std::move(actor));
  return std::move(judges);
}

protocol::Channel Scene::judges_end() { return std::move(*judges_end_); }

void Scene::hang_up() {
  for (const Actor& actor : actors_)
    if (actor.silent) shutdown(actor.end.get(), SHUT_WR);
}

void Scene::drain() {
  const std::lock_guard lock(mutex_);
  for (std::string bytes; !(bytes = heard(podium_.get())).empty();) answers_.push_back(std::move(bytes));
  for (Actor& actor : actors_) {
    Descriptor first;
    for (std::string bytes; !(bytes = heard(actor.end.get(), &first)).empty();) {
      hear(actor, bytes);
      if (first && Said{Side::judge, bytes}.as<protocol::Setup>()) take_page(actor, first);
      first.reset();
    }
  }
}

void Scene::take_page(Actor& actor, const Descriptor& page) {
  expect(ftruncate(page.get(), 0) != 0, "the shared page can be taken away under the judge");
  void* const at = mmap(nullptr, device::page_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, page.get(), 0);
  if (at != MAP_FAILED && !actor.page) actor.page = static_cast<std::uint32_t*>(at);
}

void Scene::scribble(std::mt19937& random) {
  const std::lock_guard lock(mutex_);
  drain();
  constexpr std::size_t words = device::page_bytes / sizeof(std::uint32_t);
  constexpr std::array<std::uint32_t, 4> likely{0, 1, 2, ~0U};
  for (const Actor& actor : actors_) {
    if (!actor.page) continue;
    // Most of the time the two that have a meaning.
    for (const std::size_t at : {std::size_t{0}, std::size_t{1}, random() % words}) {
      const std::uint32_t value = random() % 2 ? likely[random() % likely.size()] : std::uint32_t(random());
      std::atomic_ref(actor.page[at]).store(value, std::memory_order_relaxed);
      ++scribbled_;
    }
  }
}

void Scene::hear(Actor& actor, const std::string& bytes) {
  const Said said{Side::judge, bytes};
  if (const auto* create = said.as<protocol::Create>()) actor.elements = create->tensors[0].extents[0];
  if (const auto* arm = said.as<protocol::Arm>()) {
    armed_ = *arm;
    elements_ = actor.elements;
    if (arm->launch == protocol::Launch::capture) captured_ = *arm;
    if (arm->launch == protocol::Launch::replay) armed_ = captured_;
  }
}

void Scene::worked() {
  if (scribbles_) scribble(random_);
}

void Scene::read(const void* from) {
  const std::lock_guard lock(mutex_);
  const auto* at = static_cast<const std::byte*>(from);
  if (!arena_ || at < arena_ || at >= arena_ + arena_bytes_) return;
  drain();
  if (!armed_) return;
  for (int call = 0; call < armed_->calls; ++call) {
    const auto* x = reinterpret_cast<const float*>(arena_ + armed_->offsets[call][0]);
    auto* y = reinterpret_cast<float*>(arena_ + armed_->offsets[call][1]);
    for (std::int64_t i = 0; i < elements_; ++i) y[i] = 2 * x[i];
  }
  armed_.reset();
}

}  // namespace podium::fuzz
