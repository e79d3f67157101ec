// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

class QLabel;
class QToolButton;

namespace heapscape::gui {

class Treemap;

/// Above a treemap: where one is, with the way back.
class TreemapTrail : public QWidget {
  Q_OBJECT

 public:
  /// `whole` names all of it: "All memory".
  TreemapTrail(Treemap* treemap, const QString& whole, QWidget* parent = nullptr);

 private:
  void follow();

  Treemap* m_treemap;
  QString m_name;
  QToolButton* m_whole;
  QLabel* m_group;
};

}  // namespace heapscape::gui
