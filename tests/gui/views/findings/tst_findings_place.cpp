// SPDX-License-Identifier: MIT
// The check of the heap on a healthy dump, and on one with a reference that leads nowhere.
#include <QLabel>
#include <QPushButton>

#include "session/details/object_details.h"
#include "session/objects/object_query.h"
#include "support/patched_core.h"
#include "support/place_scene.h"
#include "support/window_test.h"
#include "views/findings/findings_place.h"
#include "widgets/text/finding_text.h"

namespace heapscape::gui {

namespace {

const QString kFindings = QStringLiteral("findings");
const QString kHeadline = QStringLiteral("checkHeadline");
const QString kText = QStringLiteral("checkText");
const QString kButton = QStringLiteral("check");

}  // namespace

class FindingsPlaceTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { test::dressApplication(); }

  void aHealthyHeapIsSaidToBeSo() {
    test::PlaceScene<FindingsPlace> scene(PlaceId::Findings);
    QVERIFY(!scene.part<QPushButton>(kButton)->isVisible());
    QVERIFY(scene.openUntilRetained(test::dataFile(QStringLiteral("shop-10.core.zst"))));
    scene.part<QPushButton>(kButton)->click();
    QTRY_COMPARE_WITH_TIMEOUT(scene.part<QLabel>(kHeadline)->text(), QStringLiteral("The heap is healthy"),
                              test::kPatienceMs);
    const auto check = engine::checkHeap(scene.snapshot(), nullptr, {});
    const QString text = scene.part<QLabel>(kText)->text();
    for (const std::uint64_t figure : {check->objects, check->references, check->handles, check->statics}) {
      QVERIFY2(text.contains(QLocale(QLocale::English).toString(static_cast<qulonglong>(figure))), qPrintable(text));
    }
    QCOMPARE(scene.lines(kFindings), static_cast<int>(scene.snapshot().findings().size()));
  }

  void withoutADumpNothingIsSaidToBeRight() {
    test::PlaceScene<FindingsPlace> scene(PlaceId::Findings);
    QCOMPARE(test::visibleTexts(scene.place).count(QStringLiteral("No dump is open")), 1);
    QVERIFY(!scene.part<QLabel>(kHeadline)->isVisible());
  }

  void aReferenceThatLeadsNowhereIsFoundAndLeadsToItsObject() {
    heapscape::test::PatchedCore core("shop-10");
    engine::Address object;
    {
      test::PlaceScene<FindingsPlace> scene(PlaceId::Findings);
      QVERIFY(scene.open(QString::fromStdString(core.path().string())));
      object = anOrder(scene.snapshot());
      const auto details = engine::objectDetails(scene.snapshot(), object);
      QVERIFY(details);
      const auto reference = std::ranges::find_if(details->fields, [](const engine::FieldValue& field) {
        return field.value.kind == engine::ValueKind::Reference;
      });
      QVERIFY(reference != details->fields.end());
      core.write<std::uint64_t>(reference->address, 0x1234567890);
    }
    test::PlaceScene<FindingsPlace> scene(PlaceId::Findings);
    QVERIFY(scene.openUntilRetained(QString::fromStdString(core.path().string())));
    QTRY_VERIFY(scene.lines(kFindings) > 0);  // reading all references has met it already
    const int before = scene.lines(kFindings);
    scene.part<QPushButton>(kButton)->click();
    QTRY_VERIFY_WITH_TIMEOUT(scene.part<QLabel>(kHeadline)->text().contains(QStringLiteral("The check found")),
                             test::kPatienceMs);
    QTRY_COMPARE(scene.lines(kFindings), before);  // and is not told of twice
    const int line = scene.lineWith(kFindings, 0, findingTitle(engine::FindingKind::ReferenceDamaged));
    QVERIFY(line >= 0);
    Q_EMIT scene.table(kFindings).activated(scene.model(kFindings).index(line, 0));
    QTRY_COMPARE_WITH_TIMEOUT(scene.navigator.location().place, PlaceId::Object, test::kPatienceMs);
    QCOMPARE(scene.navigator.location().selection.object.value, object.value);
  }

  void aCheckCanBeStopped() {
    test::PlaceScene<FindingsPlace> scene(PlaceId::Findings);
    QVERIFY(scene.openUntilRetained(test::dataFile(QStringLiteral("shop-10.core.zst"))));
    const QString before = scene.part<QLabel>(kHeadline)->text();
    auto* button = scene.part<QPushButton>(kButton);
    button->click();
    QCOMPARE(button->text(), QStringLiteral("Stop"));
    button->click();
    QCOMPARE(scene.part<QLabel>(kHeadline)->text(), before);
    QTest::qWait(300);  // whatever is still on its way does not arrive
    QCOMPARE(scene.part<QLabel>(kHeadline)->text(), before);
    QCOMPARE(button->text(), QStringLiteral("Check the heap"));
  }

  void whatOpeningHasFoundIsListed() {
    test::PlaceScene<FindingsPlace> scene(PlaceId::Findings);
    QVERIFY(scene.openUntilRetained(test::dataFile(QStringLiteral("storm-8-collecting.core.zst"))));
    const auto& findings = scene.snapshot().findings();
    QVERIFY(!findings.empty());
    QTRY_COMPARE_WITH_TIMEOUT(scene.lines(kFindings), static_cast<int>(findings.size()), test::kPatienceMs);
    QVERIFY(scene.lineWith(kFindings, 0, findingTitle(engine::FindingKind::GcInProgress)) >= 0);
  }

 private:
  static engine::Address anOrder(const engine::Snapshot& snapshot) {
    engine::ObjectFilter filter;
    for (std::uint32_t type = 0; type < snapshot.types().size(); ++type) {
      if (snapshot.types()[type].name == "Catalog.Order") filter.type = engine::TypeId{type};
    }
    return engine::listObjects(snapshot, filter, 10, 1).at(0).address;
  }
};

HEAPSCAPE_WINDOW_TEST(FindingsPlaceTest)

}  // namespace heapscape::gui

#include "tst_findings_place.moc"
