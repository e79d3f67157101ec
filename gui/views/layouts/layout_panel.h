// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <memory>
#include <vector>

#include "models/layout_items.h"
#include "views/layouts/layout_totals.h"

class QSplitter;
class QToolButton;
class QTreeView;

namespace heapscape::gui {

class LayoutDiagram;
class LayoutFieldsModel;
class LayoutHeadline;
class LayoutToolbar;

/// A layout ready to be shown; made on the engine thread.
struct PreparedLayout {
  engine::TypeLayout layout;
  TypePopulation population;
  std::shared_ptr<const LayoutItems> object;   // with header, boxed for a value type
  std::shared_ptr<const LayoutItems> unboxed;  // null unless it is a value type
};
PreparedLayout prepareLayout(engine::TypeLayout layout, const TypePopulation& population);

/// Everything about one type's layout: headline, diagram and table of fields. Diagram and table follow each other.
class LayoutPanel : public QWidget {
  Q_OBJECT

 public:
  explicit LayoutPanel(QWidget* parent = nullptr);

  void show(PreparedLayout layout);
  const PreparedLayout& shown() const { return m_shown; }

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void addParts();
  void setUpFields();
  void connectParts();
  void showItems();
  void openWherePaddingIs();
  void setOpen(std::uint32_t item, bool isOpen);
  void setAllOpen(bool isOpen);
  void applyOpen();
  void select(std::uint32_t item);
  void copyText();

  LayoutHeadline* m_headline;
  LayoutToolbar* m_toolbar;
  LayoutDiagram* m_diagram;
  QTreeView* m_fields;
  LayoutFieldsModel* m_model;
  QSplitter* m_splitter;

  PreparedLayout m_shown;
  std::shared_ptr<const LayoutItems> m_items;
  std::vector<bool> m_isOpen;  // by item
  bool m_isFollowing = false;
};

}  // namespace heapscape::gui
