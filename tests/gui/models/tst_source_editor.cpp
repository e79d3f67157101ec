// SPDX-License-Identifier: MIT
// Opening a line of a source file in the user's editor.
#include <QApplication>
#include <QDialogButtonBox>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include "bridge/literals.h"
#include "models/source_editor.h"
#include "support/settings_folder.h"
#include "support/window_test.h"

namespace heapscape::gui {

class SourceEditorTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { QVERIFY(m_settings.isValid()); }

  void init() { keepSourceEditor({}); }

  void findsAFileByItsPathOrByTheEndOfIt() {
    const QTemporaryDir folder;
    const QString file = write(folder, u"shop/Orders.cs"_s);
    const SourceEditor here{.command = {}, .folders = {folder.path()}};
    QCOMPARE(SourceEditor().find(file), file);
    QCOMPARE(here.find(u"/build/7/shop/Orders.cs"_s), file);
    QCOMPARE(here.find(u"C:\\src\\shop\\Orders.cs"_s), file);
    QCOMPARE(here.find(u"/build/7/shop/Others.cs"_s), QString());
    QCOMPARE(SourceEditor().find(u"/build/7/shop/Orders.cs"_s), QString());
  }

  // A dump may name anything.
  void findsNothingOutsideOfTheFolders() {
    const QTemporaryDir folder;
    write(folder, u"secret.cs"_s);
    const SourceEditor here{.command = {}, .folders = {folder.filePath(u"shop"_s), u"relative"_s}};
    QCOMPARE(here.find(u"x/../secret.cs"_s), QString());
    QCOMPARE(here.find(folder.path()), QString());
    QCOMPARE(here.find(u"-rf"_s), QString());
  }

  void makesACommandThatNoShellSees() {
    const SourceEditor code{.command = u"code -g %f:%l"_s, .folders = {}};
    QCOMPARE(code.commandFor(u"/src/My $(shop)/A.cs"_s, 42),
             (QStringList{u"code"_s, u"-g"_s, u"/src/My $(shop)/A.cs:42"_s}));
    const SourceEditor kate{.command = u"kate"_s, .folders = {}};
    QCOMPARE(kate.commandFor(u"/a.cs"_s, 0), (QStringList{u"kate"_s, u"/a.cs"_s}));
    QCOMPARE(SourceEditor().commandFor(u"/a.cs"_s, 1), QStringList());
  }

  void asksForTheProgramThenStartsItWithTheLine() {
    const QTemporaryDir folder;
    const QString file = write(folder, u"shop/Orders.cs"_s);
    const QString told = folder.filePath(u"told"_s);
    int asked = 0;
    QTimer answers;
    connect(&answers, &QTimer::timeout, this, [&] {
      auto* dialog = qobject_cast<SourceEditorDialog*>(QApplication::activeModalWidget());
      if (!dialog) return;
      ++asked;
      dialog->findChild<QLineEdit*>(u"sourceCommand"_s)->setText(u"/bin/sh -c \"echo $0 > %1\" %f:%l"_s.arg(told));
      dialog->findChild<QPlainTextEdit*>(u"sourceFolders"_s)->setPlainText(folder.path());
      dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok)->click();
    });
    answers.start(10);
    QMenu menu;
    addSourceLinks(menu, nullptr, u"/build/7/shop/Orders.cs"_s, 42);
    QCOMPARE(menu.actions().constFirst()->text(), u"Open Orders.cs:42 in the editor"_s);
    QWidget parent;
    openSource(&parent, u"/build/7/shop/Orders.cs"_s, 42);
    QCOMPARE(asked, 1);
    QTRY_COMPARE(textOf(told), file + u":42\n"_s);
    openSource(&parent, u"/build/7/shop/Orders.cs"_s, 43);
    QTRY_COMPARE(textOf(told), file + u":43\n"_s);
    QCOMPARE(asked, 1);
  }

  void offersNothingWhereNoSourceIsKnown() {
    QMenu menu;
    addSourceLinks(menu, nullptr, {}, 0);
    QVERIFY(menu.isEmpty());
  }

 private:
  static QString write(const QTemporaryDir& folder, const QString& name) {
    const QString path = folder.filePath(name);
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly)) return {};
    return QFileInfo(path).filePath();
  }
  static QString textOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
  }

  test::SettingsFolder m_settings;
};

HEAPSCAPE_WINDOW_TEST(SourceEditorTest)

}  // namespace heapscape::gui

#include "tst_source_editor.moc"
