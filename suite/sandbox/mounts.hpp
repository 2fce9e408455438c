// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The file system as a worker or a compiler sees it, in a mount namespace of its own.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace podium::sandbox {

class View {
 public:
  virtual ~View() = default;
  // In the child, in its new mount namespace. Allocates nothing. False, errno set, if the kernel refuses.
  virtual bool apply() const = 0;
};

class PrivateMounts : public View {
 public:
  // `kept`: folders that stay visible, also if they lie in /tmp. `hides`: /proc shows the worker no process
  // but its own; takes the rights of root. `devices`: files that it cannot open. `covered`: folders that it
  // finds empty.
  PrivateMounts(std::int64_t scratch_bytes, std::vector<std::string> kept, bool hides,
                std::vector<std::string> devices = {}, std::vector<std::string> covered = {});

  // Everything is read-only but /tmp, /var/tmp and /dev/shm, which are empty, its own and gone with its last
  // process. Devices work as before.
  bool apply() const override;

  static const std::vector<std::string>& scratch();  // the three of them

 private:
  std::string size_;               // for tmpfs
  std::vector<std::string> kept_;  // of these, those in a folder that apply() covers
  std::vector<std::string> devices_, covered_;
  std::vector<std::string> over_proc_;  // what is mounted below /proc, outermost first
  bool hides_ = false;
};

// Nothing but what is named.
class NarrowView : public View {
 public:
  // `readable`: files and folders, at most 200; those that are not there are passed over. `folder`: where
  // files may be written. `hides`: as above.
  NarrowView(const std::vector<std::string>& readable, const std::string& folder, bool hides);
  bool apply() const override;

 private:
  struct Item {
    std::string path, at;  // as it is; below the new root
    bool is_folder = false, writable = false;
  };
  void add(const std::string& path);
  bool put_item(const Item& item, int copy) const;

  std::vector<Item> items_;
  std::vector<std::pair<std::string, std::string>> links_;  // at, what they say
  std::vector<std::string> over_proc_;
  bool hides_ = false;
};

}  // namespace podium::sandbox
