// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>
#include <QString>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "bridge/engine_bridge.h"
#include "bridge/literals.h"
#include "bridge/navigator.h"
#include "query/objects/object_schema.h"

class QMenu;

namespace heapscape::gui {

/// Sets of objects that were picked in lists and that queries over objects know by name, as long as the dump is open.
class PickedSets : public QObject {
  Q_OBJECT

 public:
  /// The one of a bridge; it lives as long as the bridge does.
  static PickedSets& of(EngineBridge& bridge);

  /// Null for none. May be kept and read from any thread.
  const std::shared_ptr<const engine::ObjectSets>& sets() const { return m_sets; }
  /// Null for a name that there is not.
  std::shared_ptr<const std::vector<std::uint32_t>> find(const QString& name) const;
  /// Keeps objects (ObjectIds, ascending) under a new name: "picked", "picked 2" …, or under that of an equal set.
  QString add(std::vector<std::uint32_t> objects, const QString& name = u"picked"_s);

 private:
  explicit PickedSets(EngineBridge& bridge);

  std::shared_ptr<const engine::ObjectSets> m_sets;
};

/// The query that the objects of a set fit.
QString queryOfSet(const QString& name);

/// Takes objects as a set (PickedSets), and hands its name on, at once or later.
using TakeSet = std::function<void(std::function<void(const QString& set)> use)>;

/// Adds to a menu the links of several objects, wherever they stand together: to list them, what holds them, what they
/// dominate, where they lie, and to think them away.
void addSetLinks(QMenu& menu, Navigator& navigator, TakeSet take);

}  // namespace heapscape::gui
