// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <optional>

#include "bridge/navigator.h"
#include "session/process/process_memory.h"

class QPushButton;

namespace heapscape::gui {

class ElidedText;

/// Above the picture: what is picked, and where else the window shows it.
class MemoryPartBar : public QWidget {
  Q_OBJECT

 public:
  explicit MemoryPartBar(Navigator& navigator, QWidget* parent = nullptr);

  void show(const engine::MemoryPart& part, std::uint64_t mappedBytes);
  void showNone();
  /// To the place that shows more of a part; nothing for what no place knows.
  void goTo(const engine::MemoryPart& part);

 private:
  QPushButton* addButton(const QString& name, const QString& symbol, const QString& text, const QString& tip);

  Navigator& m_navigator;
  engine::MemoryPart m_part;
  ElidedText* m_text;
  QPushButton* m_segments;
  QPushButton* m_generations;
  QPushButton* m_types;
  QPushButton* m_threads;
};

}  // namespace heapscape::gui
