// SPDX-License-Identifier: MIT
#pragma once

#include <QStringList>
#include <QWidget>

class QButtonGroup;

namespace heapscape::gui {

/// A choice between a few words in a line, one of which always holds.
class ChoiceBar : public QWidget {
  Q_OBJECT

 public:
  /// The buttons are called `name` and their number from 0; `tips` are as many as `words`.
  ChoiceBar(const QString& name, const QStringList& words, const QStringList& tips, QWidget* parent = nullptr);

  int choice() const;
  void choose(int choice);

 Q_SIGNALS:
  void chosen(int choice);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QButtonGroup* m_buttons;
};

}  // namespace heapscape::gui
