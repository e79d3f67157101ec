// SPDX-License-Identifier: MIT
#pragma once

#include <QScrollArea>

#include "views/layouts/layout_column.h"

class QVBoxLayout;

namespace heapscape::gui {

/// The advice on a layout, in one column from top to bottom: why the selected field lies where it does, why the
/// type is not laid out as declared, what would make it smaller, and the best declaration as C#.
class AdvicePanel : public QScrollArea {
  Q_OBJECT

 public:
  explicit AdvicePanel(QWidget* parent = nullptr);

  /// Put into words once it is seen.
  void show(const PreparedLayout& layout, const std::vector<AlikeColumns>& chosen);
  /// Another type: the field asked about is none of its own.
  void clear();
  /// Explains a field, by declaring type and name; empty for none.
  void showField(const std::string& declaringType, const std::string& name);

 Q_SIGNALS:
  /// The field that keeps the type from its declared layout, in the first column.
  void fieldWanted(const std::string& declaringType, const std::string& name);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void build();
  void drop();
  void buildField();
  void addWhyNotAsDeclared(QVBoxLayout* column);
  void addAdvice(QVBoxLayout* column);
  void addDeclaration(QVBoxLayout* column);
  QString reasonIn(const LayoutColumn& column) const;

  const PreparedLayout* m_layout = nullptr;
  std::vector<AlikeColumns> m_chosen;
  std::string m_declaringType;
  std::string m_field;
  QWidget* m_why = nullptr;
};

}  // namespace heapscape::gui
