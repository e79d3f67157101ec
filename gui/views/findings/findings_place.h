// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "models/rows/row_list.h"
#include "session/heap/heap_check.h"
#include "views/place.h"

namespace heapscape::gui {

class CheckBar;
class RowsPanel;

/// A finding, and when it was made.
struct FindingRow {
  engine::Finding finding;
  bool isOfCheck = false;  // else of opening the dump
};

RowSchema<FindingRow> findingSchema();

/// Everything that is wrong with the dump: what opening it has found, and what a check of the whole heap finds.
class FindingsPlace : public Place {
  Q_OBJECT

 public:
  FindingsPlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  PlaceId id() const override { return PlaceId::Findings; }
  QString title() const override { return u"Findings"_s; }
  void showSnapshot(const engine::Snapshot& snapshot) override;
  void clear() override;
  void follow(const Location&) override {}

 private:
  void check();
  void stop();
  bool isReportedByCheck(const engine::Finding& finding) const;
  void showRows();
  void showHealth();
  void showChecked();
  void showAddress(std::uint32_t row);

  CheckBar* m_bar;
  RowsPanel* m_list;
  std::optional<engine::HeapCheck> m_check;
};

}  // namespace heapscape::gui
