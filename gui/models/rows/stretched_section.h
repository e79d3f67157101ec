// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>

class QAbstractItemView;
class QHeaderView;

namespace heapscape::gui {

/// Gives a section of a table the room that the others leave, but never less than it needs: then the table scrolls.
/// While it is hidden the last section has that room. QHeaderView's own stretching would shrink it to nothing.
class StretchedSection : public QObject {
  Q_OBJECT

 public:
  /// Lives as long as the view, whose header this is. `leastWidth` in pixels.
  StretchedSection(QAbstractItemView* view, QHeaderView* header, int section, int leastWidth);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void stretch();

  QAbstractItemView* m_view;
  QHeaderView* m_header;
  const int m_section;
  const int m_leastWidth;
};

}  // namespace heapscape::gui
