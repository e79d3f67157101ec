// SPDX-License-Identifier: MIT
#pragma once

#include "session/open/open_dump.h"

namespace heapscape::cli {

/// Shows progress in one line of standard error if that is a terminal, and takes the line away at the end.
class ProgressLine : public engine::OpenListener {
 public:
  ProgressLine();
  ~ProgressLine() override;

  void progressed(const engine::Progress& progress) override;
  void stageReady(const engine::Snapshot&) override {}

 private:
  bool m_isTerminal;
  bool m_isShown = false;
};

}  // namespace heapscape::cli
