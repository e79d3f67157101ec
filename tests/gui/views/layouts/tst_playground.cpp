// SPDX-License-Identifier: MIT
// Declarations tried on a real dump, driven as a person does: fields dragged, moved by keys, made of other types.
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QMenu>
#include <QSpinBox>
#include <QTest>
#include <QToolButton>
#include <algorithm>

#include "support/settings_folder.h"
#include "support/window_test.h"
#include "views/layouts/array_strip.h"
#include "views/layouts/layouts_scene.h"
#include "views/layouts/playground/playground_view.h"
#include "widgets/drawing/picture_actions.h"

using namespace heapscape;
using namespace heapscape::gui;
using engine::LayoutItem;
using engine::LayoutItems;

namespace {

using gui::test::kPatienceMs;

struct PlaygroundScene : gui::test::LayoutsScene {
  bool open() { return PlaceScene::open(gui::test::dataFile(QStringLiteral("shop-10.core.zst"))); }

  PlaygroundView& view() { return *place.findChild<PlaygroundView*>(); }
  SideBySideCanvas& picture() { return *view().diagram()->canvas(); }
  QString figures() { return part<QLabel>("playgroundFigures")->text(); }
  std::uint32_t triedBytes() { return view().answer() ? view().answer()->layout.layout.unitBytes() : 0; }
  bool waitForBytes(std::uint32_t bytes) {
    return QTest::qWaitFor([&] { return triedBytes() == bytes; }, kPatienceMs);
  }

  bool tryType(const char* name) {
    navigator.showLayoutOf(typeNamed(name));
    auto* toggle = part<QToolButton>("layoutPlay");
    if (!toggle->isChecked()) toggle->click();
    return QTest::qWaitFor(
        [&] {
          return view().isVisible() && view().answer() && view().answer()->layout.layout.typeName == name &&
                 view().answer()->savedOnHeap.has_value();
        },
        kPatienceMs);
  }

  /// A field in the column that is tried.
  QRect boundsOf(const char* field) {
    const LayoutItems& items = *picture().columns()[1].items;
    for (std::uint32_t item = 0; item < items.items.size(); ++item) {
      if (items[item].name == field) return picture().boundsOf(1, picture().matches().fieldOf(1, item));
    }
    return {};
  }
  std::int64_t offsetOf(const char* field) {
    const LayoutItems& items = *picture().columns()[1].items;
    return std::ranges::find(items.items, field, &LayoutItem::name)->begin;
  }
  void choose(const char* button, const QString& text) {
    for (QAction* action : part<QToolButton>(button)->menu()->actions()) {
      if (action->text() == text) action->trigger();
    }
  }
  void reset() {
    if (part<QToolButton>("playgroundReset")->isEnabled()) part<QToolButton>("playgroundReset")->click();
  }
};

}  // namespace

class PlaygroundTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    QVERIFY(m_settings.isValid());
    QVERIFY(m_scene.open());
  }

  void init() {
    QVERIFY(m_scene.tryType("Shop.SequentialStruct"));
    m_scene.reset();
    QVERIFY(m_scene.waitForBytes(24));
    QTRY_COMPARE(m_scene.offsetOf("D"), std::int64_t{8});
  }

  void beginsWithWhatIsInForce() {
    const auto& columns = m_scene.picture().columns();
    QCOMPARE(columns.size(), std::size_t{2});
    QCOMPARE(columns[0].figure, columns[1].figure);
    QVERIFY(m_scene.figures().contains(QStringLiteral("whole heap: unchanged")));
    QCOMPARE(m_scene.part<ArrayStrip>("playgroundArrays")->lines().size(), std::size_t{2});
    QVERIFY(m_scene.part<ArrayStrip>("playgroundArrays")
                ->lines()[0]
                .facts.front()
                .endsWith(QStringLiteral("B an element")));
  }

  void aFieldIsDraggedToAnotherPlaceAndAllFiguresFollow() {
    SideBySideCanvas& picture = m_scene.picture();
    QTest::mousePress(&picture, Qt::LeftButton, {}, m_scene.boundsOf("D").center());
    // Before the button is let go of.
    const QRect end = m_scene.boundsOf("E");
    QTest::mouseMove(&picture, end.center());
    QTest::mouseMove(&picture, end.center() + QPoint(end.width() / 4, 0));
    QVERIFY(m_scene.waitForBytes(16));
    QTest::mouseRelease(&picture, Qt::LeftButton, {}, end.center());
    QTRY_VERIFY(m_scene.figures().contains(QStringLiteral("16 B a value (\u22128 B)")));
    QVERIFY(m_scene.figures().contains(QStringLiteral("padding")));
    QVERIFY(m_scene.view().answer()->savedOnHeap.value_or(0) > 0);
    QCOMPARE(m_scene.part<ArrayStrip>("playgroundArrays")->lines()[1].elements.stride, std::int64_t{16});
    m_scene.part<QToolButton>("playgroundCopy")->click();
    const QString code = QGuiApplication::clipboard()->text();
    QVERIFY(code.indexOf(QStringLiteral(" D;")) > code.indexOf(QStringLiteral(" E;")));
  }

  void keysMoveTheSelectedField() {
    SideBySideCanvas& picture = m_scene.picture();
    QTest::mouseClick(&picture, Qt::LeftButton, {}, m_scene.boundsOf("B").center());
    QTest::keyClick(&picture, Qt::Key_Down, Qt::AltModifier);
    QTRY_COMPARE_WITH_TIMEOUT(m_scene.offsetOf("D"), std::int64_t{0}, kPatienceMs);
    QVERIFY(m_scene.waitForBytes(16));
    QTest::keyClick(&picture, Qt::Key_Up, Qt::AltModifier);
    QVERIFY(m_scene.waitForBytes(24));
  }

  void theMenuOfAFieldHasOtherTypes() {
    QTest::mouseClick(&m_scene.picture(), Qt::LeftButton, {}, m_scene.boundsOf("D").center());
    QCOMPARE(m_scene.part<QToolButton>("playgroundType")->text(), QStringLiteral("Type of D"));
    m_scene.choose("playgroundType", QStringLiteral("int"));
    QVERIFY(m_scene.waitForBytes(12));
    m_scene.choose("playgroundType", QStringLiteral("Leave it out"));
    QVERIFY(m_scene.waitForBytes(4));
    QVERIFY(m_scene.boundsOf("D").isEmpty());
  }

  void attributesAreTried() {
    m_scene.part<QToolButton>("playgroundKind2")->click();
    QVERIFY(m_scene.waitForBytes(16));
    m_scene.part<QToolButton>("playgroundKind0")->click();
    QVERIFY(m_scene.waitForBytes(24));
    m_scene.choose("playgroundPack", QStringLiteral("1"));
    QVERIFY(m_scene.waitForBytes(12));
    m_scene.part<QSpinBox>("playgroundSize")->setValue(40);
    QVERIFY(m_scene.waitForBytes(40));
    m_scene.reset();
    QVERIFY(m_scene.waitForBytes(24));
    QVERIFY(m_scene.view().tried() == engine::TriedDeclaration());
  }

  void thePictureIsPinned() {
    QVERIFY(m_scene.part<QToolButton>("playgroundPin")->isEnabled());
    QVERIFY(pinActionOf(m_scene.picture()));
  }

  void anotherTypeBeginsAnew() {
    m_scene.choose("playgroundPack", QStringLiteral("1"));
    QVERIFY(m_scene.waitForBytes(12));
    QVERIFY(m_scene.tryType("Shop.AutoClass"));
    // No array holds these.
    const QString first = m_scene.part<ArrayStrip>("playgroundArrays")->lines()[0].facts.front();
    QVERIFY2(first.endsWith(QStringLiteral("B an object, one behind the other")), qPrintable(first));
    QVERIFY(m_scene.view().tried() == engine::TriedDeclaration());
    QVERIFY(m_scene.figures().contains(QStringLiteral("an object")));
    m_scene.part<QToolButton>("layoutPlay")->click();
    QVERIFY(!m_scene.view().isVisible());
  }

 private:
  gui::test::SettingsFolder m_settings;
  PlaygroundScene m_scene;
};

HEAPSCAPE_WINDOW_TEST(PlaygroundTest)
#include "tst_playground.moc"
