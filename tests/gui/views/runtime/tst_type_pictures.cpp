// SPDX-License-Identifier: MIT
// Rectangles of the pictures in Runtime, from hand-made types.
#include <QTest>

#include "support/window_test.h"
#include "views/runtime/sharing_picture.h"
#include "views/runtime/type_anatomy_picture.h"

namespace heapscape::gui {

namespace {

engine::GenericDefinition boxes() {
  engine::GenericDefinition definition;
  definition.name = "Shop.Box<T>";
  const auto add = [&](std::uint64_t methodTable, std::uint64_t canonical, bool isShared) {
    engine::GenericInstantiation type;
    type.methodTable = {methodTable};
    type.canonical = {canonical};
    type.sharesCode = isShared;
    definition.instantiations.push_back(type);
  };
  add(0x10, 0x10, true);
  add(0x20, 0x10, true);
  add(0x30, 0x10, true);
  add(0x40, 0x40, false);
  add(0x50, 0x50, false);
  return definition;
}

engine::TypeDetails type() {
  engine::TypeDetails details;
  details.methodTable = {0x1000};
  details.parts = {{"EEClass", {0x8000}, 64, {}},
                   {"method table", {0x1000}, 64, {}},
                   {"vtable", {0x1040}, 32, {}},
                   {"auxiliary data", {0x0800}, 48, {}},
                   {"interface map", {0x1060}, 16, {}}};
  return details;
}

}  // namespace

class TypePicturesTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void instantiationsThatShareCodeLieInOneBox() {
    const SharingGeometry geometry = layOutSharing(boxes(), 400, 24);
    QCOMPARE(geometry.groups.size(), std::size_t{3});
    QCOMPARE(geometry.groups[0].count, std::size_t{3});
    QVERIFY(geometry.groups[0].isShared && !geometry.groups[1].isShared);
    for (const SharingGroup& group : geometry.groups) {
      for (std::size_t row = group.first; row < group.first + group.count; ++row) {
        QVERIFY(group.box.contains(geometry.rows[row]));
      }
    }
    for (std::size_t group = 1; group < geometry.groups.size(); ++group) {
      QVERIFY(geometry.groups[group].box.top() > geometry.groups[group - 1].box.bottom());
    }
    QVERIFY(geometry.size.height() > geometry.groups.back().box.bottom());
  }

  void instantiationsAreFoundByPoint() {
    const SharingGeometry geometry = layOutSharing(boxes(), 400, 24);
    for (std::size_t row = 0; row < geometry.rows.size(); ++row) {
      QCOMPARE(instantiationAt(geometry, geometry.rows[row].center()), std::optional(row));
    }
    QVERIFY(!instantiationAt(geometry, geometry.groups[0].heading.center()));
    QVERIFY(!instantiationAt(geometry, QPointF(200, 10'000)));
    QVERIFY(!instantiationAt(layOutSharing({}, 400, 24), QPointF(200, 20)));
  }

  void partsBehindOneAnotherAreOneBlock() {
    const TypeAnatomyGeometry geometry = layOutTypeAnatomy(type(), true, {});
    QCOMPARE(geometry.blocks.size(), std::size_t{3});
    QCOMPARE(geometry.blocks[0].parts.size(), std::size_t{3});  // method table, vtable, interface map
    QCOMPARE(geometry.blocks[0].parts[0].part, std::size_t{1});
    QCOMPARE(geometry.blocks[0].parts[2].part, std::size_t{4});
    QCOMPARE(geometry.arrows.size(), std::size_t{3});  // from the object, to the EEClass, to the auxiliary data
    for (std::size_t a = 0; a < geometry.blocks.size(); ++a) {
      QVERIFY(!geometry.blocks[a].box.intersects(geometry.object));
      QVERIFY(QRectF(QPointF(), geometry.size).contains(geometry.blocks[a].box));
      for (std::size_t b = a + 1; b < geometry.blocks.size(); ++b) {
        QVERIFY(!geometry.blocks[a].box.intersects(geometry.blocks[b].box));
      }
    }
    const QRectF eeClass = geometry.blocks[2].parts[0].box;
    QCOMPARE(typeAnatomyPartAt(geometry, eeClass.center()), std::optional<std::size_t>(0));
  }

  void absurdPartsDoNoHarm() {
    engine::TypeDetails details;
    details.methodTable = {0x1000};
    details.parts = {{"end", {UINT64_MAX}, UINT32_MAX, {}}, {"start", {0}, UINT32_MAX, {}}};
    const TypeAnatomyGeometry geometry = layOutTypeAnatomy(details, false, {});
    QVERIFY(geometry.arrows.empty());
    QVERIFY(geometry.object.isEmpty());
    QVERIFY(layOutTypeAnatomy({}, false, {}).blocks.empty());
  }
};

HEAPSCAPE_WINDOW_TEST(TypePicturesTest)

}  // namespace heapscape::gui

#include "tst_type_pictures.moc"
