// SPDX-License-Identifier: MIT
// The dominator tree as table, icicle and sunburst, on a real dump, driven as a person does.
#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QToolButton>
#include <QVariantAnimation>

#include "app/style/flat_style.h"
#include "models/cells/roles.h"
#include "session/objects/object_query.h"
#include "session/objects/retained_query.h"
#include "support/object_values.h"
#include "support/place_scene.h"
#include "support/window_test.h"
#include "views/references/dominators/dominator_forms.h"
#include "views/references/dominators/dominator_scene.h"
#include "views/references/dominators/dominator_table.h"
#include "views/references/dominators/dominator_text.h"
#include "views/references/dominators/dominator_toolbar.h"
#include "views/references/dominators/dominator_view.h"
#include "views/references/references_place.h"
#include "widgets/drawing/marks.h"
#include "widgets/hover_bubble.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

class DominatorsTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    test::dressApplication();
    m_scene = std::make_unique<test::PlaceScene<ReferencesPlace>>(PlaceId::References);
    QVERIFY(m_scene->openUntilRetained(test::dataFile(QStringLiteral("shop-10.core.zst"))));
    m_view = m_scene->place.findChild<DominatorView*>();
    m_table = m_view->findChild<DominatorTable*>();
    m_icicle = m_view->findChild<DominatorIcicle*>();
    m_sunburst = m_view->findChild<DominatorSunburst*>();
    m_scene->navigator.showReferences(ReferencesPage::Dominators, {});
    QTRY_VERIFY_WITH_TIMEOUT(m_view->scene(), test::kPatienceMs);
    m_treemap = m_view->findChild<DominatorTreemap*>();
    QVERIFY2(m_view->scene()->grouping == engine::DominatorGrouping::Type, "at first by type");
    QVERIFY2(m_icicle->isVisible(), "and as a picture");
  }

  void init() {
    press("dominatorGrouping0");
    press("dominatorForm1");
    QTRY_VERIFY(m_view->scene()->grouping == engine::DominatorGrouping::Object);
    if (isWhole()) return;
    QTest::keyClick(m_icicle, Qt::Key_Home);
    QTRY_VERIFY(isWhole());
  }

  void theTableOpensAndFetchesItsRows() {
    press("dominatorForm0");
    QVERIFY(m_table->isVisible());
    DominatorModel& rows = m_table->rows();
    QAbstractItemModelTester tester(&rows);
    tester.setUseFetchMore(false);  // or it fetches the whole tree
    const QModelIndex top = rows.index(0, 0);
    QCOMPARE(top.data().toString(), QStringLiteral("All roots"));
    QCOMPARE(rows.rowCount(top), static_cast<int>(kDominatorPage));
    QTest::qWait(50);
    QCOMPARE(rows.rowCount(top), static_cast<int>(kDominatorPage));
    m_table->scrollToBottom();
    QTRY_COMPARE(rows.rowCount(top), static_cast<int>(2 * kDominatorPage));
    const QModelIndex first = rows.index(0, 0, top);
    m_table->expand(first);
    const auto page = engine::dominatedBy(m_scene->snapshot(), engine::DominatorGrouping::Object,
                                          rows.nodeAt(first)->node, 0, kDominatorPage, {});
    QVERIFY(page && page->total < kDominatorPage);
    QTRY_COMPARE(rows.rowCount(first), static_cast<int>(page->total));
    QTest::qWait(50);
    QCOMPARE(rows.rowCount(first), static_cast<int>(page->total));
    const auto retained = [&](int row) {
      return rows.index(row, DominatorModel::RetainedColumn, first).data(kPlainRole).toULongLong();
    };
    for (int row = 1; row < rows.rowCount(first); ++row) QVERIFY(retained(row) <= retained(row - 1));
  }

  void rowsOfTheTableTellTheirValues() {
    press("dominatorForm0");
    const DominatorModel& rows = m_table->rows();
    const auto objectOf = [&rows](const QModelIndex& row) { return rows.nodeAt(row)->object; };
    const auto areTold = [&] {
      return test::tellsValues(*m_table, DominatorModel::ValueColumn, m_scene->snapshot(), objectOf);
    };
    QTRY_VERIFY(areTold());
    m_table->scrollToBottom();
    QTRY_VERIFY(areTold());
  }

  void valuesAreReadBeforeRowsAreCopied() {
    press("dominatorForm0");
    m_table->scrollToTop();
    const DominatorModel& rows = m_table->rows();
    const QModelIndex top = rows.index(0, 0);
    const QModelIndex last = rows.index(rows.rowCount(top) - 1, 0, top);
    QVERIFY(!m_table->visualRect(last).intersects(m_table->viewport()->rect()));
    m_table->setCurrentIndex(last);
    m_table->scrollToTop();
    QGuiApplication::clipboard()->setText(QStringLiteral("before"));
    m_table->findChild<QAction*>(QStringLiteral("copyRows"))->trigger();
    QTRY_VERIFY(QGuiApplication::clipboard()->text() != QStringLiteral("before"));
    const QString value = test::toldOfObject(m_scene->snapshot(), rows.nodeAt(last)->object,
                                             engine::referenceTo(engine::ObjectField::Value));
    QVERIFY(!value.isEmpty());
    QCOMPARE(last.siblingAtColumn(DominatorModel::ValueColumn).data().toString(), value);
    QVERIFY(QGuiApplication::clipboard()->text().contains(value));
  }

  void theIcicleZoomsOnAClickAndBackOnItsTop() {
    const std::uint32_t shape = firstDivided();
    const std::uint64_t bytes = m_view->scene()->shapes[shape].node.retainedBytes;
    click(m_icicle, shape);
    QTRY_COMPARE(m_view->scene()->top().retainedBytes, bytes);
    QVERIFY(m_view->scene()->way.size() > 1);
    QCOMPARE(m_icicle->boxes()[0].rect.width(), static_cast<double>(m_icicle->width()));
    const std::size_t steps = m_view->scene()->way.size();
    click(m_icicle, 0);
    QTRY_COMPARE(m_view->scene()->way.size(), steps - 1);
  }

  void backGoesToTheZoomAndTheObjectOfBefore() {
    m_scene->navigator.select({});
    QTRY_VERIFY(isWhole());
    const auto& shapes = m_view->scene()->shapes;
    const auto isDividedObject = [&](const engine::DominatorShape& each) {
      const auto index = static_cast<std::uint32_t>(&each - shapes.data());
      return each.node.kind == engine::DominatorKind::Object && !each.isRest && each.node.children > 0 &&
             each.folded.empty() && m_icicle->outlineOf(index).boundingRect().width() > 20;
    };
    const auto found = std::ranges::find_if(shapes, isDividedObject);
    QVERIFY(found != shapes.end());
    const auto shape = static_cast<std::uint32_t>(found - shapes.begin());
    const std::uint64_t bytes = found->node.retainedBytes;
    const Selection before = m_scene->navigator.location().selection;
    click(m_icicle, shape);
    QTRY_COMPARE(m_view->scene()->top().retainedBytes, bytes);
    const Selection picked = m_scene->navigator.location().selection;
    QVERIFY(!(picked == before));
    m_scene->navigator.back();  // what was picked and zoomed to by one click
    QTRY_VERIFY(isWhole());
    QVERIFY(m_scene->navigator.location().selection == before);
    m_scene->navigator.forward();
    QTRY_COMPARE(m_view->scene()->top().retainedBytes, bytes);
    QVERIFY(m_scene->navigator.location().selection == picked);
    QTest::keyClick(m_icicle, Qt::Key_Home);
    QTRY_VERIFY(isWhole());
    m_scene->navigator.back();
    QTRY_COMPARE(m_view->scene()->top().retainedBytes, bytes);
  }

  void theSunburstZoomsAndItsMiddleZoomsOut() {
    press("dominatorForm2");
    QTRY_VERIFY(m_sunburst->sunburst().arcs.size() > 20);
    const std::uint32_t shape = firstDivided();
    const std::uint64_t bytes = m_view->scene()->shapes[shape].node.retainedBytes;
    click(m_sunburst, shape);
    QTRY_COMPARE(m_view->scene()->top().retainedBytes, bytes);
    click(m_sunburst, 0);
    QTRY_COMPARE(m_view->scene()->way.size(), std::size_t{1});
  }

  void theTreemapZoomsAndBackByTheKeyboard() {
    press("dominatorForm3");
    QTRY_VERIFY(m_treemap->isVisible() && m_treemap->tiles().size() > 20);
    const std::uint32_t shape = firstDivided();
    const std::uint64_t bytes = m_view->scene()->shapes[shape].node.retainedBytes;
    QCOMPARE(m_treemap->shapeAt(m_treemap->pointIn(shape)).value_or(0), shape);
    click(m_treemap, shape);
    QTRY_COMPARE(m_view->scene()->top().retainedBytes, bytes);
    QTest::keyClick(m_treemap, Qt::Key_Backspace);
    QTRY_COMPARE(m_view->scene()->way.size(), std::size_t{1});
  }

  void rootsHaveASeam() {
    press("dominatorForm1");
    QTRY_VERIFY(m_icicle->isVisible() && m_icicle->scene() == m_view->scene());
    const QImage image = m_icicle->grab().toImage();
    const auto& shapes = m_icicle->scene()->shapes;
    int roots = 0, others = 0;
    for (std::uint32_t shape = 0; shape < shapes.size(); ++shape) {
      const QRectF rect = m_icicle->outlineOf(shape).boundingRect();
      if (rect.width() < 40 || rect.height() < 30 || shapes[shape].isRest) continue;
      const int y = qRound(rect.top() + kSeamInset);
      int changes = 0;
      for (int x = qRound(rect.left()) + 6; x < qRound(rect.right()) - 6; ++x)
        changes += image.pixel(x, y) != image.pixel(x - 1, y) ? 1 : 0;
      const bool isRoot = dominatorFamily(shapes[shape].node) == DominatorFamily::Roots;
      (isRoot ? roots : others)++;
      QCOMPARE(changes > 6, isRoot);
    }
    QVERIFY(roots > 1 && others > 1);
  }

  void theLevelsOfTheIcicleFillItsHeight() {
    press("dominatorGrouping1");
    QTRY_VERIFY(m_view->scene()->grouping == engine::DominatorGrouping::Type);
    double bottom = 0;
    for (const IcicleBox& box : m_icicle->boxes()) bottom = std::max(bottom, box.rect.bottom());
    QVERIFY(bottom > m_icicle->height() - 30);
  }

  void zoomingMovesUnlessTheDesktopAsksForLessMotion() {
    auto* style = qobject_cast<FlatStyle*>(QApplication::style());
    QVERIFY(style);
    for (const auto& [form, picture] : {std::pair<const char*, DominatorPicture*>{"dominatorForm1", m_icicle},
                                        {"dominatorForm2", m_sunburst},
                                        {"dominatorForm3", m_treemap}}) {
      press(form);
      for (const bool isStill : {false, true}) {
        style->setStill(isStill);
        QVERIFY(!picture->grab().isNull());
        QSignalSpy moves(picture->findChild<QVariantAnimation*>(), &QVariantAnimation::stateChanged);
        click(picture, firstDivided());
        QTRY_VERIFY(m_view->scene()->way.size() > 1);
        QCOMPARE(!moves.isEmpty(), !isStill);
        QVERIFY(!picture->grab().isNull());
        QTRY_VERIFY(!picture->isMoving());
        moves.clear();
        QTest::keyClick(picture, Qt::Key_Backspace);
        QTRY_COMPARE(m_view->scene()->way.size(), std::size_t{1});
        QCOMPARE(!moves.isEmpty(), !isStill);
        QTRY_VERIFY(!picture->isMoving());
      }
      style->setStill(false);
    }
  }

  void whatIsLookedForStandsOutInEveryPicture() {
    press("dominatorGrouping1");
    QTRY_VERIFY(m_view->scene()->grouping == engine::DominatorGrouping::Type);
    auto* search = m_view->findChild<QLineEdit*>(QStringLiteral("dominatorSearch"));
    auto* count = m_view->findChild<QLabel*>(QStringLiteral("dominatorMatches"));
    auto* next = m_view->findChild<QToolButton*>(QStringLiteral("dominatorNext"));
    auto* previous = m_view->findChild<QToolButton*>(QStringLiteral("dominatorPrevious"));
    QVERIFY(!next->isVisible());
    const DominatorMatches wanted = findMatches(*m_view->scene(), QStringLiteral("order"));
    QVERIFY(wanted.shapes.size() > 1 && wanted.shapes.size() < m_view->scene()->shapes.size());
    for (const auto& [form, picture] : {std::pair<const char*, DominatorPicture*>{"dominatorForm1", m_icicle},
                                        {"dominatorForm2", m_sunburst},
                                        {"dominatorForm3", m_treemap}}) {
      press(form);
      search->clear();
      const QImage before = picture->grab().toImage();
      search->setText(QStringLiteral("order"));
      const QImage after = picture->grab().toImage();
      int dimmed = 0;
      for (std::uint32_t shape = 1; shape < m_view->scene()->shapes.size(); ++shape) {
        if (picture->outlineOf(shape).isEmpty() || m_view->scene()->shapes[shape].isRest) continue;
        const QPoint corner = picture->outlineOf(shape).boundingRect().topLeft().toPoint() + QPoint(2, 2);
        if (form != QByteArray("dominatorForm1")) continue;
        const bool isSame = before.pixel(corner) == after.pixel(corner);
        if (picture->outlineOf(shape).boundingRect().width() > 8) QCOMPARE(isSame, bool(wanted.isMatch[shape]));
        dimmed += !isSame;
      }
      QVERIFY(before != after);
      QVERIFY(form != QByteArray("dominatorForm1") || dimmed > 0);
      QCOMPARE(count->text(),
               QStringLiteral("%1 matches · %2").arg(countText(wanted.shapes.size()), bytesText(wanted.bytes)));
      next->click();
      QCOMPARE(picture->markedShape().value_or(0), wanted.shapes[0]);
      next->click();
      QCOMPARE(picture->markedShape().value_or(0), wanted.shapes[1]);
      previous->click();
      QCOMPARE(picture->markedShape().value_or(0), wanted.shapes[0]);
      QVERIFY(count->text().startsWith(QStringLiteral("1 of ")));
    }
    search->clear();
    QVERIFY(!next->isVisible() && count->text().isEmpty());
  }

  void whatIsShownIsSavedForFlameGraphs() {
    click(m_icicle, firstDivided());
    QTRY_COMPARE(m_view->scene()->way.size(), std::size_t{2});
    std::uint64_t sum = 0;
    const QByteArray text = collapsedText(*m_view->scene());
    for (const QByteArray& line : text.trimmed().split('\n')) {
      QCOMPARE(line.count(' '), 1);
      bool isNumber = false;
      sum += line.mid(line.indexOf(' ') + 1).toULongLong(&isNumber);
      QVERIFY(isNumber);
    }
    QCOMPARE(sum, m_view->scene()->top().retainedBytes);
    QVERIFY(m_view->findChild<QToolButton*>(QStringLiteral("dominatorExport"))->isVisible());
  }

  void theBubbleNamesWhatIsUnderThePointer() {
    const std::uint32_t shape = firstDivided();
    QTest::mouseMove(m_icicle, m_icicle->pointIn(shape).toPoint());
    QTRY_VERIFY(m_icicle->bubble().isVisible());
    const engine::DominatorNode& node = m_view->scene()->shapes[shape].node;
    QCOMPARE(m_icicle->bubble().text().title, fromEngine(node.name));
    QVERIFY(m_icicle->bubble().text().facts.join(QLatin1Char('\n')).contains(exactBytesText(node.retainedBytes)));
  }

  void theKeyboardMovesTheMarkAndZooms() {
    m_icicle->setFocus();
    QTest::keyClick(m_icicle, Qt::Key_Up);
    QTest::keyClick(m_icicle, Qt::Key_Down);
    QTRY_COMPARE(m_icicle->markedShape().value_or(0), 1u);
    QTest::keyClick(m_icicle, Qt::Key_Right);
    QCOMPARE(m_icicle->markedShape().value_or(0), 2u);
    QTest::keyClick(m_icicle, Qt::Key_Left);
    QCOMPARE(m_icicle->markedShape().value_or(0), 1u);
    QTest::keyClick(m_icicle, Qt::Key_Return);
    QTRY_COMPARE(m_view->scene()->way.size(), std::size_t{2});
    QTest::keyClick(m_icicle, Qt::Key_Backspace);
    QTRY_COMPARE(m_view->scene()->way.size(), std::size_t{1});
  }

  void aSearchRevealsWhatThePictureDoesNotHave() {
    for (int grouping = 0; grouping < 3; ++grouping) {
      press("dominatorGrouping" + QByteArray::number(grouping));
      QTRY_COMPARE(static_cast<int>(m_view->scene()->grouping), grouping);
      QTest::keyClick(m_icicle, Qt::Key_Home);
      QTRY_VERIFY(isWhole());
      press("dominatorForm0");  // whose rows are not searched
      auto* search = m_view->findChild<QLineEdit*>(QStringLiteral("dominatorSearch"));
      search->setText(QStringLiteral("Catalog.Customer"));
      QTest::keyClick(search, Qt::Key_Return);
      const auto isMarked = [this] {
        const auto shape = m_icicle->markedShape();
        return shape && m_view->scene()->shapes[*shape].node.name == "Catalog.Customer" && m_view->scene()->marked;
      };
      QTRY_VERIFY(isMarked());
      press("dominatorForm1");
      QVERIFY(!m_icicle->outlineOf(*m_icicle->markedShape()).isEmpty());
      QVERIFY(m_sunburst->markedShape());
      const engine::DominatorNode* row = m_table->rows().nodeAt(m_table->currentIndex());
      QVERIFY(row && row->node == m_view->scene()->marked->node);
      QVERIFY(m_scene->navigator.location().selection.object);
      search->clear();
    }
  }

  void whatIsPickedElsewhereIsRevealed() {
    const auto largest = engine::largestRetained(m_scene->snapshot(), 60).objects;
    for (const std::size_t i : {3u, 20u, 59u}) {
      m_scene->navigator.select({.object = largest[i].object, .methodTable = {}, .segment = {}});
      const auto isMarked = [&] {
        const auto shape = m_icicle->markedShape();
        return shape && m_view->scene()->shapes[*shape].node.object == largest[i].object;
      };
      QTRY_VERIFY(isMarked());
    }
  }

  void whatIsPickedHereIsPickedElsewhere() {
    const auto isObject = [](const engine::DominatorShape& shape) {
      return shape.node.kind == engine::DominatorKind::Object && shape.node.children > 0;
    };
    const auto& shapes = m_view->scene()->shapes;
    const auto found = std::ranges::find_if(shapes, isObject);
    QVERIFY(found != shapes.end());
    const engine::Address object = found->node.object;
    click(m_icicle, static_cast<std::uint32_t>(found - shapes.begin()));
    QCOMPARE(addressText(m_scene->navigator.location().selection.object), addressText(object));
  }

  void garbageHasATreeOfItsOwn() {
    const engine::RetainedTotals totals = m_scene->snapshot().retainedTotals();
    QVERIFY(totals.garbageBytes() > 0);
    press("dominatorSide1");
    QTRY_VERIFY(m_view->scene()->isOfGarbage);
    QCOMPARE(m_view->scene()->top().retainedBytes, totals.garbageBytes());
    QCOMPARE(m_table->rows().index(0, 0).data().toString(), QStringLiteral("Garbage"));
    // An object on top of it is no one's, and opens as any other.
    const engine::Address top = m_view->scene()->shapes[1].node.object;
    QVERIFY(!engine::retainedOf(m_scene->snapshot(), top)->isReachable);
    press("dominatorSide0");
    QTRY_VERIFY(!m_view->scene()->isOfGarbage);
    QCOMPARE(m_view->scene()->top().retainedBytes, totals.reachableBytes);
    // What is picked elsewhere is shown on the side that it is on.
    m_scene->navigator.select({.object = top, .methodTable = {}, .segment = {}});
    QTRY_VERIFY(m_view->scene()->isOfGarbage);
    QTRY_VERIFY(m_icicle->markedShape());
    const engine::RetainedList live = engine::largestRetained(m_scene->snapshot(), 1);
    m_scene->navigator.select({.object = live.objects[0].object, .methodTable = {}, .segment = {}});
    QTRY_VERIFY(!m_view->scene()->isOfGarbage);
  }

  void whatIsNotThereIsSaid() {
    auto* search = m_view->findChild<QLineEdit*>(QStringLiteral("dominatorSearch"));
    search->setText(QStringLiteral("No.Such.Type"));
    QTest::keyClick(search, Qt::Key_Return);
    QTRY_VERIFY(!m_view->findChild<QLabel*>(QStringLiteral("dominatorNote"))->text().isEmpty());
    search->clear();
  }

  void aWarningIsWholeAndGoneWhenSomethingElseIsPicked() {
    engine::Address held;
    engine::forEachObject(m_scene->snapshot(), {}, [&](const engine::ObjectRow& row) {
      const auto retained = engine::retainedOf(m_scene->snapshot(), row.address);
      if (retained && retained->isReachable) held = row.address;
      return !held;
    });
    QVERIFY(held);
    auto* note = m_view->findChild<QLabel*>(QStringLiteral("dominatorNote"));
    auto* search = m_view->findChild<QLineEdit*>(QStringLiteral("dominatorSearch"));
    search->setText(QStringLiteral("No.Such.Type.Whose.Name.Is.Longer.Than.The.Line.Is.Wide"));
    QTest::keyClick(search, Qt::Key_Return);
    QTRY_VERIFY(note->isVisible() && note->text().contains(search->text()));
    search->clear();
    QTRY_VERIFY(note->height() >= note->heightForWidth(note->width()));
    m_scene->navigator.select({.object = held, .methodTable = {}, .segment = {}});
    QTRY_VERIFY(!note->isVisible() && note->text().isEmpty());
  }

  void aSmallObjectStandsBelowThinBarsOfItsDominators() {
    engine::Address small;
    engine::forEachObject(m_scene->snapshot(), {}, [&](const engine::ObjectRow& row) {
      const auto way = engine::dominatorsOf(m_scene->snapshot(), engine::DominatorGrouping::Object, row.address, {});
      if (way && way->size() > 4 && way->back().children == 0 && way->back().retainedBytes < 200 &&
          (*way)[way->size() - 2].retainedBytes > 50'000)
        small = row.address;
      return !small;
    });
    QVERIFY(small);
    m_scene->navigator.select({.object = small, .methodTable = {}, .segment = {}});
    QTRY_VERIFY(m_view->scene() && m_view->scene()->way.size() > 2 && m_view->scene()->shapes.size() == 1);
    const auto bars = m_icicle->ancestorBars();
    QVERIFY(bars.size() > 2);
    for (std::size_t i = 0; i < bars.size(); ++i) {
      QVERIFY(bars[i].row.height() < m_icicle->height() / 4.0);
      if (i > 0)
        QVERIFY(bars[i].row.top() >= bars[i - 1].row.bottom() && bars[i].bar.width() <= bars[i - 1].bar.width());
    }
    QCOMPARE(bars.back().step + 1, m_view->scene()->way.size());
    QTest::mouseClick(m_icicle, Qt::LeftButton, {}, bars.front().row.center().toPoint());
    QTRY_COMPARE(m_view->scene()->way.size(), std::size_t{1});
    QVERIFY(m_icicle->ancestorBars().empty());
  }

  void aClosedDumpLeavesNothing() {
    m_scene->place.clear();
    QVERIFY(!m_view->scene());
    QVERIFY(!m_icicle->scene());
    QCOMPARE(m_table->rows().rowCount(), 0);
  }

 private:
  /// The whole, as it is looked at first.
  bool isWhole() const { return m_view->scene()->way.size() == 1 && !m_view->scene()->marked; }

  void press(const QByteArray& button) { m_view->findChild<QToolButton*>(QString::fromLatin1(button))->click(); }

  void click(DominatorPicture* picture, std::uint32_t shape) {
    QTest::mouseClick(picture, Qt::LeftButton, {}, picture->pointIn(shape).toPoint());
  }

  /// The first child of the top that has children of its own.
  std::uint32_t firstDivided() const {
    const auto& shapes = m_view->scene()->shapes;
    for (std::uint32_t i = 1; i < shapes.size(); ++i) {
      if (!shapes[i].isRest && shapes[i].node.children > 0) return i;
    }
    return 0;
  }

  std::unique_ptr<test::PlaceScene<ReferencesPlace>> m_scene;
  DominatorView* m_view = nullptr;
  DominatorTable* m_table = nullptr;
  DominatorIcicle* m_icicle = nullptr;
  DominatorSunburst* m_sunburst = nullptr;
  DominatorTreemap* m_treemap = nullptr;
};

HEAPSCAPE_WINDOW_TEST(DominatorsTest)

}  // namespace heapscape::gui

#include "tst_dominators.moc"
