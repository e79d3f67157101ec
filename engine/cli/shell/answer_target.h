// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "cli/interrupts.h"
#include "output/output.h"

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

  /// The same, but for Ctrl+C meanwhile: it is the program's own.
  void end(Interrupts& interrupts);
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

/// Passes an answer on to the terminal, or to a pager if it is longer than the screen: $PAGER, else less.
class PagedAnswer {
 public:
  /// Nothing where standard output is no terminal, or $PAGER is empty.
  static std::optional<PagedAnswer> make(engine::Output::Sink terminal);

  /// False once something could not be written.
  bool write(std::string_view text);
  /// Behind the last piece: waits for the pager to end.
  void end(Interrupts& interrupts);

 private:
  PagedAnswer(engine::Output::Sink terminal, std::string pager, std::size_t rows, std::size_t columns)
      : m_terminal(std::move(terminal)), m_pager(std::move(pager)), m_rows(rows), m_columns(columns) {}

  engine::Output::Sink m_terminal;
  std::string m_pager;  // for /bin/sh
  std::size_t m_rows, m_columns;
  std::string m_kept;  // until it is known whether it fits
  std::size_t m_row = 0, m_column = 0;
  std::optional<AnswerTarget> m_target;
};

}  // namespace heapscape::cli
