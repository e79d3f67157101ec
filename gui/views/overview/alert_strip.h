// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <optional>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "session/threads/alerts.h"

namespace heapscape::gui {

class FlowLayout;

/// What to hear of before all else, side by side on a line that is there from the start: deadlocks, finalizers that are
/// due, an incomplete dump. Each leads to its place; where there is none of them, the line says so.
class AlertStrip : public QWidget {
  Q_OBJECT

 public:
  AlertStrip(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  void showSnapshot(const engine::Snapshot& snapshot);
  void clear();

 private:
  void showAlerts();
  void addNote(const QString& name, const QString& text);
  void addAlert(const QString& name, const QString& text, PlaceId place, Listed listed = {});

  EngineBridge& m_bridge;
  Navigator& m_navigator;
  FlowLayout* m_line;
  bool m_isAsked = false;
  std::optional<engine::Alerts> m_alerts;
  bool m_hasFailed = false;
};

}  // namespace heapscape::gui
