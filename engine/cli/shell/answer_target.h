// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace heapscape::cli {

/// Where the answer of one command of the shell goes instead of to standard output: a file, or another program.
class AnswerTarget {
 public:
  /// Fails with FileUnreadable where it cannot be written.
  static engine::Result<AnswerTarget> file(const std::string& path);
  /// A command for /bin/sh, as the person at the terminal typed it; it writes to our standard output.
  static engine::Result<AnswerTarget> pipe(const std::string& command);

  AnswerTarget(AnswerTarget&& other) noexcept;
  AnswerTarget& operator=(AnswerTarget&& other) = delete;
  /// Closes it and waits for the program to end.
  ~AnswerTarget();

  /// False once something could not be written.
  bool write(std::string_view text);
  /// What could not be written, and why; empty if all was, or the reader has gone, as `head` does.
  const std::string& problem() const { return m_problem; }

 private:
  AnswerTarget(int descriptor, int child) : m_descriptor(descriptor), m_child(child) {}

  int m_descriptor;
  int m_child;  // its id; 0 for a file
  bool m_hasFailed = false;
  std::string m_problem;
};

}  // namespace heapscape::cli
