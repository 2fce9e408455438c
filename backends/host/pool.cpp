// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "backends/host/pool.hpp"

namespace podium::host {

Pool::Pool(int threads) {
  for (int i = 1; i < threads; ++i) helpers_.emplace_back([this] { help(); });
}

Pool::~Pool() {
  {
    const std::lock_guard lock(mutex_);
    leave_ = true;
  }
  start_.notify_all();
  for (auto& helper : helpers_) helper.join();
}

void Pool::draw(const std::function<void(int)>& work, int groups) {
  for (int group; (group = next_.fetch_add(1, std::memory_order_relaxed)) < groups;) work(group);
}

void Pool::help() {
  long seen = 0;
  for (;;) {
    std::unique_lock lock(mutex_);
    start_.wait(lock, [&] { return leave_ || turn_ != seen; });
    if (leave_) return;
    seen = turn_;
    const auto* work = work_;
    const int groups = groups_;
    lock.unlock();
    draw(*work, groups);
    lock.lock();
    if (--busy_ == 0) finish_.notify_one();
  }
}

void Pool::run(int groups, const std::function<void(int)>& work) {
  next_ = 0;
  if (groups <= 1 || helpers_.empty()) return draw(work, groups);
  {
    const std::lock_guard lock(mutex_);
    work_ = &work;
    groups_ = groups;
    busy_ = static_cast<int>(helpers_.size());
    ++turn_;
  }
  start_.notify_all();
  draw(work, groups);
  std::unique_lock lock(mutex_);
  finish_.wait(lock, [&] { return busy_ == 0; });
}

}  // namespace podium::host
