// SPDX-License-Identifier: MIT
#include "models/source_editor.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QProcess>
#include <QSettings>

#include "bridge/literals.h"
#include "models/object_menu.h"
#include "widgets/drawing/symbol_icon.h"

namespace heapscape::gui {
namespace {

constexpr auto kCommandKey = "source/editor";
constexpr auto kFoldersKey = "source/folders";

QString fileNameOf(const QString& path) {
  return path.mid(path.lastIndexOf(QLatin1Char('/')) + 1);
}

/// With slashes, whichever system has built it.
QString withSlashes(QString path) {
  return path.replace(QLatin1Char('\\'), QLatin1Char('/'));
}

QString placeText(const QString& name, std::uint32_t line) {
  return line == 0 ? name : u"%1:%2"_s.arg(name).arg(line);
}

}  // namespace

QString SourceEditor::find(const QString& path) const {
  const QString whole = withSlashes(path);
  if (whole.split(QLatin1Char('/')).contains(u".."_s)) return {};
  const auto isThere = [](const QString& file) { return QFileInfo(file).isFile(); };
  if (whole.startsWith(QLatin1Char('/')) && isThere(whole)) return whole;
  for (const QString& folder : folders) {
    if (!QDir::isAbsolutePath(folder)) continue;
    for (QString end = whole; !end.isEmpty(); end = end.section(QLatin1Char('/'), 1)) {
      const QString file = QDir::cleanPath(folder + QLatin1Char('/') + end);
      if (isThere(file)) return file;
    }
  }
  return {};
}

QStringList SourceEditor::commandFor(const QString& file, std::uint32_t line) const {
  QStringList words = QProcess::splitCommand(command);
  if (words.isEmpty()) return {};
  bool hasFile = false;
  for (qsizetype i = 1; i < words.size(); ++i) {
    hasFile |= words[i].contains(u"%f"_s);
    words[i].replace(u"%l"_s, QString::number(std::max(line, 1u))).replace(u"%f"_s, file);
  }
  if (!hasFile) words << file;
  return words;
}

SourceEditor sourceEditor() {
  const QSettings settings;
  return {settings.value(QLatin1String(kCommandKey)).toString(),
          settings.value(QLatin1String(kFoldersKey)).toStringList()};
}

void keepSourceEditor(const SourceEditor& editor) {
  QSettings settings;
  settings.setValue(QLatin1String(kCommandKey), editor.command);
  settings.setValue(QLatin1String(kFoldersKey), editor.folders);
}

void openSource(QWidget* parent, const QString& path, std::uint32_t line) {
  const auto tryOpening = [&]() -> QString {
    const SourceEditor editor = sourceEditor();
    const QString file = editor.find(path);
    if (editor.command.trimmed().isEmpty())
      return u"Which program shall open %1?"_s.arg(placeText(fileNameOf(withSlashes(path)), line));
    if (file.isEmpty()) return u"%1 is not on this machine. Name the folder that has the sources."_s.arg(path);
    QStringList words = editor.commandFor(file, line);
    const QString program = words.takeFirst();
    if (QProcess::startDetached(program, words)) return {};
    return u"%1 could not be started."_s.arg(program);
  };
  for (QString why = tryOpening(); !why.isEmpty(); why = tryOpening()) {
    SourceEditorDialog dialog(why, parent);
    if (dialog.exec() != QDialog::Accepted) return;
  }
}

void addSourceLinks(QMenu& menu, QWidget* parent, const QString& path, std::uint32_t line) {
  if (path.isEmpty()) return;
  menu.addAction(symbolIcon(u"open"_s), u"Open %1 in the editor"_s.arg(placeText(fileNameOf(withSlashes(path)), line)),
                 parent, [parent, path, line] { openSource(parent, path, line); });
  addCopy(menu, u"Copy the place in the source"_s, placeText(path, line));
}

SourceEditorDialog::SourceEditorDialog(const QString& why, QWidget* parent)
    : QDialog(parent), m_command(new QLineEdit(this)), m_folders(new QPlainTextEdit(this)) {
  setWindowTitle(u"Editor for source files"_s);
  const SourceEditor editor = sourceEditor();
  m_command->setObjectName(u"sourceCommand"_s);
  m_command->setText(editor.command);
  m_command->setPlaceholderText(u"code -g %f:%l"_s);
  m_command->setMinimumWidth(fontMetrics().averageCharWidth() * 48);
  m_folders->setObjectName(u"sourceFolders"_s);
  m_folders->setPlainText(editor.folders.join(QLatin1Char('\n')));
  m_folders->setTabChangesFocus(true);
  m_folders->setMaximumHeight(fontMetrics().lineSpacing() * 5);
  auto* form = new QFormLayout(this);
  if (!why.isEmpty()) {
    auto* reason = new QLabel(why, this);
    reason->setTextFormat(Qt::PlainText);
    reason->setWordWrap(true);
    form->addRow(reason);
  }
  form->addRow(u"&Command"_s, m_command);
  auto* hint =
      new QLabel(u"%f is the file, %l the line. Examples: code -g %f:%l · rider --line %l %f · kate -l %l %f"_s, this);
  hint->setWordWrap(true);
  form->addRow(QString(), hint);
  form->addRow(u"&Folders with sources"_s, m_folders);
  auto* more = new QLabel(
      u"One a line. They are searched when a path from the dump is not on this machine, by the end of the path."_s,
      this);
  more->setWordWrap(true);
  form->addRow(QString(), more);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
  form->addRow(buttons);
  connect(buttons, &QDialogButtonBox::accepted, this, &SourceEditorDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

void SourceEditorDialog::accept() {
  SourceEditor editor{.command = m_command->text().trimmed(), .folders = {}};
  for (const QString& line : m_folders->toPlainText().split(QLatin1Char('\n'))) {
    if (!line.trimmed().isEmpty()) editor.folders << line.trimmed();
  }
  keepSourceEditor(editor);
  QDialog::accept();
}

}  // namespace heapscape::gui
