// SPDX-License-Identifier: MIT
// The place Memory on real dumps: figures, the picture and the list pick the same, and where its parts lead.
#include <QPushButton>

#include "support/place_scene.h"
#include "support/window_test.h"
#include "views/memory/memory_parts.h"
#include "views/memory/memory_place.h"
#include "widgets/drawing/colours.h"
#include "widgets/figure_tile.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"
#include "widgets/treemap/treemap.h"

namespace heapscape::gui {

namespace {

const QString kList = QStringLiteral("memory");

struct MemoryPlaceScene : test::PlaceScene<MemoryPlace> {
  MemoryPlaceScene() : test::PlaceScene<MemoryPlace>(PlaceId::Memory) {}

  Treemap& treemap() { return *part<Treemap>(QStringLiteral("memoryTreemap")); }
  engine::ProcessMemory memory() { return *engine::processMemoryOf(snapshot(), {}); }
  bool openUntilShown(const QString& name) {
    return open(test::dumpFile(name)) && QTest::qWaitFor([this] { return lines(kList) > 0; }, test::kPatienceMs);
  }
  std::optional<TreemapSpot> spotOf(engine::MemoryOwner owner, const QString& name) {
    for (std::size_t group = 0; group < treemap().groups().size(); ++group) {
      if (treemap().groups()[group].name != memoryOwnerText(owner)) continue;
      const std::vector<TreemapPart>& parts = treemap().groups()[group].parts;
      for (std::size_t part = 0; part < parts.size(); ++part) {
        if (parts[part].name.section(QStringLiteral(", "), 0, 0) == name) return TreemapSpot{group, part};
      }
    }
    return std::nullopt;
  }
};

}  // namespace

class MemoryPlaceTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { test::dressApplication(); }

  void everyMappedByteIsInThePictureOnce_data() {
    QTest::addColumn<QString>("dump");
    for (const char* dump : {"shop-8-segments", "shop-9-server", "shop-10", "shop-10-gcore"})
      QTest::newRow(dump) << QString::fromLatin1(dump);
  }

  void everyMappedByteIsInThePictureOnce() {
    QFETCH(QString, dump);
    MemoryPlaceScene scene;
    QVERIFY(scene.openUntilShown(dump));
    const engine::ProcessMemory memory = scene.memory();
    std::uint64_t bytes = 0;
    std::size_t parts = 0;
    for (const TreemapPart& group : scene.treemap().groups()) {
      std::uint64_t ofGroup = 0;
      for (const TreemapPart& part : group.parts) ofGroup += part.bytes;
      QCOMPARE(ofGroup, group.bytes);
      bytes += group.bytes;
      parts += group.parts.size();
    }
    QCOMPARE(bytes, memory.mappedBytes);
    QCOMPARE(parts, memory.parts.size());
    QCOMPARE(scene.lines(kList), static_cast<int>(memory.parts.size()));
    QCOMPARE(scene.part<FigureTile>(QStringLiteral("memoryMapped"))->figure(), bytesText(memory.mappedBytes));
    QCOMPARE(scene.part<ElidedText>(QStringLiteral("memoryRemark"))->isHidden(), memory.remark.empty());
  }

  void pickingAnAreaPicksItsRowAndTheOtherWayRound() {
    MemoryPlaceScene scene;
    QVERIFY(scene.openUntilShown(QStringLiteral("shop-10")));
    const auto spot = scene.spotOf(engine::MemoryOwner::GcUsed, generationText(engine::Generation::Gen2));
    QVERIFY(spot);
    scene.treemap().zoom(spot->group);
    const auto tiles = scene.treemap().tiles();
    const auto tile = std::ranges::find_if(tiles, [&](const TreemapTile& one) { return one.spot == *spot; });
    QTest::mouseClick(&scene.treemap(), Qt::LeftButton, {}, tile->rect.center().toPoint());
    const int line = scene.table(kList).currentIndex().row();
    QVERIFY(line >= 0);
    QCOMPARE(scene.cell(kList, line, 1), QStringLiteral("gen2"));
    QCOMPARE(scene.cell(kList, line, 0), memoryOwnerText(engine::MemoryOwner::GcUsed));
    QCOMPARE(*scene.treemap().marked(), *spot);
    QVERIFY(
        scene.part<ElidedText>(QStringLiteral("memoryPicked"))->text().startsWith(QStringLiteral("Objects › gen2")));

    const int file = scene.lineWith(kList, 1, QStringLiteral("libcoreclr.so"));
    QVERIFY(file >= 0);
    scene.table(kList).setCurrentIndex(scene.model(kList).index(file, 0));
    const auto other = scene.spotOf(engine::MemoryOwner::MappedFile, QStringLiteral("libcoreclr.so"));
    QCOMPARE(*scene.treemap().marked(), *other);
    QVERIFY(!scene.treemap().zoomed());  // it is in another group
    QVERIFY(scene.part<QPushButton>(QStringLiteral("memoryTypes"))->isHidden());
  }

