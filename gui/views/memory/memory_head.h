// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

#include "session/process/process_memory.h"

namespace heapscape::gui {

class ElidedText;
class FigureTile;

/// How much is mapped, how much of it is the GC's, and how much nobody explains.
class MemoryHead : public QWidget {
  Q_OBJECT

 public:
  explicit MemoryHead(QWidget* parent = nullptr);

  void show(const engine::ProcessMemory& memory);

 private:
  FigureTile* m_mapped;
  FigureTile* m_resident;
  FigureTile* m_gc;
  FigureTile* m_unexplained;
  FigureTile* m_inDump;
  ElidedText* m_remark;
};

}  // namespace heapscape::gui
