// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <memory>

#include "bridge/engine_bridge.h"
#include "widgets/hex_view/object_page.h"

class QLineEdit;
class QTableView;

namespace heapscape::gui {

class ElidedText;
class ItemsModel;

/// A collection as the program sees it: its items, not the arrays and nodes that they lie in.
class ItemsPanel : public QWidget {
  Q_OBJECT

 public:
  explicit ItemsPanel(EngineBridge& bridge, QWidget* parent = nullptr);

  /// Where retained sizes come from; nothing for none.
  void setSnapshot(std::optional<engine::Snapshot> snapshot);
  void show(std::shared_ptr<const ObjectPage> page);  // null, or no collection: nothing

 Q_SIGNALS:
  void followWanted(heapscape::engine::Address object, const QString& via);

 private:
  void setUpTable();
  void ask(quint64 first, quint64 count);
  void jump();
  void follow(const QModelIndex& index);
  void openContextMenu(const QPoint& position);

  EngineBridge& m_bridge;
  ItemsModel* m_model;
  QTableView* m_table;
  ElidedText* m_facts;
  ElidedText* m_damage;
  QLineEdit* m_jump;
  engine::Address m_collection;
};

/// "Dictionary · 2,500 items · room for 3,571".
QString collectionFacts(const engine::CollectionDetails& collection);

}  // namespace heapscape::gui
