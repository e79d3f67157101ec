// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "views/overview/type_treemap.h"

class QStackedWidget;

namespace heapscape::gui {

class ChoiceBar;
class StatePanel;
class Treemap;

/// The types of the heap as areas, in their namespaces: by their objects' bytes, or by what those that no other object
/// holds alone retain. Either adds up to all.
class TypesMap : public QWidget {
  Q_OBJECT

 public:
  TypesMap(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  void showSnapshot(const engine::Snapshot& snapshot);
  void clear();

 private:
  void ask();
  void take(TypeTreemap treemap);
  /// Where retained sizes are wanted that are not known.
  void showLacking();
  engine::Address typeAt(const TreemapSpot& spot) const;

  EngineBridge& m_bridge;
  Navigator& m_navigator;
  TypeTreemap m_types;
  ChoiceBar* m_measure;
  Treemap* m_treemap;
  StatePanel* m_state;
  QStackedWidget* m_pages;
};

}  // namespace heapscape::gui
