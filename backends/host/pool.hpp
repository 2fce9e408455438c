// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Threads for the judge's own work. Between calls they sleep: the contestant on the same cores is being
// timed.
#pragma once
#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace podium::host {

class Pool {
 public:
  explicit Pool(int threads);  // the caller's included
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  int threads() const { return static_cast<int>(helpers_.size()) + 1; }
  // Calls work(0) … work(groups - 1), each once, in any order, and returns when all have returned. `work`
  // does not throw. One caller at a time.
  void run(int groups, const std::function<void(int)>& work);

 private:
  void help();
  void draw(const std::function<void(int)>& work, int groups);

  std::mutex mutex_;
  std::condition_variable start_, finish_;
  std::atomic<int> next_ = 0;
  const std::function<void(int)>* work_ = nullptr;
  int groups_ = 0;
  long turn_ = 0;
  int busy_ = 0;
  bool leave_ = false;
  std::vector<std::thread> helpers_;
};

}  // namespace podium::host
