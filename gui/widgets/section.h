// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QWidget>

class QLabel;

namespace heapscape::gui {

/// A heading and what belongs to it; no frame.
class Section : public QWidget {
  Q_OBJECT

 public:
  Section(const QString& heading, QWidget* content, QWidget* parent = nullptr);

  void setHeading(const QString& heading);

 private:
  QLabel* m_heading;
};

/// A label that names a part of a page.
QLabel* makeHeading(const QString& text, QWidget* parent, double factor = 1.1);
/// A label in the colour of explanations.
QLabel* makeNote(const QString& text, QWidget* parent);

}  // namespace heapscape::gui
