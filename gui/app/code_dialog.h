// SPDX-License-Identifier: MIT
#pragma once

#include <QDialog>

#include "layout/code_owners.h"

class QLineEdit;

namespace heapscape::gui {

/// Asks which assemblies are the reader's own and which are packages, where the rule does not tell them right.
class CodeDialog : public QDialog {
  Q_OBJECT

 public:
  /// `owners`: of the open dump; empty for none.
  CodeDialog(const engine::NamedCode& named, const engine::CodeOwners& owners, QWidget* parent = nullptr);

  engine::NamedCode named() const;

 private:
  QLineEdit* m_own;
  QLineEdit* m_packages;
};

}  // namespace heapscape::gui
