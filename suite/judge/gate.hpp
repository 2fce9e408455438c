// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Where a worker waits until the judge lets it call its contestant.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "suite/base/descriptor.hpp"
#include "suite/device/lane.hpp"
#include "suite/judge/background_task.hpp"
#include "suite/judge/placement.hpp"
#include "suite/judge/worker_link.hpp"
#include "suite/judge/worker_threads.hpp"

namespace podium::judge {

// The page that judge and worker share, in a memfd.
class SharedPage {
 public:
  SharedPage();
  ~SharedPage();
  SharedPage(const SharedPage&) = delete;
  SharedPage& operator=(const SharedPage&) = delete;
  int descriptor() const { return memory_.get(); }
  void open_gate(std::uint32_t ticket);          // wakes a worker that sleeps on it
  void open_without_wake(std::uint32_t ticket);  // for a worker that stands still: it looks when it goes on
  void cancel(std::uint32_t ticket);             // opens the gate for a worker that is to call nobody
  void clear_mailbox();

 private:
  Descriptor memory_;
  device::Page* page_ = nullptr;
};

// What is called at once has a ticket: the worker is told to arm for it, answers *armed*, passes the gate
// when that opens for this ticket, and answers *finished*. It may be told ahead of the next ticket, while the
// call before is checked or runs; what was told ahead is taken or cancelled before anything else is armed.
class Gate {
 public:
  // All outlive the gate. Failures that the worker reports open it: what is queued behind it can go.
  // `page`: that of all ranks of a group, which one word lets through together.
  Gate(WorkerLink& link, WorkerThreads& threads, BackgroundTask& background,
       std::shared_ptr<SharedPage> page);
  ~Gate();
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  const std::shared_ptr<SharedPage>& page() const { return page_; }
  std::uint32_t ticket() const { return ticket_; }  // of the last that was taken
  void take_ticket() { ++ticket_; }

  void arm(std::span<const Placement> sets, protocol::Launch launch, int repeats = 0);
  // Whether *armed* comes within `patience` milliseconds (-1: however long that takes).
  bool armed_in_time(int patience);
  void open() { page_->open_gate(ticket_); }
  void let_through();  // opens it for threads that stand still, and resumes them
  // *finished* of that ticket, in a packet.
  struct Finish {
    double microseconds = 0;  // that the worker reports
    double began = 0;         // protocol::Finished
  };
  Finish finish_in(const protocol::Packet& packet, std::uint32_t ticket);
  // The same of calls that are repeated, at most `calls` of them; `made`: how many they were.
  double await_repeated(int calls, std::int32_t& made);

  // What the worker has been told to arm for, before its turn.
  struct Ahead {
    Placement placement;
    std::uint64_t seed = 0;   // of the placement
    double microseconds = 0;  // that telling took
    bool armed = false;       // *armed* has come
    bool still = false;       // and the worker stands still
  };
  // Beside the call that runs. The background thread is ready to wait for *armed*, and does so from
  // arm_next() on.
  void arm_ahead_beside(Ahead next);
  // While the call before is checked, once another is known to follow. `next` is asked if it was not told
  // yet.
  void arm_next(const std::function<Ahead()>& next);
  // What was told ahead, if it is that of this seed. Waits until the background thread is done.
  std::optional<Ahead> take_ahead(std::uint64_t seed);
  // What was told ahead does not come: the worker passes its gate, and nobody is called. Where it fails at
  // that, no sample is concerned, and whoever asks it next will hear.
  void cancel();

 private:
  void arm_ahead(Ahead next);
  void await_armed_ahead();
  bool finish_arming();

  WorkerLink& link_;
  WorkerThreads& threads_;
  BackgroundTask& background_;
  std::shared_ptr<SharedPage> page_;
  std::uint32_t ticket_ = 0;
  std::optional<Ahead> ahead_;
};

}  // namespace podium::judge
