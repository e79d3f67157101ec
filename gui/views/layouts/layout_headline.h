// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

#include "views/layouts/layout_totals.h"

class QHBoxLayout;
class QLabel;

namespace heapscape::gui {

class ElidedLabel;
class FlowLayout;

/// Above the diagram: the type's name, how it is laid out, and its totals.
class LayoutHeadline : public QWidget {
  Q_OBJECT

 public:
  explicit LayoutHeadline(QWidget* parent = nullptr);

  void show(const engine::TypeLayout& layout, const TypePopulation& population);
  /// Low windows have no room for the figures, which the heads of the columns say as well, and lower ones none for what
  /// kind of type it is and where it is from, which the inspector says.
  void setShown(bool hasChips, bool hasFigures);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void addChip(const LayoutChip& chip);
  void addFigure(const LayoutFigure& figure);
  void updateLook();

  ElidedLabel* m_name;
  QWidget* m_chips;
  QWidget* m_figures;
  FlowLayout* m_chipsLine;
  FlowLayout* m_figuresLine;
};

}  // namespace heapscape::gui
