// SPDX-License-Identifier: MIT
#pragma once

#include <QLabel>
#include <QString>

namespace heapscape::gui {

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
