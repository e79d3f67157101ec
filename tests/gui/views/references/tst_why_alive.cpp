// SPDX-License-Identifier: MIT
// Why an object or a type is alive, on a real dump, driven as a person does.
#include <QAbstractItemModelTester>
#include <QLabel>
#include <QToolButton>
#include <QTreeView>

#include "session/objects/object_query.h"
#include "session/objects/retained_query.h"
#include "session/references/paths_query.h"
#include "support/place_scene.h"
#include "support/window_test.h"
#include "views/references/paths/why_alive_view.h"
#include "views/references/references_place.h"
#include "widgets/state_panel.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

const QString kPaths = QStringLiteral("paths");
const QString kSteps = QStringLiteral("pathSteps");

}  // namespace

class WhyAliveTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    test::dressApplication();
    m_scene = std::make_unique<test::PlaceScene<ReferencesPlace>>(PlaceId::References);
    QVERIFY(m_scene->openUntilRetained(test::dataFile(QStringLiteral("shop-10.core.zst"))));
    // The static that retains the most objects.
    const auto& roots = m_scene->snapshot().roots().roots;
    std::uint64_t largest = 0;
    for (std::uint32_t root = 0; root < roots.size(); ++root) {
      const std::uint64_t bytes = engine::retainedByRoot(m_scene->snapshot(), root).bytes;
      if (roots[root].kind != engine::RootKind::Static || bytes <= largest) continue;
      largest = bytes;
      m_root = roots[root];
    }
    QVERIFY(largest > 0);
  }

  void anObjectsRootsAreNamedWithWhatTheyRetain() {
    m_scene->navigator.showReferences(ReferencesPage::WhyAlive,
                                      {.object = m_root.object, .methodTable = {}, .segment = {}});
    QTRY_VERIFY_WITH_TIMEOUT(m_scene->lines(kPaths) > 0, test::kPatienceMs);
    QCOMPARE(m_scene->cell(kPaths, 0, 0), fromEngine(m_root.name));
    QCOMPARE(m_scene->cell(kPaths, 0, 2), QStringLiteral("1"));
    QTRY_COMPARE(m_scene->lines(kSteps), 1);
    auto* headline = m_scene->part<ElidedText>(QStringLiteral("whyAliveHeadline"));
    QVERIFY(headline->text().contains(addressText(m_root.object)));
    QVERIFY(!m_scene->part<QLabel>(QStringLiteral("pathExpression"))->toolTip().isEmpty());
  }

  void everyStepOfTheWayIsListed() {
    const auto deep = deepObject();
    QVERIFY(deep);
    m_scene->navigator.showReferences(ReferencesPage::WhyAlive, {.object = deep, .methodTable = {}, .segment = {}});
    const auto list = engine::pathsToRoots(m_scene->snapshot(), deep, {}, nullptr, {});
    QVERIFY(list && !list->paths.empty());
    QTRY_COMPARE_WITH_TIMEOUT(m_scene->lines(kSteps), static_cast<int>(list->paths[0].length), test::kPatienceMs);
    const int object = m_scene->column(kSteps, QStringLiteral("Object"));
    QCOMPARE(m_scene->cell(kSteps, m_scene->lines(kSteps) - 1, object), addressText(deep));
  }

  void allObjectsOfTheTypeAreOneTree() {
    m_scene->part<QToolButton>(QStringLiteral("allOfType"))->click();
    auto* tree = m_scene->part<QTreeView>(QStringLiteral("mergedPaths"));
    QTRY_VERIFY_WITH_TIMEOUT(tree->isVisible(), test::kPatienceMs);
    const QAbstractItemModelTester tester(tree->model());
    QCOMPARE(tree->model()->rowCount(), 1);
    QVERIFY(tree->isExpanded(tree->model()->index(0, 0)));
    m_scene->part<QToolButton>(QStringLiteral("allOfType"))->click();
  }

  void whatNothingHoldsIsSaidSo() {
    const engine::Address garbage = unreachableObject();
    QVERIFY(garbage);
    m_scene->navigator.showReferences(ReferencesPage::WhyAlive, {.object = garbage, .methodTable = {}, .segment = {}});
    QTRY_COMPARE_WITH_TIMEOUT(m_scene->lines(kPaths), 0, test::kPatienceMs);
  }

  void untilItIsKnownTheProgressIsShown() {
    test::PlaceScene<ReferencesPlace> scene(PlaceId::References);
    QVERIFY(scene.open(test::dataFile(QStringLiteral("shop-9.core.zst"))));
    scene.bridge.stopRetained();
    const auto panels = scene.place.findChildren<StatePanel*>(Qt::FindDirectChildrenOnly);
    const bool isOffered =
        std::ranges::any_of(scene.place.findChildren<QAbstractButton*>(), [](QAbstractButton* button) {
          return button->isVisible() && button->text() == QStringLiteral("Compute it now");
        });
    QVERIFY(isOffered || scene.snapshot().has(engine::Stage::Retained));
  }

 private:
  // As far from its root as a short look finds.
  engine::Address deepObject() const {
    const engine::RetainedList largest = engine::largestRetained(m_scene->snapshot(), 400);
    for (const engine::RetainedRow& row : largest.objects) {
      const auto list = engine::pathsToRoots(m_scene->snapshot(), row.object, {.paths = 1, .steps = 10}, nullptr, {});
      if (list && !list->paths.empty() && list->paths[0].length >= 3) return row.object;
    }
    return {};
  }
  engine::Address unreachableObject() const {
    engine::Address found;
    engine::forEachObject(m_scene->snapshot(), {}, [&](const engine::ObjectRow& row) {
      const auto retained = engine::retainedOf(m_scene->snapshot(), row.address);
      if (!m_scene->snapshot().types()[row.type.value].isFree && retained && !retained->isReachable)
        found = row.address;
      return !found;
    });
    return found;
  }

  std::unique_ptr<test::PlaceScene<ReferencesPlace>> m_scene;
  engine::RootRow m_root;
};

HEAPSCAPE_WINDOW_TEST(WhyAliveTest)

}  // namespace heapscape::gui

#include "tst_why_alive.moc"
