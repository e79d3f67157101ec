// SPDX-License-Identifier: MIT
#include <QSettings>
#include <QTest>

#include "models/query/saved_views.h"
#include "support/settings_folder.h"
#include "support/window_test.h"

namespace heapscape::gui {

class SavedViewsTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { QVERIFY(m_folder.isValid()); }

  void init() { QSettings().clear(); }

  void aListHasNoViewsAtFirst() {
    QVERIFY(savedViews(kList).empty());
    QVERIFY(recentQueries(kList).isEmpty());
  }

  void viewsComeBackAsTheyWereSavedByName() {
    const SavedView plain{.name = QStringLiteral("large, \"b\" = ä;/\\%")};
    const SavedView sorted{.name = QStringLiteral("Apart"),
                           .query = QStringLiteral("type ~ /a,b\\d/ and\tsize > 1 KB"),
                           .sortColumn = 3,
                           .descending = true};
    saveView(kList, plain);
    saveView(kList, sorted);
    QVERIFY(savedViews(kList) == (std::vector<SavedView>{sorted, plain}));
    QVERIFY2(savedViews(QStringLiteral("other")).empty(), "each list has its own");
  }

  void oneOfTheSameNameIsReplaced() {
    saveView(kList, {.name = QStringLiteral("a"), .query = QStringLiteral("old")});
    saveView(kList, {.name = QStringLiteral("b")});
    saveView(kList, {.name = QStringLiteral("a"), .query = QStringLiteral("new")});
    const std::vector<SavedView> views = savedViews(kList);
    QCOMPARE(views.size(), std::size_t{2});
    QCOMPARE(views[0].query, QStringLiteral("new"));
  }

  void aRenamedViewMovesToItsPlaceAndTakesThatOfAnother() {
    for (const char* name : {"a", "b", "c"})
      saveView(kList, {.name = QLatin1String(name), .query = QLatin1String("of ") + QLatin1String(name)});
    renameView(kList, QStringLiteral("a"), QStringLiteral("d"));
    QCOMPARE(names(), (QStringList{QStringLiteral("b"), QStringLiteral("c"), QStringLiteral("d")}));
    renameView(kList, QStringLiteral("d"), QStringLiteral("c"));
    QCOMPARE(names(), (QStringList{QStringLiteral("b"), QStringLiteral("c")}));
    QCOMPARE(savedViews(kList)[1].query, QStringLiteral("of a"));
    renameView(kList, QStringLiteral("none"), QStringLiteral("e"));
    renameView(kList, QStringLiteral("b"), QStringLiteral("b"));
    QCOMPARE(names(), (QStringList{QStringLiteral("b"), QStringLiteral("c")}));
  }

  void aForgottenViewLeavesNothingBehind() {
    for (const char* name : {"a", "b", "c"}) saveView(kList, {.name = QLatin1String(name)});
    forgetView(kList, QStringLiteral("b"));
    forgetView(kList, QStringLiteral("none"));
    QCOMPARE(names(), (QStringList{QStringLiteral("a"), QStringLiteral("c")}));
    forgetView(kList, QStringLiteral("a"));
    forgetView(kList, QStringLiteral("c"));
    QVERIFY(savedViews(kList).empty());
    for (const QString& key : QSettings().allKeys()) QVERIFY2(!key.contains(QStringLiteral("query")), qPrintable(key));
  }

  void theNewestQueriesAreRememberedOnce() {
    for (int i = 0; i < 15; ++i) rememberQuery(kList, QStringLiteral("size > %1").arg(i));
    rememberQuery(kList, QStringLiteral("size > 9"));
    const QStringList queries = recentQueries(kList);
    QCOMPARE(queries.size(), qsizetype{12});
    QCOMPARE(queries.first(), QStringLiteral("size > 9"));
    QCOMPARE(queries.count(QStringLiteral("size > 9")), qsizetype{1});
    QCOMPARE(queries.last(), QStringLiteral("size > 3"));
    QVERIFY(recentQueries(QStringLiteral("other")).isEmpty());
  }

 private:
  static QStringList names() {
    QStringList all;
    for (const SavedView& view : savedViews(kList)) all << view.name;
    return all;
  }

  inline static const QString kList = QStringLiteral("types");
  test::SettingsFolder m_folder;
};

HEAPSCAPE_WINDOW_TEST(SavedViewsTest)

}  // namespace heapscape::gui

#include "tst_saved_views.moc"
