// SPDX-License-Identifier: MIT
#include <QAbstractItemModelTester>
#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QFile>
#include <QGuiApplication>
#include <QLineEdit>
#include <QListView>
#include <QListWidget>
#include <QMimeData>
#include <QPainter>
#include <QPixmap>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSvgRenderer>
#include <QTableView>
#include <QTest>
#include <memory>

#include "app/window_actions.h"
#include "review/board.h"
#include "review/html_page.h"
#include "review/opening_page.h"
#include "session/objects/object_query.h"
#include "support/window_driver.h"
#include "support/window_test.h"
#include "views/review/export_dialog.h"
#include "views/review/review_model.h"
#include "views/review/review_place.h"
#include "views/review/review_scene.h"
#include "widgets/drawing/picture_actions.h"
#include "widgets/state_panel.h"

namespace heapscape::gui {

class ReviewPlaceTest : public ReviewScene {
  Q_OBJECT

 private Q_SLOTS:
  void cleanup() { closeAndForget(); }
  void tellsHowToPinWhereNothingIs();
  void pinsTheTableThatHasTheFocus();
  void pinsAPictureAndSaysWhichPageItIs();
  void saysSoWhereThereIsNothingToPin();
  void pagesAreRenamedMovedNotedAndDeleted();
  void exportsWithoutContents();
  void dialogLeavesContentsOutUnlessToldOtherwise();
  void modelMovesByDragging();
  void aDeletedPageComesBackWhereItWas();
  void aTitleMayBeWrittenWithBlanks();
  void eachPageHasAThumbnailOfWhatItShows();
  void exportListsWhatItLeavesOut();
  void graphsArePinnedWithAndWithoutContents();
  void theFirstPageComesByItself();
  void pinnedPicturesHaveTheirLegend();
  void thumbnailsFollowTheTheme();
  void pagesAreCopiedAsMarkdown();
};

void ReviewPlaceTest::tellsHowToPinWhereNothingIs() {
  open();
  QVERIFY(m_driver->show(PlaceId::Review));
  const auto* state = place().findChild<StatePanel*>();
  QVERIFY(state->isVisible());
  QVERIFY(test::visibleTexts(place()).join(QLatin1Char(' ')).contains(QStringLiteral("Ctrl+Shift+P")));
  QVERIFY(!QFile::exists(reviewFile()));
}

void ReviewPlaceTest::pinsTheTableThatHasTheFocus() {
  open();
  pinTypes();
  QCOMPARE(board().pages.size(), std::size_t{2});  // behind the one that comes by itself
  const engine::ReviewPage& page = board().pages[1];
  QCOMPARE(page.source, std::string("Types"));
  const auto& table = std::get<engine::ReviewTable>(page.content);
  QVERIFY(table.rows.size() > 100);
  QVERIFY(!engine::holdsContents(page));
  QVERIFY(std::ranges::any_of(table.rows, [](const auto& row) { return row[0].text == "System.String"; }));
  QVERIFY(std::ranges::any_of(table.columns, [](const auto& c) { return c.kind == engine::ColumnKind::Bytes; }));
  QCOMPARE(board().dump, std::string("shop-10.core.zst"));
  QVERIFY(board().summary.starts_with(".NET 10."));
}

void ReviewPlaceTest::pinsAPictureAndSaysWhichPageItIs() {
  open();
  pinTypes();
  QVERIFY(m_driver->show(PlaceId::Generations));
  QWidget* picture = nullptr;
  for (QWidget* part : window().place(PlaceId::Generations)->findChildren<QWidget*>()) {
    const QAction* action = pinActionAround(part);
    if (part->isVisible() && action && action->parent() == part && !qobject_cast<QAbstractItemView*>(part))
      picture = part;
  }
  QVERIFY(picture);
  pinActionAround(picture)->trigger();
  QCOMPARE(board().pages.size(), std::size_t{3});
  const auto& pinned = std::get<engine::ReviewPicture>(board().pages[2].content);
  QVERIFY(pinned.svg.find("<svg") != std::string::npos);
  QVERIFY(!pinned.holdsContents);
  QCOMPARE(board().pages[2].source, std::string("Generations"));
  QCOMPARE(told(), QStringLiteral("Pinned to review · page 3"));
  QVERIFY2(engine::parseBoard(engine::writtenBoard(board())).has_value(), "what is pinned can be read back");
}

void ReviewPlaceTest::saysSoWhereThereIsNothingToPin() {
  open();
  window().setFocus();
  window().actions().pin->trigger();
  QVERIFY(told().contains(QStringLiteral("Nothing to pin")));
  QVERIFY(board().pages.empty());
}

void ReviewPlaceTest::pagesAreRenamedMovedNotedAndDeleted() {
  open();
  pinTypes();
  QVERIFY(m_driver->show(PlaceId::Review));
  QTest::mouseClick(part<QPushButton>("newNote"), Qt::LeftButton);
  QCOMPARE(board().pages.size(), std::size_t{3});
  part<QLineEdit>("pageTitle")->clear();
  QTest::keyClicks(part<QLineEdit>("pageTitle"), QStringLiteral("What we saw"));
  QCOMPARE(board().pages[2].title, std::string("What we saw"));
  QTest::keyClicks(part<QPlainTextEdit>("pageNote"), QStringLiteral("Too many orders"));
  QCOMPARE(board().pages[2].note, std::string("Too many orders"));

  auto* list = part<QListView>("reviewPages");
  list->setFocus();
  QTest::keyClick(list, Qt::Key_Up, Qt::AltModifier);
  QCOMPARE(board().pages[1].title, std::string("What we saw"));
  QCOMPARE(list->currentIndex().row(), 1);
  list->setCurrentIndex(list->model()->index(2, 0));
  QVERIFY(part<QTableView>("pageTable")->isVisible());
  QVERIFY(part<QTableView>("pageTable")->model()->rowCount() > 100);
  QTest::keyClick(list, Qt::Key_Delete);
  QCOMPARE(board().pages.size(), std::size_t{2});
  QCOMPARE(part<QLineEdit>("pageTitle")->text(), QStringLiteral("What we saw"));
}

void ReviewPlaceTest::exportsWithoutContents() {
  engine::ReviewBoard board{.title = "Export", .dump = {}, .summary = {}, .pages = {}};
  engine::ReviewTable table{.columns = {{"Text", engine::ColumnKind::Text, true}, {"Length"}},
                            .rows = {{{"a secret"}, {"8"}}}};
  board.pages.push_back({.title = "Strings", .content = table});
  const QString page = m_folder->filePath(QStringLiteral("a.html"));
  QCOMPARE(exportReview(board, ExportDialog::Form::Html, true, page), QString());
  QFile file(page);
  QVERIFY(file.open(QIODevice::ReadOnly));
  QVERIFY(!file.readAll().contains("a secret"));
  file.close();
  QCOMPARE(exportReview(board, ExportDialog::Form::Html, false, page), QString());
  QVERIFY(file.open(QIODevice::ReadOnly));
  QVERIFY(file.readAll().contains("a secret"));
  QCOMPARE(exportReview(board, ExportDialog::Form::Pdf, true, m_folder->filePath(QStringLiteral("a.pdf"))), QString());
  QVERIFY(!exportReview(board, ExportDialog::Form::Pdf, true, QStringLiteral("/proc/none/a.pdf")).isEmpty());
  QVERIFY(!exportReview(board, ExportDialog::Form::Html, true, QStringLiteral("/proc/none/a.html")).isEmpty());
}

void ReviewPlaceTest::dialogLeavesContentsOutUnlessToldOtherwise() {
  const ExportDialog dialog({});
  QVERIFY(dialog.isRedacted());
  QVERIFY(dialog.form() == ExportDialog::Form::Html);
}

void ReviewPlaceTest::modelMovesByDragging() {
  ReviewModel model;
  const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
  for (const char* title : {"a", "b", "c"}) model.add({.title = title});
  const auto titles = [&model] {
    std::string all;
    for (const auto& page : model.board().pages) all += page.title;
    return all;
  };
  const std::unique_ptr<QMimeData> first(model.mimeData({model.index(0)}));
  QVERIFY(!model.dropMimeData(first.get(), Qt::MoveAction, 3, 0, {}));  // true would make the view remove it
  QCOMPARE(titles(), std::string("bca"));
  const std::unique_ptr<QMimeData> last(model.mimeData({model.index(2)}));
  model.dropMimeData(last.get(), Qt::MoveAction, 0, 0, {});
  QCOMPARE(titles(), std::string("abc"));
  model.dropMimeData(last.get(), Qt::MoveAction, 0, 0, model.index(1));
  QCOMPARE(titles(), std::string("abc"));
}

void ReviewPlaceTest::aDeletedPageComesBackWhereItWas() {
  open();
  for (const char* title : {"one", "two", "three"}) place().pin({.title = title});
  QVERIFY(m_driver->show(PlaceId::Review));
  auto* list = part<QListView>("reviewPages");
  list->setFocus();
  list->setCurrentIndex(list->model()->index(2, 0));
  QTest::keyClick(list, Qt::Key_Delete);
  QCOMPARE(board().pages.size(), std::size_t{3});
  auto* undo = part<QPushButton>("undoDelete");
  QVERIFY(undo->isVisible());
  undo->click();
  QCOMPARE(board().pages.size(), std::size_t{4});
  QCOMPARE(board().pages[2].title, std::string("two"));
  QCOMPARE(list->currentIndex().row(), 2);
  QVERIFY(!undo->isVisible());

  QTest::keyClick(list, Qt::Key_Delete);
  QTest::keyClick(list, Qt::Key_Z, Qt::ControlModifier);
  QCOMPARE(board().pages[2].title, std::string("two"));

  while (!board().pages.empty()) QTest::keyClick(list, Qt::Key_Delete);
  auto* state = place().findChild<StatePanel*>();
  QVERIFY(state->isVisible());
  auto* back = state->findChild<QPushButton*>();
  QVERIFY(back->text().contains(QStringLiteral("Bring back")));
  back->click();
  QCOMPARE(board().pages.size(), std::size_t{1});
  QVERIFY(list->isVisible());
}

void ReviewPlaceTest::aTitleMayBeWrittenWithBlanks() {
  open();
  place().pin({.title = "ab c"});
  QVERIFY(m_driver->show(PlaceId::Review));
  auto* title = part<QLineEdit>("pageTitle");
  title->setFocus();
  title->end(false);
  QTest::keyClick(title, Qt::Key_Backspace);
  QTest::keyClicks(title, QStringLiteral("d"));
  QCOMPARE(board().pages[1].title, std::string("ab d"));
}

void ReviewPlaceTest::eachPageHasAThumbnailOfWhatItShows() {
  ReviewModel model;
  model.add({.title = "note", .note = "one line"});
  model.add({.title = "table", .content = engine::ReviewTable{.columns = {{"Type"}}, .rows = {{{"Order"}}}}});
  model.add({.title = "picture",
             .content = engine::ReviewPicture{.svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\">"
                                                     "<rect width=\"9\" height=\"9\" fill=\"#0072b2\"/></svg>",
                                              .width = 9,
                                              .height = 9}});
  const auto thumbnail = [&model](int row) {
    return model.index(row).data(Qt::DecorationRole).value<QPixmap>().toImage();
  };
  QCOMPARE(thumbnail(2).pixelColor(thumbnail(2).rect().center()), QColor(0x00, 0x72, 0xb2));
  QVERIFY(thumbnail(0) != thumbnail(1));
  const QImage note = thumbnail(0);
  model.setNote(0, QStringLiteral("one line\nand another"));
  QVERIFY(thumbnail(0) != note);
  const QImage table = thumbnail(1);
  model.movePage(1, 2);
  QCOMPARE(thumbnail(2), table);
}

void ReviewPlaceTest::exportListsWhatItLeavesOut() {
  engine::ReviewBoard board;
  board.pages.push_back({.title = "Clean", .content = engine::ReviewTable{.columns = {{"Type"}}}});
  board.pages.push_back(
      {.title = "Strings",
       .content = engine::ReviewTable{.columns = {{"Text", engine::ColumnKind::Text, true}, {"Length"}},
                                      .rows = {{{"a secret"}, {"8"}}}}});
  board.pages.push_back(
      {.title = "Graph",
       .content = engine::ReviewPicture{"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\">"
                                        "<text>a secret</text></svg>",
                                        9, 9, true}});
  ExportDialog dialog(board);
  dialog.show();
  const auto* changes = dialog.findChild<QListWidget*>(QStringLiteral("exportChanges"));
  QVERIFY(changes->isVisible());
  QCOMPARE(changes->count(), 2);
  QVERIFY(changes->item(0)->text().startsWith(QStringLiteral("2 · Strings\n")));
  QVERIFY(changes->item(0)->text().contains(QStringLiteral("Text")));
  QVERIFY(changes->item(1)->text().startsWith(QStringLiteral("3 · Graph\n")));
  dialog.findChild<QCheckBox*>(QStringLiteral("exportRedacted"))->setChecked(false);
  QVERIFY(!changes->isVisible());

  const QString page = m_folder->filePath(QStringLiteral("b.html"));
  QCOMPARE(exportReview(board, ExportDialog::Form::Html, true, page), QString());
  QFile file(page);
  QVERIFY(file.open(QIODevice::ReadOnly));
  const QByteArray html = file.readAll();
  QVERIFY(!html.contains("a secret"));
  QCOMPARE(html.count("<figure"), 1);
}

void ReviewPlaceTest::graphsArePinnedWithAndWithoutContents() {
  open();
  engine::Address string;
  const engine::Snapshot& snapshot = *window().bridge().snapshot();
  for (const engine::ObjectRow& row : engine::listObjects(snapshot, {}, 0, 5000)) {
    const engine::TypeRow& type = snapshot.types()[row.type.value];
    if (type.name == "System.String" && row.sizeBytes > 60) string = row.address;
    if (string) break;
  }
  QVERIFY(string);
  window().navigator().showReferences(ReferencesPage::Graph, {string, {}, {}});
  auto* canvas = window().place(PlaceId::References)->findChild<QWidget*>(QStringLiteral("referenceGraph"));
  QTRY_VERIFY_WITH_TIMEOUT(canvas->isVisible(), 20'000);
  QTRY_VERIFY_WITH_TIMEOUT(window().bridge().isAtRest(), 20'000);
  window().setTheme(Theme::Dark);
  pinActionAround(canvas)->trigger();
  window().setTheme(Theme::Light);
  const auto& picture = std::get<engine::ReviewPicture>(board().pages.back().content);
  QVERIFY(picture.holdsContents);
  QImage drawn(200, 100, QImage::Format_RGB32);
  drawn.fill(Qt::white);
  QPainter painter(&drawn);
  QSvgRenderer(QByteArray::fromStdString(picture.svg)).render(&painter);
  QVERIFY2(drawn.scaled(1, 1, Qt::IgnoreAspectRatio, Qt::SmoothTransformation).pixelColor(0, 0).lightness() > 200,
           "dark on light whatever the theme");
  const QByteArray shown = QByteArray::fromStdString(picture.svg);
  const QByteArray hidden = QByteArray::fromStdString(picture.redactedSvg);
  QVERIFY(shown.contains("&quot;"));
  QVERIFY(!hidden.contains("&quot;"));
  QVERIFY(hidden.contains("String"));
  QVERIFY(hidden.contains(engine::kContentsLeftOut));
}

HEAPSCAPE_WINDOW_TEST(ReviewPlaceTest)

void ReviewPlaceTest::theFirstPageComesByItself() {
  open();
  place().pin({.title = "Mine"});
  QCOMPARE(board().pages.size(), std::size_t{2});
  QCOMPARE(board().pages[0].title, std::string(engine::kOpeningTitle));
  QVERIFY2(board().title.starts_with("shop-10, "), board().title.c_str());
  QVERIFY(board().title.ends_with(" is garbage") || board().title.ends_with(" of objects"));
  const auto has = [this](const char* figure) {
    const auto& rows = std::get<engine::ReviewTable>(board().pages[0].content).rows;
    return std::ranges::any_of(rows, [&](const auto& row) { return row[0].text.starts_with(figure); });
  };
  QVERIFY(has("Runtime"));
  QTRY_VERIFY_WITH_TIMEOUT(has("Garbage: ") && has("Retained by "), test::kPatienceMs);
  // Who deletes it does not get it again as long as there is a page.
  QVERIFY(m_driver->show(PlaceId::Review));
  auto* list = part<QListView>("reviewPages");
  list->setCurrentIndex(list->model()->index(0, 0));
  list->findChild<QAction*>(QStringLiteral("deletePage"))->trigger();
  QCOMPARE(board().pages.size(), std::size_t{1});
  place().pin({.title = "Second"});
  QCOMPARE(board().pages.size(), std::size_t{2});
  QCOMPARE(board().pages[0].title, std::string("Mine"));
}

void ReviewPlaceTest::pinnedPicturesHaveTheirLegend() {
  open();
  QVERIFY(m_driver->show(PlaceId::Segments));
  QWidget* map = nullptr;
  for (QWidget* part : window().place(PlaceId::Segments)->findChildren<QWidget*>()) {
    if (part->isVisible() && part->accessibleName() == QStringLiteral("Segment map")) map = part;
  }
  QVERIFY(map && pinActionOf(*map));
  pinActionOf(*map)->trigger();
  const auto& page = std::get<engine::ReviewPicture>(board().pages.back().content);
  QVERIFY2(page.height > map->height() * 0.75, "the legend stands below the picture");
  for (const char* word : {"gen2", "Committed", "Pin"})
    QVERIFY2(page.svg.find(std::string(">") + word) != std::string::npos, word);
  // In what is sent around as well.
  QVERIFY(engine::htmlPage(engine::redacted(board())).find(">Committed") != std::string::npos);
}

void ReviewPlaceTest::thumbnailsFollowTheTheme() {
  const auto brightness = [](const engine::ReviewPage& page, const QPalette& palette) {
    const QImage image =
        pageThumbnail(page, palette).toImage().scaled(1, 1, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
    return qGray(image.pixel(0, 0));
  };
  const QPalette light(QColor(0xf0, 0xf1, 0xf3), Qt::white);
  QPalette dark(QColor(0x20, 0x22, 0x26), QColor(0x20, 0x22, 0x26));
  const engine::ReviewPicture picture{
      .svg =
          R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 60"><rect width="100" height="60" fill="white"/>)"
          R"(<rect x="20" y="20" width="20" height="20" fill="#0072b2"/></svg>)",
      .width = 100,
      .height = 60};
  const engine::ReviewTable table{.columns = {{"Type"}, {"Bytes"}}, .rows = {{{"System.String"}, {"1 MB"}}}};
  for (const engine::ReviewPage& page : {engine::ReviewPage{.content = picture}, engine::ReviewPage{.content = table},
                                         engine::ReviewPage{.note = "Some words"}}) {
    QVERIFY(brightness(page, light) > 180);
    QVERIFY(brightness(page, dark) < 90);
  }
  // Hues stay: blue is blue on both.
  const QImage inDark = pageThumbnail({.content = picture}, dark).toImage();
  bool hasBlue = false;
  for (int x = 0; x < inDark.width(); ++x) {
    const QColor colour = inDark.pixelColor(x, inDark.height() / 2);
    hasBlue |= colour.blue() > colour.red() + 60;
  }
  QVERIFY(hasBlue);
  // Where contrast is wanted, what is pale on paper is not left nearly black.
  const QPalette contrast(Qt::black, Qt::black);
  const QImage inContrast = pageThumbnail({.content = picture}, contrast).toImage();
  const auto brightest = [](const QImage& image) {
    int most = 0;
    for (int x = 0; x < image.width(); ++x) most = std::max(most, qGray(image.pixel(x, image.height() / 2)));
    return most;
  };
  QVERIFY(brightest(inContrast) > brightest(inDark) + 20);
}

void ReviewPlaceTest::pagesAreCopiedAsMarkdown() {
  open();
  engine::ReviewTable table{.columns = {{"Type"}, {"Text", engine::ColumnKind::Text, true}},
                            .rows = {{{"System.String"}, {"a secret"}}}};
  place().pin({.title = "Strings", .note = "Look", .content = table});
  QVERIFY(m_driver->show(PlaceId::Review));
  QTest::mouseClick(part<QPushButton>("copyMarkdown"), Qt::LeftButton);
  const QString all = QGuiApplication::clipboard()->text();
  QVERIFY(all.startsWith(QStringLiteral("## shop-10, ")));
  QVERIFY(all.contains(QString::fromUtf8(engine::kOpeningTitle)));
  QVERIFY(all.contains(QStringLiteral("### Strings\n\nLook")));
  QVERIFY(!all.contains(QStringLiteral("a secret")));
  auto* list = part<QListView>("reviewPages");
  list->setCurrentIndex(list->model()->index(1, 0));
  list->findChild<QAction*>(QStringLiteral("copyPageMarkdown"))->trigger();
  const QString one = QGuiApplication::clipboard()->text();
  QVERIFY(one.startsWith(QStringLiteral("## Strings\n")));
  QVERIFY(!one.contains(QString::fromUtf8(engine::kOpeningTitle)));
}

}  // namespace heapscape::gui

#include "tst_review_place.moc"
