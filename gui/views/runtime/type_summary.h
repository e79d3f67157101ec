// SPDX-License-Identifier: MIT
#pragma once

#include <QScrollArea>
#include <memory>

#include "session/type_details.h"

namespace heapscape::gui {

class TypeAnatomyPicture;

/// The type's figures in groups, and below them the picture of where the runtime keeps it.
class TypeSummary : public QScrollArea {
  Q_OBJECT

 public:
  explicit TypeSummary(QWidget* parent = nullptr);

  void show(std::shared_ptr<const engine::TypeDetails> type);
  TypeAnatomyPicture* picture() const { return m_picture; }

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void arrange();

  std::vector<QWidget*> m_groups;
  QWidget* m_body;
  QWidget* m_facts;
  TypeAnatomyPicture* m_picture;
  int m_columns = 0;
};

}  // namespace heapscape::gui
