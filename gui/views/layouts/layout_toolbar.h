// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <set>

#include "views/layouts/layout_column.h"

class QHBoxLayout;
class QToolButton;

namespace heapscape::gui {

/// Chooses which layouts stand beside Sequential, Auto and Best order: menus for Pack and runtimes, and a switch for
/// what only some types have. What is chosen stays so from type to type.
class ColumnChips : public QWidget {
  Q_OBJECT

 public:
  explicit ColumnChips(QWidget* parent = nullptr);

  void show(const PreparedLayout& layout);
  const std::set<ColumnKey>& chosen() const { return m_chosen; }

 Q_SIGNALS:
  void chosenChanged();

 private:
  QToolButton* addChip(const LayoutColumn& column);
  QToolButton* addMenu(const char* name, const QString& text, const QString& tip, const std::vector<ColumnKey>& keys);
  void choose(const ColumnKey& key, bool isChosen);

  QHBoxLayout* m_line;
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
  /// Puts more at the end of the line.
  void addAtEnd(QWidget* more);
  void setCanOpen(bool canOpen);

 Q_SIGNALS:
  void barChanged(bool isBar);
  void boxedChanged(bool isBoxed);
  void allOpenWanted(bool isOpen);
  void zoomWanted(int steps);  // 0 for the original size
  void textWanted();
  void playgroundWanted(bool isWanted);

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
