// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

class QToolButton;

namespace heapscape::gui {

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
