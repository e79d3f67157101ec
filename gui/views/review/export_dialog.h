// SPDX-License-Identifier: MIT
#pragma once

#include <QDialog>

#include "review/board.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QListWidget;

namespace heapscape::gui {

/// How a review is to be sent around: as an HTML page or a PDF, with or without what strings and fields hold. Lists
/// what the pages lose without.
class ExportDialog : public QDialog {
  Q_OBJECT

 public:
  enum class Form { Html, Pdf };

  explicit ExportDialog(const engine::ReviewBoard& board, QWidget* parent = nullptr);

  Form form() const;
  bool isRedacted() const;

 private:
  void showWhatIsLeftOut();

  QComboBox* m_form;
  QCheckBox* m_redact;
  QLabel* m_about;
  QListWidget* m_changes;
};

/// Writes the board in that form; what went wrong, or nothing.
QString exportReview(const engine::ReviewBoard& board, ExportDialog::Form form, bool isRedacted, const QString& path);

}  // namespace heapscape::gui
