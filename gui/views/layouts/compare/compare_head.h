// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <vector>

class QPushButton;

namespace heapscape::gui {

class ElidedText;
struct ComparedLayouts;
struct ComparisonPartner;

/// What to compare the open file with, and what came of it in a line.
class CompareHead : public QWidget {
  Q_OBJECT

 public:
  explicit CompareHead(QWidget* parent = nullptr);

  /// The open file; empty for none.
  void showFile(const QString& path);
  void showResult(const ComparedLayouts& compared);
  void showNoResult();

 Q_SIGNALS:
  void partnerPicked(const heapscape::gui::ComparisonPartner& partner);

 private:
  QPushButton* makeButton(const QString& text, const QString& tip);
  void pickFile();

  QString m_path;
  ElidedText* m_question;
  std::vector<QPushButton*> m_buttons;
  ElidedText* m_result;
};

}  // namespace heapscape::gui
