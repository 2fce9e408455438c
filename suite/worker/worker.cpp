// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/worker/worker.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <vector>

#include "suite/device/pass_gate.hpp"
#include "suite/protocol/channel.hpp"
#include "suite/worker/plugin.hpp"

namespace podium::worker {
namespace {

using protocol::Verdict;

class Worker {
 public:
  Worker(protocol::Channel judge, Loader load, Opener open)
      : judge_(std::move(judge)), load_(std::move(load)), open_(std::move(open)) {}

  void serve() {
    for (bool more = true; more;) {
      const protocol::Packet packet = std::move(*judge_.receive());
      try {
        more = answer(packet);
      } catch (const Failure& e) {
        fail(e.verdict(), e.what());
      } catch (const protocol::Closed&) {
        throw;
      } catch (const Error& e) {
        fail(Verdict::device_error, e.what());
      }
    }
  }

 private:
  bool answer(const protocol::Packet& packet) {
    switch (packet.type()) {
      case protocol::Type::setup:
        setup(packet);
        break;
      case protocol::Type::symmetric:
        open_symmetric(packet);
        break;
      case protocol::Type::structure:
        contestant_->show(packet.as<protocol::Structures>(), packet.descriptors[0].get(), *lane_);
        break;
      case protocol::Type::create:
        contestant_->create(packet.as<protocol::Create>(), *lane_);
        break;
      case protocol::Type::arm:
        arm(packet.as<protocol::Arm>());
        return true;
      case protocol::Type::destroy:
        lane_->drop_graph();
        contestant_->destroy();
        lane_->synchronise();
        lane_->release();
        break;
      case protocol::Type::bye:
        return false;
      default:
        throw protocol::Malformed(fmt::format("unexpected message type {}", static_cast<int>(packet.type())));
    }
    judge_.send(protocol::Ready{});
    return true;
  }

  void fail(Verdict verdict, const std::string& text) {
    protocol::Failed failed{};
    failed.verdict = verdict;
    protocol::put(failed.text, text);
    judge_.send(failed);
  }

  void setup(const protocol::Packet& packet) {
    const auto& setup = packet.as<protocol::Setup>();
    void* at =
        mmap(nullptr, device::page_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, packet.descriptors[0].get(), 0);
    if (at == MAP_FAILED)
      throw Error(fmt::format("the page shared with the judge cannot be mapped: {}", std::strerror(errno)));
    page_ = static_cast<device::Page*>(at);
    lane_ = open_(setup.device, *page_);
    device::Handle handle;
    handle.descriptor = setup.arena_has_descriptor ? packet.descriptors[1].get() : -1;
    std::memcpy(handle.token, setup.arena_token, sizeof handle.token);
    lane_->open_arena(handle, setup.arena_bytes);
    if (load_) contestant_ = load_(protocol::get(setup.interface_hash));
    team_ = {setup.rank, setup.ranks, reinterpret_cast<std::int64_t>(page_->mailbox), 0};
  }

  void open_symmetric(const protocol::Packet& packet) {
    const auto& symmetric = packet.as<protocol::Symmetric>();
    device::Handle handle;
    handle.descriptor = symmetric.has_descriptor ? packet.descriptors[0].get() : -1;
    std::memcpy(handle.token, symmetric.token, sizeof handle.token);
    team_[3] = static_cast<std::int64_t>(symmetric.bytes);
    team_.push_back(reinterpret_cast<std::int64_t>(lane_->open_symmetric(handle, symmetric.bytes)));
    contestant_->join(team_);
  }

  void arm(const protocol::Arm& arm) {
    protocol::Finished finished{{}, arm.ticket, 0, 0, device::unknown};
    finished.microseconds = launch(arm, finished.repeats);
    finished.began = lane_->began();
    judge_.send(finished);
  }

  // Microseconds, by the device's clock or, of whole calls, the host's. `repeats`: how many were made of
  // calls to be repeated.
  double launch(const protocol::Arm& arm, std::int32_t& repeats) {
    const auto armed = [&] { judge_.send(protocol::Armed{{}, arm.ticket, 0}); };
    const auto run = [&] {
      if (page_->cancelled != arm.ticket) contestant_->run(*lane_);
    };
    const auto replay = [&] { lane_->replay(); };
    if (arm.launch == protocol::Launch::replay) return lane_->gated(*page_, arm.ticket, replay, armed);
    contestant_->bind(arm, *lane_);
    if (arm.launch == protocol::Launch::gated) return lane_->gated(*page_, arm.ticket, run, armed);
    if (arm.launch == protocol::Launch::waiting) {
      armed();
      device::pass_gate(*page_, arm.ticket);
      return lane_->gated(*page_, arm.ticket, run, [] {});
    }
    if (arm.launch == protocol::Launch::whole) {
      armed();
      return lane_->whole(run);
    }
    if (arm.launch == protocol::Launch::repeated) {
      armed();
      return lane_->whole([&] { repeats = repeat(arm.repeats); });
    }
    try {
      lane_->capture(run);
    } catch (const device::NotCapturable& e) {
      throw Failure(Verdict::not_capturable, e.what());
    }
    return lane_->gated(*page_, arm.ticket, replay, armed);
  }

  // A contestant whose host part takes much longer than the device's is not called to the end: what it has
  // enqueued is little then.
  std::int32_t repeat(std::int32_t most) {
    using clock = std::chrono::steady_clock;
    const auto end = clock::now() + std::chrono::duration<double>(protocol::longest_repeats);
    std::int32_t made = 0;
    do contestant_->run(*lane_);
    while (++made < most && clock::now() < end);
    return made;
  }

  protocol::Channel judge_;
  Loader load_;
  Opener open_;
  device::Page* page_ = nullptr;
  std::unique_ptr<device::Lane> lane_;
  std::vector<std::int64_t> team_;                                       // sdk/podium/ranks.hpp, wire::Team
  std::unique_ptr<Contestant> contestant_ = std::make_unique<Plugin>();  // the empty one until setup
};

}  // namespace

void serve(int socket, Loader load, Opener open) {
  fcntl(socket, F_SETFD, FD_CLOEXEC);
  Worker worker(protocol::Channel(Descriptor(socket)), std::move(load), std::move(open));
  try {
    worker.serve();
    _exit(0);
  } catch (const protocol::Closed&) {  // the judge has ended
    _exit(0);
  } catch (const std::exception& e) {
    fmt::print(stderr, "podium-worker: {}\n", e.what());
    _exit(1);
  }
}

}  // namespace podium::worker
