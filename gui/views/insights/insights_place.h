// SPDX-License-Identifier: MIT
#pragma once

#include "models/insights_source.h"
#include "views/place.h"

class QStackedLayout;

namespace heapscape::gui {

class InsightDetail;
class InsightsHead;
class InsightsList;
class StatePanel;

/// Where memory is wasted, what would win it back, and who holds it.
class InsightsPlace : public Place {
  Q_OBJECT

 public:
  InsightsPlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  PlaceId id() const override { return PlaceId::Insights; }
  QString title() const override { return u"Insights"_s; }
  void showSnapshot(const engine::Snapshot& snapshot) override;
  void clear() override;
  void follow(const Location& location) override;

 private:
  void showState();
  void showProgress();
  void showNothingFound();
  void showFound();
  void pick(std::uint32_t insight);

  InsightsSource& m_source;
  std::shared_ptr<const FoundInsights> m_shown;
  InsightsHead* m_head;
  InsightsList* m_list;
  InsightDetail* m_detail;
  bool m_isHere = false;  // the window shows this place
  StatePanel* m_state;
  QStackedLayout* m_pages;
};

}  // namespace heapscape::gui