  void aGenerationLeadsToItsTypesAndToGenerations() {
    MemoryPlaceScene scene;
    QVERIFY(scene.openUntilShown(QStringLiteral("shop-10")));
    for (int line = 0; line < scene.lines(kList); ++line) {
      if (scene.cell(kList, line, 0) == memoryOwnerText(engine::MemoryOwner::GcUsed) &&
          scene.cell(kList, line, 1) == QStringLiteral("gen1"))
        scene.table(kList).setCurrentIndex(scene.model(kList).index(line, 0));
    }
    scene.part<QPushButton>(QStringLiteral("memoryTypes"))->click();
    QCOMPARE(scene.navigator.location().place, PlaceId::Types);
    QCOMPARE(scene.navigator.location().scope.generation, std::optional(engine::Generation::Gen1));
    scene.part<QPushButton>(QStringLiteral("memoryGenerations"))->click();
    QCOMPARE(scene.navigator.location().place, PlaceId::Generations);
    scene.part<QPushButton>(QStringLiteral("memorySegments"))->click();
    QCOMPARE(scene.navigator.location().place, PlaceId::Segments);
  }

  void backLooksAtAllGroupsAgain() {
    MemoryPlaceScene scene;
    QVERIFY(scene.openUntilShown(QStringLiteral("shop-10")));
    const auto spot = scene.spotOf(engine::MemoryOwner::MappedFile, QStringLiteral("libcoreclr.so"));
    scene.treemap().mark(*spot);
    QTest::keyClick(&scene.treemap(), Qt::Key_Return);
    QCOMPARE(scene.treemap().zoomed(), std::optional(spot->group));
    scene.navigator.goTo(PlaceId::Types);
    scene.navigator.back();
    QCOMPARE(scene.treemap().zoomed(), std::optional(spot->group));
    scene.navigator.back();
    QVERIFY(!scene.treemap().zoomed());
    scene.navigator.forward();
    QCOMPARE(scene.treemap().zoomed(), std::optional(spot->group));
  }

  void aGroupIsToldAsAWhole() {
    MemoryPlaceScene scene;
    QVERIFY(scene.openUntilShown(QStringLiteral("shop-10")));
    const auto tiles = scene.treemap().tiles();
    const auto headed = std::ranges::find_if(tiles, [](const TreemapTile& tile) { return !tile.heading.isEmpty(); });
    QTest::mouseClick(&scene.treemap(), Qt::LeftButton, {}, headed->heading.center().toPoint());
    const TreemapPart& group = scene.treemap().groups()[headed->spot.group];
    const QString told = scene.part<ElidedText>(QStringLiteral("memoryPicked"))->text();
    QVERIFY2(told.startsWith(group.name) && told.contains(bytesText(group.bytes)), qPrintable(told));
  }

  void aClosedDumpLeavesNothing() {
    MemoryPlaceScene scene;
    QVERIFY(scene.openUntilShown(QStringLiteral("shop-10")));
    scene.place.clear();
    QVERIFY(scene.treemap().groups().empty());
    QCOMPARE(scene.lines(kList), 0);
  }

  void ownersAreToldApartByMoreThanColour() {
    for (const bool isDark : {false, true}) {
      QPalette palette;
      palette.setColor(QPalette::Window, isDark ? Qt::black : Qt::white);
      const Colours colours(palette);
      QVERIFY(memorySample(engine::MemoryOwner::GcFree, std::nullopt, colours).fill.style() == Qt::TexturePattern);
      QVERIFY(memorySample(engine::MemoryOwner::GcCommittedUnused, std::nullopt, colours).line.style() ==
              Qt::SolidLine);
      QVERIFY(memorySample(engine::MemoryOwner::Other, std::nullopt, colours).line.style() == Qt::DashLine);
      QCOMPARE(memorySample(engine::MemoryOwner::GcUsed, engine::Generation::Gen0, colours).fill.color(),
               colours.of(engine::Generation::Gen0));
    }
  }
};

HEAPSCAPE_WINDOW_TEST(MemoryPlaceTest)

}  // namespace heapscape::gui

#include "tst_memory_place.moc"
