// SPDX-License-Identifier: MIT
#include "cli/progress_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace heapscape::cli {

namespace {

constexpr const char* kClearLine = "\r\x1b[K";

}  // namespace

ProgressLine::ProgressLine() : m_isTerminal(isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine() {
  if (m_isShown) fmt::print(stderr, "{}", kClearLine);
}

void ProgressLine::progressed(const engine::Progress& progress) {
  if (!m_isTerminal) return;
  fmt::print(stderr, "{}{:3.0f}% {}", kClearLine, progress.fraction * 100, progress.activity);
  std::fflush(stderr);
  m_isShown = true;
}

}  // namespace heapscape::cli
