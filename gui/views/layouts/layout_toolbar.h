// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <set>

#include "views/layouts/layout_column.h"

class QToolButton;

namespace heapscape::gui {

class FlowLayout;

/// Chooses which layouts stand side by side: a switch for each rule set with the size it gives, menus for Pack and
/// runtimes. What is chosen stays so from type to type.
class ColumnChips : public QWidget {
  Q_OBJECT

 public:
  explicit ColumnChips(QWidget* parent = nullptr);

  void show(const PreparedLayout& layout);
  const std::set<ColumnKey>& chosen() const { return m_chosen; }

 Q_SIGNALS:
  void chosenChanged();

 private:
  QToolButton* addChip(const PreparedLayout& layout, const LayoutColumn& column);
  QToolButton* addMenu(const char* name, const QString& text, const QString& tip, const std::vector<ColumnKey>& keys);
  void choose(const ColumnKey& key, bool isChosen);

  FlowLayout* m_line;
  std::vector<QWidget*> m_chips;
  QToolButton* m_pack;
  QToolButton* m_runtime;
  std::set<ColumnKey> m_chosen;
};

/// How the diagram is shown: rows or bar, unboxed or boxed, all open, zoom; and copying it as text.
class LayoutToolbar : public QWidget {
  Q_OBJECT

 public:
  explicit LayoutToolbar(QWidget* parent = nullptr);

  bool isBar() const;
  bool isBoxed() const;
  void setForValueType(bool isValueType);
  void setCanOpen(bool canOpen);

 Q_SIGNALS:
  void barChanged(bool isBar);
  void boxedChanged(bool isBoxed);
  void allOpenWanted(bool isOpen);
  void zoomWanted(int steps);  // 0 for the original size
  void textWanted();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  QToolButton* add(const char* name, const QString& text, const QString& tip);
  void addPair(QToolButton* left, QToolButton* right);
  void keepTogether(QToolButton* left, QToolButton* right);
  void fitCopy();

  QToolButton* m_rows;
  QToolButton* m_bar;
  QToolButton* m_unboxed;
  QToolButton* m_boxed;
  QToolButton* m_openAll;
  QToolButton* m_closeAll;
  QToolButton* m_copy;
};

}  // namespace heapscape::gui
