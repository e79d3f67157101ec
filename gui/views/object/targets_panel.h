// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <memory>

#include "widgets/hex_view/object_page.h"

class QTableWidget;

namespace heapscape::gui {

/// Whom a delegate calls: one line, or several for a multicast delegate.
class TargetsPanel : public QWidget {
  Q_OBJECT

 public:
  explicit TargetsPanel(QWidget* parent = nullptr);

  void show(std::shared_ptr<const ObjectPage> page);  // null, or no delegate: nothing

 Q_SIGNALS:
  void followWanted(heapscape::engine::Address object, const QString& via);

 private:
  QTableWidget* m_table;
  std::shared_ptr<const ObjectPage> m_page;
};

}  // namespace heapscape::gui
