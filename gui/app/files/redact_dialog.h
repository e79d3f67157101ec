// SPDX-License-Identifier: MIT
#pragma once

#include <QDialog>

#include "base/progress.h"
#include "base/result.h"
#include "redact/redacted_copy.h"

class QCheckBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QStackedWidget;
class QTreeWidget;

namespace heapscape::gui {

class EngineBridge;

/// "/dumps/shop.redacted.core.zst" of "/dumps/shop.core.gz".
QString redactedCopyPath(const QString& dump);

/// Writes a copy of the open dump without contents: says what goes and what stays, takes choices, shows how far it is,
/// and what is left in the end.
class RedactDialog : public QDialog {
  Q_OBJECT

 public:
  /// `bridge` outlives this and has a dump open, with its objects.
  explicit RedactDialog(EngineBridge& bridge, QWidget* parent = nullptr);

  engine::RedactOptions options() const;
  /// Begins to write the copy.
  void save(const QString& path);
  bool isWriting() const;

  /// Stops the writing; otherwise closes.
  void reject() override;

 Q_SIGNALS:
  /// The copy is to be opened.
  void openWanted(const QString& path);

 private:
  enum Page { Choices, Writing, Result };

  QWidget* makeChoices();
  QWidget* makeWriting();
  QWidget* makeResult();
  QCheckBox* addChoice(QWidget* page, const char* name, const QString& text, const QString& meaning);
  void choosePath();
  void showProgress(const engine::Progress& progress);
  void finish(const engine::Outcome<engine::RedactionReport>& outcome);
  void showPage(Page page);

  EngineBridge& m_bridge;
  QString m_path;  // of the copy that is or was written
  QStackedWidget* m_pages;
  QCheckBox* m_lengths = nullptr;
  QCheckBox* m_counts = nullptr;
  QCheckBox* m_booleans = nullptr;
  QCheckBox* m_enums = nullptr;
  QCheckBox* m_hashes = nullptr;
  QLineEdit* m_renamed = nullptr;
  QLabel* m_problem = nullptr;
  QLabel* m_activity = nullptr;
  QProgressBar* m_progress = nullptr;
  QLabel* m_heading = nullptr;
  QLabel* m_where = nullptr;
  QLabel* m_sizes = nullptr;
  QTreeWidget* m_left = nullptr;
  QPushButton* m_save;
  QPushButton* m_open;
  QPushButton* m_close;
};

}  // namespace heapscape::gui
