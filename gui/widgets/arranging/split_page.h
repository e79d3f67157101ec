// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <functional>
#include <utility>

class QSplitter;

namespace heapscape::gui {

/// A head, if there is one, and below it two parts: side by side where there is room for both, else one above the
/// other.
class SplitPage : public QWidget {
  Q_OBJECT

 public:
  /// How the room is shared until the user shares it otherwise.
  struct Shares {
    int besideFrom = 0;   // width in characters from which the parts stand side by side
    double beside = 0.5;  // of the first part
    double above = 0.5;
  };
  /// Pixels that the first and the second part need side by side.
  using Needs = std::function<std::pair<int, int>()>;

  SplitPage(QWidget* head, QWidget* first, QWidget* second, Shares shares, QWidget* parent = nullptr);

  /// The parts stand side by side only where both have what they need, which may change.
  void setNeeds(Needs needs) { m_needs = std::move(needs); }

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  Shares m_shares;
  Needs m_needs;
  QSplitter* m_split;
  bool m_isArranged = false;  // the parts have their first sizes
};

}  // namespace heapscape::gui
