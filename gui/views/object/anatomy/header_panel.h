// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <memory>

#include "widgets/hex_view/object_page.h"

class QLabel;
class QPushButton;

namespace heapscape::gui {

class HeaderRuler;

/// The object header: its bits as a ruler, what they mean in sentences, and links to what they name.
class HeaderPanel : public QWidget {
  Q_OBJECT

 public:
  explicit HeaderPanel(QWidget* parent = nullptr);

  void show(std::shared_ptr<const ObjectPage> page);  // null for none

 Q_SIGNALS:
  void threadsWanted();

 private:
  HeaderRuler* m_ruler;
  QLabel* m_value;
  QLabel* m_sentence;
  QLabel* m_remarks;
  QPushButton* m_toThreads;
};

}  // namespace heapscape::gui
