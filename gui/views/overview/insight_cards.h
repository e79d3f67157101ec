// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <vector>

#include "bridge/navigator.h"
#include "insight/insight_rows.h"
#include "models/insights_source.h"

class QBoxLayout;
class QLabel;
class QPushButton;

namespace heapscape::gui {

/// How many bytes could be won back, the costliest insights, one of a kind, and the way to all of them; or what keeps
/// them from being known.
class InsightCards : public QWidget {
  Q_OBJECT

 public:
  InsightCards(InsightsSource& source, Navigator& navigator, QWidget* parent = nullptr);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void showState();
  void showCards();

  InsightsSource& m_source;
  Navigator& m_navigator;
  QLabel* m_lead;
  QLabel* m_text;
  QPushButton* m_all;
  QBoxLayout* m_line;
};

/// At most `limit` lines of a list: of each kind the costliest that is not the framework's own, what could be won back
/// before what is only held.
std::vector<engine::InsightRow> costliestInsights(const engine::InsightList& list, std::size_t limit);

}  // namespace heapscape::gui
