// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "views/layouts/layout_column.h"
#include "widgets/hex_view/byte_window.h"

class QLabel;
class QScrollArea;
class QSplitter;
class QTabWidget;
class QTreeView;

namespace heapscape::gui {

class AdvicePanel;
class ArrayStrip;
class ColumnChips;
class ColumnFeet;
class InstancePanel;
class LayoutFieldsModel;
class LayoutHeadline;
class LayoutLegend;
class LayoutToolbar;
class PlaygroundView;
class SideBySideDiagram;

/// Everything about one type's layouts: headline, the layouts side by side, and below or beside them what is to be
/// said, the table of fields, arrays of the type and the bytes of a real object. All parts follow each other.
class LayoutPanel : public QWidget {
  Q_OBJECT

 public:
  LayoutPanel(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  void show(PreparedLayout layout);
  /// An object was picked, or none any more: of a string or an array of the type that is shown the picture has the
  /// length, and with it all that lies behind the last element.
  void follow(const Selection& selection);
  /// Nothing is shown; drops what came from the dump.
  void clear();
  const PreparedLayout& shown() const { return m_shown; }
  /// What stands in the picture, from left to right.
  const std::vector<ShownColumn>& columns() const { return m_columns; }

 Q_SIGNALS:
  /// The type above (-1) or below in the list.
  void typeStepWanted(int by);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void addParts();
  QWidget* addPicture();
  void addTabs();
  void setUpFields();
  void connectParts();
  void showNewType() { showItems(true); }
  void showItems(bool isOtherType);
  void showInstance();
  void setLength(std::optional<std::uint64_t> length);
  void showColumns(bool isOtherType);
  void askForColumns();
  void showChosen();
  void takeColumn(const ColumnKey& key, engine::Result<LayoutColumn> column);
  bool hasColumn(const ColumnKey& key) const;
  bool isUnboxed() const;
  void followOpen();
  void select(std::uint32_t field);
  void selectItem(std::uint32_t item);
  void selectField(const std::string& declaringType, const std::string& name);
  void selectSpan(const ByteSpan& span);
  void copyText();

  EngineBridge& m_bridge;
  Navigator& m_navigator;
  LayoutHeadline* m_headline;
  LayoutLegend* m_legend = nullptr;
  LayoutToolbar* m_toolbar;
  ColumnChips* m_chips;
  SideBySideDiagram* m_diagram;
  ColumnFeet* m_feet;
  AdvicePanel* m_advice;
  QTreeView* m_fields;
  LayoutFieldsModel* m_model;
  ArrayStrip* m_arrays;
  QScrollArea* m_arraysPage;
  InstancePanel* m_instance;
  QLabel* m_failure;  // of a column that was asked for
  QTabWidget* m_tabs;
  QSplitter* m_splitter;
  PlaygroundView* m_playground;

  PreparedLayout m_shown;
  std::vector<ShownColumn> m_columns;
  std::size_t m_inForce = 0;     // of these, the one that the table, the bytes and what is picked are about
  engine::Address m_picked;      // an object of the type, or none
  engine::Address m_instanceOf;  // which the bytes were asked for
  std::shared_ptr<const engine::LayoutItems> m_items;  // of what is in force
  bool m_isFollowing = false;
  bool m_isLow = false;
};

}  // namespace heapscape::gui
