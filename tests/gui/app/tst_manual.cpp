// SPDX-License-Identifier: MIT
#include <QDir>
#include <QLineEdit>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTest>
#include <QTextBlock>
#include <QTextDocument>
#include <QTreeWidget>
#include <algorithm>

#include "app/manual/manual_window.h"
#include "app/place_info.h"
#include "app/window_actions.h"
#include "support/opened_bridge.h"
#include "support/window_driver.h"
#include "support/window_test.h"

namespace heapscape::gui {

class ManualTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void everyFileOfTheManualIsInTheProgram();
  void everyLinkLeadsToAHeadingOrAPage();
  void everyPlaceHasAChapter();
  void f1OpensTheChapterOfThePlace();
  void searchFindsPassagesAndMarksTheirWords();
  void theFoundWordIsInWhatIsShownOfAPassage();
  void linksAreUnderlined();
  void linksLeadToOtherPagesAndBackAgain();

 private:
  static QString headingInSight(const ManualWindow& manual);
};

namespace {

ManualBrowser& textOf(const ManualWindow& manual) {
  return *manual.findChild<ManualBrowser*>();
}

QTreeWidget& contentsOf(const ManualWindow& manual) {
  return *manual.findChild<QTreeWidget*>(QStringLiteral("manualContents"));
}

bool hasHeading(const QString& page, const QString& anchor) {
  const ManualIndex index;
  return std::ranges::any_of(index.chapters(), [&](const ManualChapter& chapter) {
    return chapter.page == page && (anchor.isEmpty() || anchorOf(chapter.title) == anchor);
  });
}

}  // namespace

void ManualTest::everyFileOfTheManualIsInTheProgram() {
  QStringList pages = manualPages();
  for (const QString& page : pages) QVERIFY2(!manualText(page).isEmpty(), qPrintable(page));
  std::ranges::sort(pages);
  const QDir folder(QStringLiteral(HEAPSCAPE_MANUAL));
  QCOMPARE(pages, folder.entryList({QStringLiteral("*.md")}, QDir::Files, QDir::Name));
}

void ManualTest::everyLinkLeadsToAHeadingOrAPage() {
  const QRegularExpression link(QStringLiteral("\\]\\(([^)#]*)(#([^)]*))?\\)"));
  int links = 0;
  for (const QString& page : manualPages()) {
    for (auto found = link.globalMatch(manualText(page)); found.hasNext(); ++links) {
      const auto match = found.next();
      const QString to = match.captured(1).isEmpty() ? page : match.captured(1);
      QVERIFY2(hasHeading(to, match.captured(3)), qPrintable(page + QStringLiteral(": ") + match.captured()));
    }
  }
  QVERIFY(links > 10);
}

void ManualTest::everyPlaceHasAChapter() {
  for (const QString& place : placeNames()) QVERIFY2(hasHeading(QStringLiteral("places.md"), place), qPrintable(place));
}

// The last heading above what is seen on top, a line's margin off or so.
QString ManualTest::headingInSight(const ManualWindow& manual) {
  ManualBrowser& text = textOf(manual);
  QTextBlock block = text.cursorForPosition(QPoint(40, 56)).block();
  while (block.isValid() && block.blockFormat().headingLevel() == 0) block = block.previous();
  return block.text();
}

void ManualTest::f1OpensTheChapterOfThePlace() {
  test::WindowDriver driver;
  QVERIFY(driver.openAndWait(smallDump()));
  QVERIFY(driver.show(PlaceId::Generations));
  QTest::keyClick(&driver.window(), Qt::Key_F1);
  const ManualWindow* manual = driver.window().manual();
  QVERIFY(manual && manual->isVisible());
  QTRY_COMPARE(headingInSight(*manual), QStringLiteral("Generations"));
  QCOMPARE(contentsOf(*manual).currentItem()->text(0), QStringLiteral("Generations"));
  QVERIFY(driver.show(PlaceId::Roots));
  driver.window().actions().manual->trigger();
  QCOMPARE(driver.window().manual(), manual);
  QTRY_COMPARE(headingInSight(*manual), QStringLiteral("Roots"));
}

