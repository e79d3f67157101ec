// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

namespace heapscape::gui {

/// One line with a type's full name, its namespace dimmed; cut to fit, whole in its tooltip.
class ElidedLabel : public QWidget {
  Q_OBJECT

 public:
  explicit ElidedLabel(QWidget* parent = nullptr);

  void setName(const QString& name, int dimmedPrefix);
  QString name() const { return m_name; }
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString m_name;
  QString m_shortName;
  int m_dimmedPrefix = 0;
};

}  // namespace heapscape::gui
