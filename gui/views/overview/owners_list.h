// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "session/roots/root_owners.h"

class QLabel;
class QVBoxLayout;

namespace heapscape::gui {

/// Whose roots hold most of what is live: the largest owners, and below them what the others hold and what several of
/// them hold together, so that all of it is accounted for. As high as it will be, from the start.
class OwnersList : public QWidget {
  Q_OBJECT

 public:
  OwnersList(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  static constexpr std::size_t kMostOwners = 5;

  void showSnapshot(const engine::Snapshot& snapshot);
  void clear();

 private:
  void ask();
  void showOwners(const engine::RootOwners& owners);
  void removeRows();

  EngineBridge& m_bridge;
  Navigator& m_navigator;
  QVBoxLayout* m_rows;
  QLabel* m_rest;
};

}  // namespace heapscape::gui
