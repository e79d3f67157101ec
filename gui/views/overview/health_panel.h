// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

#include "views/overview/health_items.h"

class QVBoxLayout;

namespace heapscape::gui {

/// What is missing or damaged, an entry each; or that nothing is.
class HealthPanel : public QWidget {
  Q_OBJECT

 public:
  explicit HealthPanel(QWidget* parent = nullptr);

  void setReport(const HealthReport& report);
  bool hasItems() const { return !m_report.items.empty(); }

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void build();
  void addEntry(QVBoxLayout* list, const QString& symbol, const QColor& colour, const HealthItem& item);

  HealthReport m_report;
  QWidget* m_body = nullptr;
};

}  // namespace heapscape::gui
