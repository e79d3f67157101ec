// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

#include "models/insights_source.h"

class QPushButton;

namespace heapscape::gui {

class ElidedText;
class FigureTile;

/// What all insights together come to, in large figures.
class InsightsHead : public QWidget {
  Q_OBJECT

 public:
  explicit InsightsHead(QWidget* parent = nullptr);

  void show(const FoundInsights& found);

 Q_SIGNALS:
  void lookWanted();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  FigureTile* m_waste;
  FigureTile* m_leaks;
  FigureTile* m_count;
  QPushButton* m_again;
  ElidedText* m_note;
};

}  // namespace heapscape::gui
