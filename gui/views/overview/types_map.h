// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <string>
#include <vector>

#include "base/address.h"
#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "widgets/treemap/treemap.h"

class QStackedWidget;

namespace heapscape::gui {

/// A type and the bytes that its area stands for.
struct SizedType {
  std::string name;
  engine::Address methodTable;
  std::uint64_t objects = 0;
  std::uint64_t bytes = 0;
  engine::CodeOwner owner = engine::CodeOwner::Own;
  std::uint64_t garbageBytes = 0;  // of the bytes; 0 while it is not known
};

/// Types in their namespaces.
struct TypeTreemap {
  std::vector<TreemapPart> groups;
  std::vector<std::vector<engine::Address>> methodTables;  // by group and part; 0 for smaller types together
};

/// A namespace's smallest types, those with less than `smallestShare` of all bytes, are one part.
TypeTreemap typeTreemap(const std::vector<SizedType>& types, double smallestShare);

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