void ManualTest::searchFindsPassagesAndMarksTheirWords() {
  test::dressApplication();
  QWidget window;
  ManualWindow manual(&window);
  manual.open(QStringLiteral("places.md"));
  auto* search = manual.findChild<QLineEdit*>(QStringLiteral("manualSearch"));
  QTest::keyClicks(search, QStringLiteral("dominator held"));
  QTreeWidget& found = contentsOf(manual);
  QVERIFY(found.topLevelItemCount() > 0);
  for (int heading = 0; heading < found.topLevelItemCount(); ++heading)
    QVERIFY(found.topLevelItem(heading)->childCount() > 0);
  QVERIFY(found.topLevelItemCount() < 30);
  QTest::keyClick(search, Qt::Key_Down);  // the heading
  QTest::keyClick(search, Qt::Key_Down);  // its first passage
  const QTextBlock block = textOf(manual).textCursor().block();
  QVERIFY2(!textOf(manual).extraSelections().isEmpty(), "its words are marked");
  for (const QTextEdit::ExtraSelection& mark : textOf(manual).extraSelections()) {
    const QString word = mark.cursor.selectedText().toLower();
    QVERIFY2(word == QStringLiteral("dominator") || word == QStringLiteral("held"), qPrintable(word));
  }
  QVERIFY(block.isValid() && block.blockNumber() > 0);
  QTest::keyClick(search, Qt::Key_Escape);
  QVERIFY(textOf(manual).extraSelections().isEmpty());
  QTest::keyClicks(search, QStringLiteral("xyzzy plugh"));
  QCOMPARE(found.topLevelItemCount(), 0);
  QVERIFY(test::shows(manual, QStringLiteral("Nothing found")));
}

void ManualTest::theFoundWordIsInWhatIsShownOfAPassage() {
  test::dressApplication();
  const QFontMetrics metrics(QGuiApplication::font());
  const int width = metrics.averageCharWidth() * 24;
  const ManualIndex index;
  const QString word = QStringLiteral("retained");
  const std::vector<ManualPassage> found = index.find({word});
  QVERIFY(found.size() > 10);
  for (const ManualPassage& passage : found) {
    const QString shown = excerptAround(passage.text, word, metrics, width);
    QVERIFY2(shown.contains(word, Qt::CaseInsensitive), qPrintable(shown));
    QVERIFY2(metrics.horizontalAdvance(shown) <= width, qPrintable(shown));
  }
  QCOMPARE(excerptAround(QStringLiteral("is retained"), word, metrics, width), QStringLiteral("is retained"));
}

void ManualTest::linksAreUnderlined() {
  test::dressApplication();
  QWidget window;
  ManualWindow manual(&window);
  manual.open(QStringLiteral("places.md"));
  int links = 0;
  for (QTextBlock block = textOf(manual).document()->begin(); block.isValid(); block = block.next()) {
    for (auto part = block.begin(); !part.atEnd(); ++part) {
      const QTextCharFormat format = part.fragment().charFormat();
      links += format.isAnchor() ? 1 : 0;
      QVERIFY2(!format.isAnchor() || format.fontUnderline(), qPrintable(part.fragment().text()));
    }
  }
  QVERIFY(links > 0);
}

void ManualTest::linksLeadToOtherPagesAndBackAgain() {
  test::dressApplication();
  QWidget window;
  ManualWindow manual(&window);
  manual.open(QStringLiteral("places.md#insights"));
  ManualBrowser& text = textOf(manual);
  const int before = text.verticalScrollBar()->value();
  text.setSource(QUrl(QStringLiteral("queries.md#grammar")));
  QCOMPARE(text.page(), QStringLiteral("queries.md"));
  QTRY_COMPARE(headingInSight(manual), QStringLiteral("Grammar"));
  QVERIFY(text.isBackwardAvailable());
  text.backward();
  QCOMPARE(text.page(), QStringLiteral("places.md"));
  QCOMPARE(text.verticalScrollBar()->value(), before);
  QVERIFY(before > 0);
}

HEAPSCAPE_WINDOW_TEST(ManualTest)

}  // namespace heapscape::gui

#include "tst_manual.moc"
