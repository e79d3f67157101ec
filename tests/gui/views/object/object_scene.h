// SPDX-License-Identifier: MIT
#pragma once

#include <QTabBar>
#include <QTabWidget>
#include <QTest>
#include <QTreeView>
#include <algorithm>
#include <vector>

#include "models/cells/roles.h"
#include "session/objects/object_query.h"
#include "support/place_scene.h"
#include "views/object/object_place.h"
#include "views/object/values/value_tree_model.h"
#include "widgets/hex_view/hex_view.h"
#include "widgets/layout_diagram/layout_diagram.h"

namespace heapscape::gui {

/// The place Object on a dump of the shop, and what its tests do with it.
struct ObjectScene : test::PlaceScene<ObjectPlace> {
  ObjectScene() : PlaceScene(PlaceId::Object) { place.resize(1100, 800); }

  bool open() { return openUntilRetained(test::dataFile(QStringLiteral("shop-10.core.zst"))); }

  /// The objects of exactly that type.
  std::vector<engine::ObjectRow> objectsOf(const char* type, std::size_t limit = 100'000) {
    engine::ObjectFilter filter;
    for (std::uint32_t id = 0; id < snapshot().types().size(); ++id) {
      if (snapshot().types()[id].name == type) filter.type = engine::TypeId{id};
    }
    return filter.type ? engine::listObjects(snapshot(), filter, 0, limit) : std::vector<engine::ObjectRow>();
  }
  engine::ObjectRow largestOf(const char* type) {
    const auto objects = objectsOf(type);
    return *std::ranges::max_element(objects, {}, &engine::ObjectRow::sizeBytes);
  }
  engine::Address firstOf(const char* type) {
    const auto objects = objectsOf(type, 1);
    return objects.empty() ? engine::Address() : objects.front().address;
  }

  bool isShown(engine::Address object) {
    return QTest::qWaitFor([&] { return place.shown() && place.shown()->address() == object; }, test::kPatienceMs);
  }
  bool show(engine::Address object) {
    navigator.showObject(object);
    return object && isShown(object);
  }
  bool showFirst(const char* type) { return show(firstOf(type)); }

  QTreeView& tree() { return *part<QTreeView>("objectFields"); }
  QAbstractItemModel& lines() { return *tree().model(); }
  HexView& hex() { return *place.findChild<HexView*>(); }
  LayoutCanvas& canvas() { return *place.findChild<LayoutCanvas*>(); }
  QTabWidget& contents() { return *part<QTabWidget>("objectContents"); }
  QTabWidget& memory() { return *part<QTabWidget>("objectMemory"); }
  QString currentTab(const QTabWidget& tabs) { return tabs.tabText(tabs.currentIndex()); }

  QModelIndex line(const QString& name, const QModelIndex& parent = {}) {
    for (int row = 0; row < lines().rowCount(parent); ++row) {
      const QModelIndex index = lines().index(row, ValueTreeModel::NameColumn, parent);
      if (index.data().toString() == name) return index;
    }
    return {};
  }
  QString valueOf(const QString& name, const QModelIndex& parent = {}) {
    return line(name, parent).siblingAtColumn(ValueTreeModel::ValueColumn).data(kPlainRole).toString();
  }
  QString currentName() { return tree().currentIndex().siblingAtColumn(ValueTreeModel::NameColumn).data().toString(); }

  bool waitForBytes() {
    return QTest::qWaitFor([this] { return !hex().window().read().isEmpty(); }, test::kPatienceMs);
  }
  void clickByte(std::int64_t offset) {
    const QPoint point = hex().geometry().byteRect(offset, hex().topRow()).center().toPoint();
    QTest::mouseClick(hex().viewport(), Qt::LeftButton, {}, point);
  }
  void clickTab(QTabWidget& tabs, const QString& text) {
    for (int tab = 0; tab < tabs.count(); ++tab) {
      if (tabs.tabText(tab) != text || !tabs.isTabVisible(tab)) continue;
      QTest::mouseClick(tabs.tabBar(), Qt::LeftButton, {}, tabs.tabBar()->tabRect(tab).center());
    }
  }
};

}  // namespace heapscape::gui
