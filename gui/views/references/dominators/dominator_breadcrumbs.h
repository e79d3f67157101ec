// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <cstddef>

#include "views/references/dominators/dominator_scene.h"

class QHBoxLayout;

namespace heapscape::gui {

/// The way from all roots, or all garbage, to what is looked at; a click on a step goes back to it. Where there is
/// little room, or the way is long, steps in the middle are left out.
class DominatorBreadcrumbs : public QWidget {
  Q_OBJECT

 public:
  explicit DominatorBreadcrumbs(QWidget* parent = nullptr);

  void show(const DominatorWay& way);

 Q_SIGNALS:
  /// The index of a step in the way.
  void wanted(std::size_t step);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void rebuild();
  void addStep(std::size_t step);
  void addSign(const QString& sign, const QString& tip);

  DominatorWay m_way;
  QHBoxLayout* m_line;
  std::size_t m_fitting = 0;  // steps that the width has room for
};

}  // namespace heapscape::gui
