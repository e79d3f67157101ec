// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <memory>

#include "widgets/hex_view/object_page.h"

class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;

namespace heapscape::gui {

class ElidedText;

/// The characters of a string, with a search.
class TextPanel : public QWidget {
  Q_OBJECT

 public:
  explicit TextPanel(QWidget* parent = nullptr);

  void show(std::shared_ptr<const ObjectPage> page);  // null, or no string: nothing

 Q_SIGNALS:
  /// More characters than are shown.
  void moreWanted(std::size_t units);

 private:
  void find(bool forward);

  ElidedText* m_facts;
  ElidedText* m_damage;
  QLineEdit* m_search;
  QPlainTextEdit* m_text;
  QPushButton* m_more;
  std::size_t m_shown = 0;
};

/// "1,234 characters from offset 12, terminator 2 bytes, alignment 4 bytes".
QString stringFacts(const engine::StringDetails& string);

}  // namespace heapscape::gui
