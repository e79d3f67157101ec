// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <string>

namespace heapscape::gui {

/// As long as one lives, what is painted or told on this thread is without contents of the dump: pictures and tables
/// are pinned once with and once without them.
class HiddenContents {
 public:
  HiddenContents() { ++s_wanted; }
  ~HiddenContents() { --s_wanted; }
  HiddenContents(const HiddenContents&) = delete;
  HiddenContents& operator=(const HiddenContents&) = delete;

  static bool areWanted() { return s_wanted > 0; }

 private:
  inline static thread_local int s_wanted = 0;
};

/// The contents of strings or fields; "•••" while contents are hidden.
QString contentsText(const QString& text);
/// `thread 5 "worker"`, or "thread 5" while contents are hidden; names without any stay.
QString givenNameText(const std::string& name);
/// A way from one object to another: `["key"].Value`, or "[•••].Value" while contents are hidden.
QString stepText(const QString& step);

}  // namespace heapscape::gui
