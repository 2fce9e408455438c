// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Builds the tree from yaml-cpp's events, which arrive before anything can grow: what is refused is refused
// early.
#include "suite/problem/yaml/yaml.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>
#include <sstream>
#include <utility>

#include "suite/base/descriptor.hpp"
#include "suite/base/error.hpp"
#include "suite/problem/yaml/utf8.hpp"

namespace podium::yaml {
namespace {

class Builder : public YAML::EventHandler {
 public:
  Builder(const std::string& source, const std::string& file, int first_line)
      : source_(source),
        file_(file),
        first_line_(first_line),
        lines_(static_cast<int>(std::count(source.begin(), source.end(), '\n')) +
               (source.ends_with('\n') ? 0 : 1)) {}

  [[noreturn]] void refuse(const YAML::Mark& mark, const std::string& what) const {
    throw Error(fmt::format("{}:{}: {}", file_, line_of(mark), what));
  }

  Node take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (documents_++)
      refuse(mark, "found a second YAML document, expected one; remove the \"---\" between them");
  }
  void OnDocumentEnd() override {}
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    refuse(mark, "found a YAML alias, expected plain data; write the value out");
  }
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    check(mark, "", anchor);
    add(node(mark, Node::Kind::null), mark);
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    check(mark, tag, anchor);
    Node scalar = node(mark, Node::Kind::scalar);
    scalar.text = value;
    scalar.quoted = tag == "!";
    if (scalar.quoted && is_block(mark) && scalar.line < last_line())
      ++scalar.line;  // the text begins below its | or >
    add(std::move(scalar), mark);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, Node::Kind::list);
  }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, Node::Kind::map);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapEnd() override { close(); }

 private:
  struct Frame {
    Node node;
    YAML::Mark mark;
    std::set<std::string> keys;
    bool has_key = false;
    std::string key;
    int key_line = 0;
  };

  int last_line() const { return first_line_ + std::max(lines_, 1) - 1; }
  // What is missed at the end of the text is missed on its last line.
  int line_of(const YAML::Mark& mark) const {
    return std::clamp(first_line_ + mark.line, first_line_, last_line());
  }

  Node node(const YAML::Mark& mark, Node::Kind kind) const {
    Node made;
    made.kind = kind;
    made.line = line_of(mark);
    return made;
  }

  bool is_block(const YAML::Mark& mark) {
    for (; line_ < mark.line && line_start_ != source_.npos; ++line_) {
      line_start_ = source_.find('\n', line_start_);
      if (line_start_ != source_.npos) ++line_start_;
    }
    const std::size_t at = line_start_ + static_cast<std::size_t>(mark.column);
    return line_ == mark.line && at < source_.size() && (source_[at] == '|' || source_[at] == '>');
  }

  // yaml-cpp gives "?" as the tag of plain scalars and collections, "!" of quoted scalars.
  void check(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) const {
    if (anchor)
      refuse(mark, "found a YAML anchor, expected plain data; write the value out where it is used");
    if (!tag.empty() && tag != "?" && tag != "!")
      refuse(mark, "found a YAML tag, expected plain data; remove the tag");
  }

  void open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, Node::Kind kind) {
    check(mark, tag, anchor);
    if (stack_.size() >= max_depth)
      refuse(mark,
             fmt::format("found lists or maps nested more than {} deep, expected a problem; flatten them",
                         max_depth));
    if (!stack_.empty() && stack_.back().node.kind == Node::Kind::map && !stack_.back().has_key)
      refuse(mark, "found a list or map as a key, expected a name");
    stack_.push_back({node(mark, kind), mark, {}, false, {}, 0});
  }

  void close() {
    Frame frame = std::move(stack_.back());
    stack_.pop_back();
    add(std::move(frame.node), frame.mark);
  }

  void add(Node child, const YAML::Mark& mark) {
    if (stack_.empty()) {
      root_ = std::move(child);
      return;
    }
    Frame& frame = stack_.back();
    if (frame.node.kind == Node::Kind::map) {
      if (!frame.has_key) {
        if (child.kind != Node::Kind::scalar) refuse(mark, "found nothing as a key, expected a name");
        if (!frame.keys.insert(child.text).second)
          refuse(mark, fmt::format("found the key \"{}\" twice in one map, expected it once; remove one",
                                   excerpt(child.text)));
        frame.has_key = true;
        frame.key = std::move(child.text);
        frame.key_line = child.line;
        return;
      }
      frame.has_key = false;
      child.key = std::move(frame.key);
      child.key_line = frame.key_line;
      if (child.kind == Node::Kind::null) child.line = child.key_line;  // its mark is that of what follows
    }
    frame.node.children.push_back(std::move(child));
  }

  const std::string& source_;
  const std::string& file_;
  int first_line_, lines_;
  int line_ = 0;  // of is_block, whose marks only go forward
  std::size_t line_start_ = 0;
  int documents_ = 0;
  std::vector<Frame> stack_;
  Node root_;
};

}  // namespace

const Node* Node::find(std::string_view name) const {
  for (const Node& child : children)
    if (kind == Kind::map && child.key == name) return &child;
  return nullptr;
}

Node parse(const std::string& source, const std::string& file, int first_line) {
  if (source.size() > max_bytes)
    throw Error(fmt::format("{}: found {} bytes, expected at most {}; a problem is a page of text", file,
                            source.size(), max_bytes));
  if (const auto fault = first_fault(source))
    throw Error(fmt::format("{}:{}: found {}, expected UTF-8 text; save the file as UTF-8", file,
                            fault->line - 1 + first_line, fault->what));
  Builder builder(source, file, first_line);
  try {
    // With the end marked, an unclosed quotation is an error; yaml-cpp 0.7 would take it to the end of the
    // file.
    std::istringstream stream(source + "\n...\n");
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& error) {
    builder.refuse(error.mark, fmt::format("found text that is not YAML, expected YAML 1.2: {} (column {})",
                                           error.msg, error.mark.column + 1));
  }
  Node root = builder.take();
  if (root.kind == Node::Kind::null) root.line = first_line;
  return root;
}

std::string read_file(const std::filesystem::path& file) {
  const auto refuse = [&](const std::string& what) {
    throw Error(fmt::format("{}: {}", file.string(), what));
  };
  const auto unreadable = [&] {
    refuse(fmt::format("cannot be read: {}; check the path and its permissions", std::strerror(errno)));
  };
  // Non-blocking, so that opening a pipe returns and is refused.
  const Descriptor descriptor(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status{};
  if (!descriptor || ::fstat(descriptor.get(), &status) != 0) unreadable();
  if (!S_ISREG(status.st_mode)) refuse("found a folder or a device, expected a regular file");
  std::string text;
  char block[1 << 16];
  while (true) {
    const ssize_t count = ::read(descriptor.get(), block, sizeof block);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) unreadable();
    if (count == 0) return text;
    text.append(block, static_cast<std::size_t>(count));
    if (text.size() > max_bytes)
      refuse(fmt::format("found more than {} bytes, expected at most that; a problem is a page of text",
                         max_bytes));
  }
}

}  // namespace podium::yaml
