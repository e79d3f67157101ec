// SPDX-License-Identifier: MIT
#pragma once

#include <QLabel>
#include <QString>

namespace heapscape::gui {

/// The same text, which a label can break behind dots, commas and brackets unless they are part of a figure, between
/// the words of a long name, and anywhere in what has none of these for long: a word that is longer than its line would
/// be cut in the middle of a letter.
QString breakableText(const QString& text);

/// A type's name over as many lines as it needs, broken behind dots, commas and brackets; one that is far too long is
/// shortened in the middle. The tooltip and Copy have all of it.
class WrappedName : public QLabel {
  Q_OBJECT

 public:
  explicit WrappedName(QWidget* parent = nullptr);

  void setText(const QString& name);

 private:
  QString m_name;
};

}  // namespace heapscape::gui
