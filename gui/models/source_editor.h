// SPDX-License-Identifier: MIT
#pragma once

#include <QDialog>
#include <QString>
#include <QStringList>
#include <cstdint>

class QLineEdit;
class QMenu;
class QPlainTextEdit;

namespace heapscape::gui {

/// The program that source files open in, and where they lie on this machine. Paths come from a dump's PDBs: nothing
/// but the program that the user has named is ever started, and only with files that are there.
struct SourceEditor {
  QString command;      // "code -g %f:%l": %f is the file, %l the line; empty: none was named
  QStringList folders;  // of sources that were built in another place, the first that has a file counts

  /// The file on this machine: the path itself, or its longest end that a folder has; empty if there is none.
  QString find(const QString& path) const;
  /// Program and arguments, as no shell sees them; empty where no program was named.
  QStringList commandFor(const QString& file, std::uint32_t line) const;
};

/// As the settings have it.
SourceEditor sourceEditor();
void keepSourceEditor(const SourceEditor& editor);

/// Opens a line of a source file. Where no program was named or the file is not found, asks for it first, in a window
/// above `parent`.
void openSource(QWidget* parent, const QString& path, std::uint32_t line);

/// "Open Warehouse.cs:42 in the editor" and "Copy /src/Warehouse.cs:42"; nothing where no source is known.
void addSourceLinks(QMenu& menu, QWidget* parent, const QString& path, std::uint32_t line);

/// Asks for the program and the folders. `why`: what makes it ask, or empty.
class SourceEditorDialog : public QDialog {
  Q_OBJECT

 public:
  explicit SourceEditorDialog(const QString& why, QWidget* parent);

  void accept() override;

 private:
  QLineEdit* m_command;
  QPlainTextEdit* m_folders;
};

}  // namespace heapscape::gui
