// SPDX-License-Identifier: MIT
// What would be freed if something let go, on a real dump, driven as a person does.
#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTableWidget>
#include <QToolButton>
#include <algorithm>

#include "session/objects/retained_query.h"
#include "session/references/paths_query.h"
#include "session/references/what_if.h"
#include "session/roots/root_owners.h"
#include "support/menu_choice.h"
#include "support/object_values.h"
#include "support/place_scene.h"
#include "support/window_test.h"
#include "views/references/cuts/cut_list.h"
#include "views/references/dominators/dominator_picture.h"
#include "views/references/graph/graph_canvas.h"
#include "views/references/graph/reference_graph_view.h"
#include "views/references/references_place.h"
#include "widgets/drawing/picture_actions.h"
#include "widgets/legend_chip.h"
#include "widgets/state_panel.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

const QString kCuts = QStringLiteral("cuts");
const QString kFreedTypes = QStringLiteral("freedTypes");
const QString kFreedRows = QStringLiteral("freedObjects");
const QString kWaySteps = QStringLiteral("pathSteps");
const QString kCutHere = QStringLiteral("What if this reference were cut?");

/// Takes what is pinned, as the window does.
class PinTaker : public QObject {
 public:
  std::vector<engine::ReviewPage> pages;

 protected:
  bool eventFilter(QObject*, QEvent* event) override {
    if (event->type() != PinRequest::kind()) return false;
    pages.push_back(static_cast<PinRequest*>(event)->page());
    event->accept();
    return true;
  }
};

}  // namespace

class WhatIfTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    test::dressApplication();
    m_scene = std::make_unique<test::PlaceScene<ReferencesPlace>>(PlaceId::References);
    canvas().setAnimated(false);
    QVERIFY(m_scene->openUntilRetained(test::dataFile(QStringLiteral("shop-10.core.zst"))));
    const auto& roots = m_scene->snapshot().roots().roots;
    for (std::uint32_t root = 0; root < roots.size(); ++root) {
      const engine::Retained alone = engine::retainedByRoot(m_scene->snapshot(), root);
      if (roots[root].kind != engine::RootKind::Static || alone.bytes <= m_alone.bytes) continue;
      m_alone = alone;
      m_root = roots[root];
    }
    QVERIFY(m_alone.bytes > 0);
    m_rootCut = fromEngine(engine::cutOfRoot(m_root));
  }
  void init() {
    if (button("cutsClear").isEnabled()) button("cutsClear").click();
    QTRY_VERIFY(list().isEmpty() && !list().answer());
  }

  void aCutMadeElsewhereIsListedWithAllThatItWouldFree() {
    m_scene->navigator.goTo(PlaceId::Roots);
    m_scene->navigator.cut(m_rootCut);
    QCOMPARE(m_scene->navigator.location().place, PlaceId::References);
    QCOMPARE(m_scene->navigator.location().page, ReferencesPage::WhatIf);
    QTRY_COMPARE_WITH_TIMEOUT(m_scene->lines(kCuts), 1, test::kPatienceMs);
    QCOMPARE(m_scene->cell(kCuts, 0, 0), fromEngine(m_root.name));
    QTRY_VERIFY(m_scene->lines(kFreedTypes) > 0 && m_scene->lines(kFreedRows) > 0);
    QTRY_VERIFY_WITH_TIMEOUT(test::tellsValues(m_scene->table(kFreedRows), m_scene->snapshot()), test::kPatienceMs);
    QVERIFY(list().answer()->whatIf.freed().bytes == m_alone.bytes);
    const QString told = m_scene->part<QLabel>("freedText")->text();
    QVERIFY2(told.startsWith(QStringLiteral("1 cut would free %1").arg(bytesText(m_alone.bytes))), qPrintable(told));
    QVERIFY(bar().isVisible());
    QVERIFY(m_scene->part<ElidedText>("cutBarText")->text().startsWith(told));
  }

  void severalCutsAddUpAndAreUndoneOneByOne() {
    const engine::RetainedRow largest = engine::largestRetained(m_scene->snapshot(), 1).objects.front();
    m_scene->navigator.cut(m_rootCut);
    m_scene->navigator.cut(fromEngine(engine::cutOfObject(largest.object)));
    m_scene->navigator.cut(m_rootCut);  // is there already
    QTRY_COMPARE_WITH_TIMEOUT(m_scene->lines(kCuts), 2, test::kPatienceMs);
    QTRY_VERIFY(list().answer() && !list().isAsking());
    QVERIFY(list().answer()->whatIf.freed().bytes >= std::max(m_alone.bytes, largest.retainedBytes));
    button("cutsUndo").click();
    QTRY_COMPARE_WITH_TIMEOUT(m_scene->lines(kCuts), 1, test::kPatienceMs);
    QCOMPARE(list().cuts(), QStringList{m_rootCut});
    button("cutsRedo").click();
    QTRY_COMPARE_WITH_TIMEOUT(m_scene->lines(kCuts), 2, test::kPatienceMs);
    m_scene->table(kCuts).setCurrentIndex(m_scene->model(kCuts).index(0, 0));
    m_scene->table(kCuts).setFocus();
    QTest::keyClick(&m_scene->table(kCuts), Qt::Key_Delete);
    QTRY_COMPARE_WITH_TIMEOUT(m_scene->lines(kCuts), 1, test::kPatienceMs);
    QVERIFY(!list().cuts().contains(m_rootCut));
    button("cutsClear").click();
    QVERIFY(list().isEmpty());
    QVERIFY(!list().answer());
    QVERIFY(bar().isVisible());  // what was cleared can be undone
    auto* pages = m_scene->part<QTabWidget>("referencesPages");
    pages->setFocus();
    QTest::keySequence(pages, QKeySequence::Undo);
    QCOMPARE(list().cuts().size(), 1);
  }

  void theEmptyPageOffersWhatHoldsMost() {
    m_scene->navigator.showReferences(ReferencesPage::WhatIf);
    auto* roots = m_scene->part<QTableWidget>("whatIfRoots");
    auto* free = m_scene->part<QPushButton>("whatIfFree");
    QTRY_COMPARE_WITH_TIMEOUT(roots->rowCount(), 10, test::kPatienceMs);
    const auto largest = engine::largestCuts(m_scene->snapshot(), 10, {});
    QVERIFY(largest);
    for (int row = 0; row < roots->rowCount(); ++row) {
      const engine::CutOffer& offer = (*largest)[static_cast<std::size_t>(row)];
      if (!offer.isShared) QCOMPARE(roots->item(row, 0)->text(), fromEngine(offer.name));
      QCOMPARE(roots->item(row, 1)->text(), bytesText(offer.frees.bytes));
      if (row > 0) QVERIFY((*largest)[static_cast<std::size_t>(row) - 1].frees.bytes >= offer.frees.bytes);
    }
    QCOMPARE(free->text(), QStringLiteral("What if all 10 go"));
    roots->item(0, 0)->setCheckState(Qt::Checked);
    QCOMPARE(free->text(), QStringLiteral("What if it goes"));
    roots->item(2, 0)->setCheckState(Qt::Checked);
    QCOMPARE(free->text(), QStringLiteral("What if these 2 go"));
    QTest::mouseClick(free, Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(m_scene->lines(kCuts), 2, test::kPatienceMs);
    QTRY_VERIFY(list().answer() && !list().isAsking());
    QVERIFY(list().answer()->whatIf.freed().bytes >= std::max((*largest)[0].frees.bytes, (*largest)[2].frees.bytes));
    QVERIFY(!roots->isVisible());
    button("cutsUndo").click();  // both in one step
    QTRY_VERIFY(list().isEmpty());
    QTRY_VERIFY(roots->isVisible());
  }

  void theAnswerCanBeHadFromTheCommandLine() {
    m_scene->navigator.cut(m_rootCut);
    m_scene->navigator.cut(QStringLiteral("root:it's->0x7f00"));
    button("cutsCopy").click();
    QCOMPARE(QApplication::clipboard()->text(),
             QStringLiteral("heapscape-cli retained %1 --without %2 --without 'root:it'\\''s->0x7f00'")
                 .arg(shellWord(m_scene->bridge.path()), m_rootCut));
  }

  void whatIsNotThereIsSaidSo() {
    m_scene->navigator.cut(m_rootCut);
    m_scene->navigator.cut(QStringLiteral("root:static Shop.Nowhere"));
    // Lines of an earlier answer stand until this one is in order.
    QTRY_VERIFY_WITH_TIMEOUT(
        m_scene->lines(kCuts) == 2 && m_scene->cell(kCuts, 1, 0).contains(QStringLiteral("There is no root")),
        test::kPatienceMs);
    QTRY_VERIFY(!list().isAsking());
    QVERIFY(list().answer()->whatIf.freed().bytes == m_alone.bytes);
    QVERIFY(m_scene->part<ElidedText>("cutBarText")->text().contains(QStringLiteral("1 not there")));
  }

  void theCutsArePinnedWithWhatEachFrees() {
    PinTaker taker;
    m_scene->place.window()->installEventFilter(&taker);
    m_scene->navigator.cut(m_rootCut);
    m_scene->navigator.cut(fromEngine(engine::cutOfObject(m_root.object)));
    QTRY_VERIFY_WITH_TIMEOUT(list().answer() && !list().isAsking() && list().answer()->asked.size() == 2,
                             test::kPatienceMs);
    button("cutsPin").click();
    QCOMPARE(taker.pages.size(), std::size_t{1});
    const auto& table = std::get<engine::ReviewTable>(taker.pages.front().content);
    QCOMPARE(table.rows.size(), std::size_t{3});  // and all together
    QVERIFY(taker.pages.front().title.starts_with("What if: 2 cuts would free "));
    QVERIFY(table.rows[2][4].number == static_cast<std::int64_t>(list().answer()->whatIf.freed().bytes));
    QVERIFY(taker.pages.front().remark.find("they overlap") != std::string::npos);
  }

  void theGraphHatchesWhatWouldGoAndBreaksWhatIsCut() {
    QVERIFY(showGraph(m_root.object));
    NodeItem* centre = canvas().find({.object = m_root.object});
    QCOMPARE(centre->freed(), 0.0);
    m_scene->navigator.cut(m_rootCut);
    QCOMPARE(m_scene->navigator.location().page, ReferencesPage::Graph);
    QTRY_COMPARE_WITH_TIMEOUT(centre->freed(), 1.0, test::kPatienceMs);
    QVERIFY(centre->toolTip().contains(QStringLiteral("Would be freed")));
    const auto& edges = graph().picture().edges;
    const auto& nodes = graph().picture().nodes;
    bool hasCut = false;
    for (std::size_t i = 0; i < edges.size(); ++i) {
      const bool isRoots = nodes[edges[i].from].key.kind == GraphNodeKind::Root;
      QCOMPARE(canvas().arrows()[i]->isCut(), isRoots);
      hasCut = hasCut || isRoots;
    }
    QVERIFY(hasCut);
    // All that it holds alone goes with it, whole stacks, too.
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const NodeItem* node = canvas().find(nodes[i].key);
      if (nodes[i].key.kind == GraphNodeKind::Object)
        QCOMPARE(node->freed() > 0, list().answer()->whatIf.frees(nodes[i].key.object));
      if (nodes[i].key.kind == GraphNodeKind::Stack && nodes[i].column > 0)
        QTRY_VERIFY_WITH_TIMEOUT(canvas().find(nodes[i].key)->freed() > 0, test::kPatienceMs);
    }
    button("cutsUndo").click();
    QTRY_COMPARE(canvas().find({.object = m_root.object})->freed(), 0.0);
  }

  void thePicturesOfDominatorsHatchWhatWouldGo() {
    m_scene->navigator.cut(m_rootCut);
    m_scene->navigator.showReferences(ReferencesPage::Dominators, {});
    const QList<DominatorPicture*> pictures = m_scene->place.findChildren<DominatorPicture*>();
    QCOMPARE(pictures.size(), 3);
    const double share =
        static_cast<double>(m_alone.bytes) / static_cast<double>(m_scene->snapshot().retainedTotals().reachableBytes);
    for (const DominatorPicture* picture : pictures) {
      QTRY_VERIFY_WITH_TIMEOUT(picture->scene() && qFuzzyCompare(picture->freedShare(0), share), test::kPatienceMs);
      const auto& shapes = picture->scene()->shapes;
      const auto root = std::ranges::find_if(shapes, [&](const engine::DominatorShape& shape) {
        return shape.node.kind == engine::DominatorKind::Root && shape.node.name == m_root.name;
      });
      QVERIFY(root != shapes.end());
      const auto place = static_cast<std::uint32_t>(root - shapes.begin());
      QCOMPARE(picture->freedShare(place), 1.0);
      QVERIFY(picture->itemText(place).facts.join(QLatin1Char(' ')).contains(QStringLiteral("would be freed")));
    }
    const auto isSaid = [&] {
      const auto chips = m_scene->place.findChildren<LegendChip*>();
      return std::ranges::any_of(chips, [](const LegendChip* chip) {
        return chip->isVisible() && chip->text() == QStringLiteral("Would be freed");
      });
    };
    QTRY_VERIFY_WITH_TIMEOUT(isSaid(), test::kPatienceMs);
    // It is seen, not only known.
    QImage hatched = pictures.front()->grab().toImage();
    button("cutsUndo").click();
    QTRY_COMPARE(pictures.front()->freedShare(0), 0.0);
    QVERIFY(!isSaid());
    if (pictures.front()->isVisible()) QVERIFY(hatched != pictures.front()->grab().toImage());
  }

  void anArrowIsCutByItsMenuAndTakenBack() {
    QVERIFY(showGraph(m_root.object));
    const auto edge = std::ranges::find_if(graph().picture().edges, [&](const GraphEdge& each) {
      const auto& nodes = graph().picture().nodes;
      return nodes[each.from].isCentre && nodes[each.to].key.kind == GraphNodeKind::Object && each.steps == 1;
    });
    QVERIFY(edge != graph().picture().edges.end());
    const auto place = static_cast<std::size_t>(edge - graph().picture().edges.begin());
    const auto openMenu = [&] { Q_EMIT canvas().edgeMenuWanted(place, canvas().mapToGlobal(QPoint(5, 5))); };
    QVERIFY(test::chooseFromMenu(openMenu, kCutHere));
    const engine::Address held = graph().picture().nodes[edge->to].key.object;
    QCOMPARE(list().cuts(), QStringList{fromEngine(engine::cutOfReference(m_root.object, held))});
    QTRY_VERIFY_WITH_TIMEOUT(canvas().arrows()[place]->isCut(), test::kPatienceMs);
    QVERIFY(test::chooseFromMenu(openMenu, QStringLiteral("Take this cut back")));
    QTRY_VERIFY(!canvas().arrows()[place]->isCut());
  }

  void aRightClickOnAnArrowIsAboutTheArrow() {
    QVERIFY(showGraph(m_root.object));
    canvas().fit();
    QSignalSpy wanted(&canvas(), &GraphCanvas::edgeMenuWanted);
    const EdgeItem* arrow = canvas().arrows().front();
    const QPoint place = canvas().mapFromScene(arrow->shape().boundingRect().center());
    for (const QPoint& near : {place, canvas().mapFromScene(arrow->labelRect().center())}) {
      const bool isHit =
          arrow->shape().contains(canvas().mapToScene(near)) || arrow->labelRect().contains(canvas().mapToScene(near));
      if (!isHit || !wanted.isEmpty()) continue;
      test::chooseFromMenu(
          [&] {
            QContextMenuEvent event(QContextMenuEvent::Mouse, near, canvas().viewport()->mapToGlobal(near));
            QApplication::sendEvent(canvas().viewport(), &event);
          },
          QStringLiteral("none of them"));
    }
    QVERIFY(!wanted.isEmpty());
    QVERIFY(list().isEmpty());
  }

  void whyAliveTellsWhatWouldStillHoldIt() {
    m_scene->navigator.showReferences(ReferencesPage::WhyAlive,
                                      {.object = m_root.object, .methodTable = {}, .segment = {}});
    QTRY_VERIFY_WITH_TIMEOUT(m_scene->lines(QStringLiteral("paths")) > 0, test::kPatienceMs);
    QVERIFY(!button("withCuts").isVisible());
    m_scene->navigator.cut(m_rootCut);
    QCOMPARE(m_scene->navigator.location().page, ReferencesPage::WhyAlive);
    QTRY_VERIFY_WITH_TIMEOUT(test::shows(m_scene->place, QStringLiteral("It would be freed")), test::kPatienceMs);
    QVERIFY(button("withCuts").isVisible());
    button("withCuts").click();
    QTRY_VERIFY_WITH_TIMEOUT(m_scene->table(kWaySteps).isVisible(), test::kPatienceMs);
    button("withCuts").click();
  }

  void aStepOfAWayIsCutByItsMenu() {
    const engine::Address deep = deepObject();
    QVERIFY(deep);
    m_scene->navigator.showReferences(ReferencesPage::WhyAlive, {.object = deep, .methodTable = {}, .segment = {}});
    const auto way = engine::pathsToRoots(m_scene->snapshot(), deep, {.paths = 1}, nullptr, {});
    QVERIFY(way && !way->paths.empty());
    const auto& steps = way->paths.front().steps;
    QTRY_COMPARE_WITH_TIMEOUT(m_scene->lines(kWaySteps), static_cast<int>(steps.size()), test::kPatienceMs);
    QTableView& table = m_scene->table(kWaySteps);
    QTRY_VERIFY_WITH_TIMEOUT(test::tellsValues(table, m_scene->snapshot()), test::kPatienceMs);
    const auto openMenu = [&] {
      Q_EMIT table.customContextMenuRequested(table.visualRect(table.model()->index(1, 0)).center());
    };
    QVERIFY(test::chooseFromMenu(openMenu, kCutHere));
    QCOMPARE(list().cuts(), QStringList{fromEngine(engine::cutOfReference(steps[0].object, steps[1].object))});
    QTRY_VERIFY_WITH_TIMEOUT(list().answer() && !list().isAsking(), test::kPatienceMs);
    const engine::PathOptions left{.paths = 1, .without = &list().answer()->whatIf};
    const auto remaining = engine::pathsToRoots(m_scene->snapshot(), deep, left, nullptr, {});
    QVERIFY(remaining.has_value());
    if (remaining->isFreed) {
      QTRY_VERIFY_WITH_TIMEOUT(test::shows(m_scene->place, QStringLiteral("It would be freed")), test::kPatienceMs);
    } else {
      QTRY_COMPARE_WITH_TIMEOUT(m_scene->lines(kWaySteps), static_cast<int>(remaining->paths.front().steps.size()),
                                test::kPatienceMs);
    }
  }

  void fromOtherRootsItIsAskedAnew() {
    m_scene->navigator.cut(m_rootCut);
    QTRY_VERIFY_WITH_TIMEOUT(list().answer() && !list().isAsking(), test::kPatienceMs);
    const std::shared_ptr<const CutAnswer> before = list().answer();
    m_scene->bridge.computeRetained({.includeStacks = false});
    QTRY_VERIFY_WITH_TIMEOUT(list().answer() && list().answer() != before, test::kPatienceMs);
    QVERIFY(list().answer()->whatIf.freed().bytes >= before->whatIf.freed().bytes);
    m_scene->bridge.computeRetained({});
    QTRY_VERIFY_WITH_TIMEOUT(m_scene->bridge.retainedState() == RetainedState::Ready, test::kPatienceMs);
    m_scene->place.clear();
    QVERIFY(list().isEmpty() && !list().canUndo());
    QVERIFY(!bar().isVisible());
    m_scene->place.showSnapshot(m_scene->snapshot());
  }

 private:
  CutList& list() { return *m_scene->place.findChild<CutList*>(); }
  QWidget& bar() { return *m_scene->part<QWidget>("cutBar"); }
  QToolButton& button(const char* name) { return *m_scene->part<QToolButton>(name); }
  ReferenceGraphView& graph() { return *m_scene->place.findChild<ReferenceGraphView*>(); }
  GraphCanvas& canvas() { return *m_scene->place.findChild<GraphCanvas*>(); }

  bool showGraph(engine::Address object) {
    m_scene->navigator.showReferences(ReferencesPage::Graph, {.object = object, .methodTable = {}, .segment = {}});
    return QTest::qWaitFor(
        [&] {
          return !graph().state().isEmpty() && graph().state().centre().object == object &&
                 canvas().find({.object = object});
        },
        test::kPatienceMs);
  }

  // As far from its root as a short look finds.
  engine::Address deepObject() const {
    for (const engine::RetainedRow& row : engine::largestRetained(m_scene->snapshot(), 400).objects) {
      const auto list = engine::pathsToRoots(m_scene->snapshot(), row.object, {.paths = 1, .steps = 10}, nullptr, {});
      if (list && !list->paths.empty() && list->paths[0].length >= 3) return row.object;
    }
    return {};
  }

  std::unique_ptr<test::PlaceScene<ReferencesPlace>> m_scene;
  engine::RootRow m_root;
  engine::Retained m_alone;
  QString m_rootCut;
};

HEAPSCAPE_WINDOW_TEST(WhatIfTest)

}  // namespace heapscape::gui

#include "tst_what_if.moc"
