// SPDX-License-Identifier: MIT
#pragma once

#include <QScrollArea>

class QLabel;
class QVBoxLayout;

namespace heapscape::gui {

/// Stands where answers will: what the console is, what opening it costs, and commands to begin with.
class ExamplesPage : public QScrollArea {
  Q_OBJECT

 public:
  explicit ExamplesPage(QWidget* parent = nullptr);

  /// `hasMemory`: false for a recorded heap, of which SOS's commands tell nothing.
  void showExamples(bool hasMemory);
  void setCost(const QString& text);

 Q_SIGNALS:
  /// One that ends with a blank wants an address first.
  void picked(const QString& command);

 private:
  bool m_hasMemory = true;
  QLabel* m_cost;
  QVBoxLayout* m_list;
};

}  // namespace heapscape::gui
