// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

#include "widgets/painted_button.h"

namespace heapscape::gui {

struct FileFacts;

/// A dump that can be opened with one click: icon, name, where it lies, and once the disk has answered size and date.
/// Greyed if the file is gone.
class DumpButton : public PaintedButton {
  Q_OBJECT

 public:
  DumpButton(const QString& path, const QString& symbol, QWidget* parent = nullptr);

  QString path() const { return m_path; }
  /// Shown instead of the file's name; the button then stands out from a list of files.
  void setTitle(const QString& title);
  /// Shown instead of the folder and the date.
  void setNote(const QString& note);

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void show(const FileFacts& file);

  QString m_path;
  QString m_symbol;
  QString m_name;
  QString m_note;
  bool m_hasNote = false;
  bool m_isFramed = false;
  QString m_size;
  QString m_date;
};

}  // namespace heapscape::gui
