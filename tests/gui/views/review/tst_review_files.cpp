// SPDX-License-Identifier: MIT
#include <QDir>
#include <QFile>
#include <QListView>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

#include "bridge/sample_dump.h"
#include "review/board.h"
#include "support/patience.h"
#include "support/window_test.h"
#include "views/review/review_model.h"
#include "views/review/review_place.h"
#include "views/review/review_scene.h"
#include "widgets/drawing/picture_actions.h"
#include "widgets/state_panel.h"
#include "widgets/text/elided_text.h"

namespace heapscape::gui {

class ReviewFilesTest : public ReviewScene {
  Q_OBJECT

 private Q_SLOTS:
  void cleanup() { closeAndForget(); }
  void isKeptBesideTheDumpAndThereAgainNextTime();
  void canBeReadWithoutTheDump();
  void aBrokenReviewIsNotWrittenOver();
  void dumpsInFoldersThatCannotBeWrittenToHaveTheirReviewElsewhere();
  void theSamplesOwnReviewIsShownAndNeverWritten();
  void pagesOfAnotherDumpOfThatNameAreToldApart();
  void aReviewThatWasOpenedStaysWhileTheDumpIsRead();
  void changesAreWrittenAtOnce();
  void aReviewIsRecognisedByItsContent();
  void whatIsNoReviewIsRefusedAndTheWindowStays();
};

void ReviewFilesTest::isKeptBesideTheDumpAndThereAgainNextTime() {
  open();
  pinTypes();
  QTRY_VERIFY(QFile::exists(reviewFile()));
  QVERIFY(part<ElidedText>("reviewFile")->text().contains(QStringLiteral("beside the dump")));
  window().bridge().close();
  QVERIFY(board().pages.empty());
  open();
  QCOMPARE(board().pages.size(), std::size_t{2});
  QVERIFY(std::holds_alternative<engine::ReviewTable>(board().pages[1].content));
}

void ReviewFilesTest::canBeReadWithoutTheDump() {
  open();
  pinTypes();
  place().save();
  window().bridge().close();
  QVERIFY(QFile::remove(dump()));
  window().open(reviewFile());
  QTRY_VERIFY(place().isVisible());
  QCOMPARE(board().pages.size(), std::size_t{2});
  part<QListView>("reviewPages")->setCurrentIndex(part<QListView>("reviewPages")->model()->index(1, 0));
  QVERIFY(part<QTableView>("pageTable")->model()->rowCount() > 100);
}

void ReviewFilesTest::aBrokenReviewIsNotWrittenOver() {
  QFile broken(reviewFile());
  QVERIFY(broken.open(QIODevice::WriteOnly));
  broken.write("{\"schema\":\"heapscape-review/1\",\"pages\":[");
  broken.close();
  open();
  pinTypes();
  QVERIFY(told().contains(QStringLiteral("Not pinned")));
  QVERIFY(m_driver->show(PlaceId::Review));
  QVERIFY(place().findChild<StatePanel*>()->state() == StatePanel::State::Failed);
  QVERIFY(broken.open(QIODevice::ReadOnly));
  QVERIFY(broken.readAll().endsWith("["));
}

void ReviewFilesTest::dumpsInFoldersThatCannotBeWrittenToHaveTheirReviewElsewhere() {
  QVERIFY((reviewFileOf(dump()) == ReviewFile{reviewFile(), true}));
  QVERIFY(QDir().mkdir(reviewFile()));  // nobody, not even root, can write a file there now
  const ReviewFile own = reviewFileOf(dump());
  QVERIFY(!own.isBesideDump);
  QVERIFY(own.path.contains(QStringLiteral("shop-10.core.zst-")));
  QVERIFY(own.path != ownReviewFileOf(QStringLiteral("/elsewhere/shop-10.core.zst")).path);
  open();
  pinTypes();
  place().save();
  QVERIFY(QFile::exists(own.path));
  QVERIFY(part<ElidedText>("reviewFile")->text().contains(QStringLiteral("cannot be written to")));
  QVERIFY(QFile::remove(own.path));
  QVERIFY(QDir().rmdir(reviewFile()));
}

void ReviewFilesTest::theSamplesOwnReviewIsShownAndNeverWritten() {
  QFile bundled(bundledReviewOf(sampleDumpPath()));
  QVERIFY(bundled.open(QIODevice::ReadOnly));
  const QByteArray before = bundled.readAll();
  bundled.close();
  const ReviewFile own = reviewFileOf(sampleDumpPath());
  QVERIFY(!own.isBesideDump);
  QFile::remove(own.path);
  test::WindowDriver driver;
  QVERIFY(driver.openAndWait(sampleDumpPath()));
  ReviewPlace& review = *driver.window().review();
  QTRY_VERIFY(!review.model().board().pages.empty());
  const std::size_t pages = review.model().board().pages.size();
  review.pin({.title = "Mine"});
  review.save();
  driver.window().bridge().close();
  QVERIFY(bundled.open(QIODevice::ReadOnly));
  QVERIFY(bundled.readAll() == before);
  const auto kept = engine::loadBoard(own.path.toStdString());
  QVERIFY(kept.has_value());
  QCOMPARE(kept->pages.size(), pages + 1);
  QVERIFY(QFile::remove(own.path));
}

void ReviewFilesTest::pagesOfAnotherDumpOfThatNameAreToldApart() {
  const engine::ReviewBoard kept{.title = {},
                                 .dump = "shop-10.core.zst",
                                 .summary = ".NET 10.0.12, workstation, 3 B in 1 object",
                                 .pages = {{.title = "An earlier one"}}};
  QVERIFY(engine::saveBoard(kept, reviewFile().toStdString()).has_value());
  open();
  QVERIFY(m_driver->show(PlaceId::Review));
  const auto* other = place().findChild<QWidget*>(QStringLiteral("otherDump"));
  QVERIFY(other->isVisible());
  QVERIFY(other->accessibleName().contains(QStringLiteral("3 B in 1 object")));
  place().pin({.title = "Now"});
  QVERIFY(board().pages[1].source.starts_with(".NET 10."));
  QCOMPARE(board().summary, kept.summary);

  place().save();
  window().bridge().close();
  QVERIFY(QFile::remove(reviewFile()));
  open();
  place().pin({.title = "Now"});
  window().bridge().close();
  open();
  QVERIFY(m_driver->show(PlaceId::Review));
  QCOMPARE(board().pages.size(), std::size_t{2});
  QVERIFY2(!other->isVisible(), "the same dump is the same");
}

void ReviewFilesTest::aReviewThatWasOpenedStaysWhileTheDumpIsRead() {
  const QString elsewhere = m_folder->filePath(QStringLiteral("kept.heapscape-review.json"));
  const engine::ReviewBoard kept{
      .title = {}, .dump = "other.core", .summary = ".NET 8.0.1", .pages = {{.title = "Kept"}}};
  QVERIFY(engine::saveBoard(kept, elsewhere.toStdString()).has_value());
  open();
  QString trouble = QStringLiteral("not told yet");
  place().openReview(elsewhere, [&trouble](const QString& told) { trouble = told; });
  QTRY_COMPARE(trouble, QString());
  place().showSnapshot(*window().bridge().snapshot());
  QCOMPARE(board().pages.size(), std::size_t{1});
  QCOMPARE(board().pages[0].title, std::string("Kept"));
  QVERIFY(part<ElidedText>("reviewFile")->text().contains(QStringLiteral("other.core")));
}

void ReviewFilesTest::changesAreWrittenAtOnce() {
  open();
  place().pin({.title = "Kept"});
  const auto titleOnDisk = [this] {
    const auto board = engine::loadBoard(reviewFile().toStdString());
    return board && !board->pages.empty() ? board->pages.back().title : std::string();
  };
  // Nothing has to happen first: the thread that writes needs no events.
  for (int waited = 0; waited < test::kPatienceMs && titleOnDisk() != "Kept"; ++waited) QTest::qSleep(1);
  QCOMPARE(titleOnDisk(), std::string("Kept"));
  QVERIFY(m_driver->show(PlaceId::Review));
  auto* note = part<QPlainTextEdit>("pageNote");
  QTest::keyClicks(note, QStringLiteral("Words that go on and on"));
  const auto noteOnDisk = [this] {
    const auto board = engine::loadBoard(reviewFile().toStdString());
    return board && !board->pages.empty() ? board->pages.back().note : std::string();
  };
  QTRY_COMPARE(noteOnDisk(), std::string("Words that go on and on"));
}

void ReviewFilesTest::aReviewIsRecognisedByItsContent() {
  open();
  const engine::ReviewBoard kept{.title = "A report", .dump = "other.core", .summary = {}, .pages = {{.title = "One"}}};
  for (const char* name : {"report.json", "report"}) {
    const QString file = m_folder->filePath(QLatin1String(name));
    QVERIFY(engine::saveBoard(kept, file.toStdString()).has_value());
    QVERIFY(m_driver->show(PlaceId::Types));
    window().open(file);
    QTRY_VERIFY(place().isVisible());
    QCOMPARE(board().title, std::string("A report"));
  }
  QVERIFY(window().bridge().snapshot());
}

void ReviewFilesTest::whatIsNoReviewIsRefusedAndTheWindowStays() {
  open();
  QVERIFY(m_driver->show(PlaceId::Types));
  QSignalSpy refused(&window(), &MainWindow::refused);
  const QString other = m_folder->filePath(QStringLiteral("figures.json"));
  QFile file(other);
  QVERIFY(file.open(QIODevice::WriteOnly) && file.write("{\"objects\": 1}") > 0);
  file.close();
  window().open(other);
  QTRY_COMPARE(refused.count(), 1);
  QVERIFY(refused[0][0].toString().contains(QStringLiteral("no review")));
  QVERIFY(window().place(PlaceId::Types)->isVisible());
  auto* box = window().findChild<QMessageBox*>();
  QVERIFY(box && box->isVisible());
  box->reject();
}

HEAPSCAPE_WINDOW_TEST(ReviewFilesTest)

}  // namespace heapscape::gui

#include "tst_review_files.moc"
