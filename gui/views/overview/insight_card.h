// SPDX-License-Identifier: MIT
#pragma once

#include "insight/insight_rows.h"
#include "widgets/painted_button.h"

namespace heapscape::gui {

/// One insight, or many of a kind together, in three lines: what it costs and of which kind it is, what it is, and what
/// it is about.
class InsightCard : public PaintedButton {
  Q_OBJECT

 public:
  InsightCard(const engine::InsightList& list, const engine::InsightRow& row, QWidget* parent = nullptr);

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString m_bytes;
  QString m_kind;
  QString m_title;
  QString m_subject;
};

}  // namespace heapscape::gui
