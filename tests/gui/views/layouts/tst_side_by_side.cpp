// SPDX-License-Identifier: MIT
// Layouts beside each other on a real dump, driven as a person does.
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QTabWidget>
#include <QTest>
#include <QToolButton>
#include <algorithm>

#include "support/settings_folder.h"
#include "support/window_test.h"
#include "views/layouts/advice_panel.h"
#include "views/layouts/array_strip.h"
#include "views/layouts/column_feet.h"
#include "views/layouts/instance_panel.h"
#include "views/layouts/layouts_scene.h"
#include "widgets/drawing/picture_actions.h"
#include "widgets/hex_view/hex_view.h"
#include "widgets/text/elided_text.h"

using namespace heapscape;
using namespace heapscape::gui;
using engine::LayoutItem;
using engine::LayoutItems;
using engine::LayoutPart;

namespace {

using gui::test::kPatienceMs;

struct SideBySideScene : gui::test::LayoutsScene {
  bool open() { return PlaceScene::open(gui::test::dataFile(QStringLiteral("shop-10.core.zst"))); }

  InstancePanel& instance() { return *place.findChild<InstancePanel*>(); }
  const std::vector<DiagramColumn>& columns() { return canvas().columns(); }
  ColumnFeet& feet() { return *place.findChild<ColumnFeet*>(); }
  const LayoutColumn* columnBy(engine::RuleSet rules) {
    const auto found = std::ranges::find(panel().shown().columns, ColumnKey{rules, 0, 0}, &LayoutColumn::key);
    return found == panel().shown().columns.end() ? nullptr : &*found;
  }
  /// The columns that are drawn, which chips are not.
  std::vector<std::size_t> drawn() {
    std::vector<std::size_t> places;
    for (std::size_t column = 0; column < columns().size(); ++column) {
      if (columns()[column].sameAs.isEmpty()) places.push_back(column);
    }
    return places;
  }
  std::size_t inForce() {
    return static_cast<std::size_t>(std::ranges::find(columns(), true, &DiagramColumn::isInForce) - columns().begin());
  }

  /// Until the type and all its rule sets are shown.
  bool showType(const char* name) {
    if (!typeNamed(name)) return false;
    navigator.showLayoutOf(typeNamed(name));
    return QTest::qWaitFor(
        [&] {
          return !panel().shown().columns.empty() && panel().shown().layout().typeName == name &&
                 !panel().shown().type.isNone();
        },
        kPatienceMs);
  }

  std::uint32_t fieldNamed(const char* name) {
    const LayoutItems& items = *columns()[inForce()].items;
    const auto found = std::ranges::find(items.items, name, &LayoutItem::name);
    return found == items.items.end()
               ? FieldMatches::kNone
               : canvas().matches().fieldOf(inForce(), static_cast<std::uint32_t>(found - items.items.begin()));
  }

  void choose(const char* menu, const QString& text, bool isChosen) {
    for (QAction* action : part<QToolButton>(menu)->menu()->actions()) {
      if (action->text() == text) action->setChecked(isChosen);
    }
  }
};

}  // namespace

class SideBySideTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    QVERIFY(m_settings.isValid());
    QVERIFY(m_scene.open());
  }

  void threeColumnsStandInTheirOrder() {
    for (const char* type : {"Shop.SequentialStruct", "Shop.AutoClass", "Shop.AsksSequential"}) {
      QVERIFY(m_scene.showType(type));
      QStringList titles;
      for (const DiagramColumn& column : m_scene.columns()) titles << column.title;
      QCOMPARE(titles,
               QStringList({QStringLiteral("Sequential"), QStringLiteral("Auto"), QStringLiteral("Best order")}));
      QCOMPARE(std::ranges::count(m_scene.columns(), true, &DiagramColumn::isInForce), std::ptrdiff_t{1});
      QVERIFY(m_scene.columns()[m_scene.inForce()].sameAs.isEmpty());
    }
  }

  void whatIsInForceIsSaidAsItIsDeclared() {
    QVERIFY(m_scene.showType("Shop.SequentialStruct"));
    QCOMPARE(m_scene.columns()[m_scene.inForce()].title, QStringLiteral("Sequential"));
    QVERIFY(m_scene.showType("Shop.AutoClass"));
    QCOMPARE(m_scene.columns()[m_scene.inForce()].title, QStringLiteral("Auto"));
  }

  void whatComesToTheSameIsAChip() {
    // A reference keeps the runtime from the declared order, so that both come to the same.
    QVERIFY(m_scene.showType("Shop.AsksSequential"));
    const auto isAuto = [](const DiagramColumn& column) { return column.title == QStringLiteral("Auto"); };
    const auto chip = std::ranges::find_if(m_scene.columns(), isAuto);
    QCOMPARE(chip->sameAs, QStringLiteral("Sequential"));
    const auto place = static_cast<std::size_t>(chip - m_scene.columns().begin());
    QVERIFY(m_scene.canvas().geometry().columns[place].boxes.empty());
    QVERIFY(!m_scene.canvas().geometry().heads[place].isEmpty());
    QVERIFY(m_scene.feet().barOf(place).isEmpty());
    QVERIFY(!m_scene.part<QToolButton>(qPrintable(QStringLiteral("layoutAction%1").arg(place))));
  }

  void typesThatAreLaidOutInOneWayHaveOneColumn() {
    QVERIFY(m_scene.showType("System.String"));
    QCOMPARE(m_scene.columns().size(), std::size_t{1});
    QVERIFY(!m_scene.feet().isVisible());
  }

  void sizesAreBarsOnOneScale() {
    QVERIFY(m_scene.showType("Shop.SequentialStruct"));
    const auto& feet = m_scene.feet().feet();
    const auto now = m_scene.inForce();
    for (const std::size_t column : m_scene.drawn()) {
      const QRectF bar = m_scene.feet().barOf(column);
      const double perByte = m_scene.feet().barOf(now).width() / static_cast<double>(feet[now].bytes);
      QVERIFY(qAbs(bar.width() - perByte * static_cast<double>(feet[column].bytes)) < 0.01);
      const QRectF head = m_scene.canvas().geometry().heads[column];
      QVERIFY(qAbs(bar.left() - head.left()) < 1);
      QVERIFY(bar.contains(m_scene.feet().paddingOf(column)) || feet[column].paddingBytes == 0);
      QVERIFY(qAbs(m_scene.feet().paddingOf(column).width() -
                   perByte * static_cast<double>(feet[column].paddingBytes)) < 0.01);
    }
  }

  void buttonsCopyTheDeclarationForTheirColumn() {
    QVERIFY(m_scene.showType("Shop.SequentialStruct"));
    for (const std::size_t column : m_scene.drawn()) {
      auto* button = m_scene.part<QToolButton>(qPrintable(QStringLiteral("layoutAction%1").arg(column)));
      QVERIFY(button && button->isVisible());
      button->click();
      const QString code = QGuiApplication::clipboard()->text();
      QVERIFY(code.contains(QStringLiteral("struct SequentialStruct")));
      const QString& title = m_scene.columns()[column].title;
      if (column == m_scene.inForce()) QCOMPARE(button->text(), QStringLiteral("Keep"));
      if (title == QStringLiteral("Auto")) QVERIFY(code.contains(QStringLiteral("[StructLayout(LayoutKind.Auto")));
    }
  }

  void bestSavesWhatItsHeadSays() {
    QVERIFY(m_scene.showType("Shop.SequentialStruct"));
    const std::uint32_t now = m_scene.panel().shown().layout().unitBytes();
    const std::uint32_t best = m_scene.columnBy(engine::RuleSet::Best)->layout().unitBytes();
    QVERIFY(best < now);
    const std::size_t last = m_scene.drawn().back();
    QVERIFY(m_scene.columns()[last].facts.contains(QStringLiteral("\u2212%1 B a value").arg(now - best)));
    QVERIFY(!m_scene.canvas().geometry().curves.empty());
  }

  void thinFieldsHaveTheirNamesBesideThem() {
    QVERIFY(m_scene.showType("Shop.SequentialClass"));
    for (const int width : {875, 600}) {
      m_scene.panel().resize(width, 600);
      const QFontMetricsF font(m_scene.canvas().font());
      for (const std::size_t column : m_scene.drawn()) {
        const LayoutItems& items = *m_scene.columns()[column].items;
        const DiagramGeometry& geometry = m_scene.canvas().geometry().columns[column];
        for (const DiagramBox& box : geometry.boxes) {
          const LayoutItem& item = items[box.item];
          if (item.part != LayoutPart::Field || item.sizeBytes() > 4) continue;
          const auto callout = std::ranges::find(geometry.callouts, box.item, &DiagramCallout::item);
          const double room =
              callout == geometry.callouts.end() ? box.parts.front().width() - 8 : callout->label.width();
          const QString name = QString::fromStdString(item.name);
          QVERIFY2(font.horizontalAdvance(name) <= room, qPrintable(name));
        }
      }
    }
  }

  void paddingSaysWhyItIsThere() {
    QVERIFY(m_scene.showType("Shop.SequentialStruct"));
    const std::size_t column = m_scene.inForce();
    std::size_t told = 0;
    for (const LayoutItem& item : m_scene.columns()[column].items->items) {
      if (item.part != LayoutPart::Padding) continue;
      QVERIFY(!item.why.empty());
      told += item.why.find("multiple of") != std::string::npos ? 1 : 0;
    }
    QVERIFY(told > 0);
    const SideBySideCanvas& canvas = m_scene.canvas();
    QStringList facts;
    for (std::size_t item = 0; item < canvas.itemCount(); ++item) facts << canvas.itemText(item).facts;
    QVERIFY(facts.filter(QStringLiteral(" needs a multiple of ")).size() > 0);
  }

  void arraysCountByTheElement() {
    QVERIFY(m_scene.showType("Shop.SequentialStruct[]"));
    QTRY_COMPARE_WITH_TIMEOUT(m_scene.columns().size(), std::size_t{3}, kPatienceMs);
    QCOMPARE(m_scene.columns()[m_scene.inForce()].figure, QStringLiteral("24 B an element"));
    const std::size_t last = m_scene.drawn().back();
    const DiagramColumn& best = m_scene.columns()[last];
    QCOMPARE(best.figure, QStringLiteral("16 B an element"));
    const QString padding = best.facts.first();
    QVERIFY2(padding.startsWith(QStringLiteral("4 B padding")) && padding.endsWith(QStringLiteral("of 16 B")),
             qPrintable(padding));
    QVERIFY(best.facts.contains(QStringLiteral("\u22128 B an element")));
    QCOMPARE(m_scene.feet().feet()[last].effect, QStringLiteral("\u221256 B on this heap (2 arrays)"));  // 7 elements
    QVERIFY(best.isGain);
    int headings = 0;
    for (const QLabel* label : m_scene.panel().findChild<AdvicePanel*>()->findChildren<QLabel*>()) {
      QVERIFY2(!label->text().contains(QStringLiteral("an object")), qPrintable(label->text()));
      QVERIFY2(!label->text().contains(QStringLiteral("every value")), qPrintable(label->text()));
      headings += label->text().endsWith(QStringLiteral(": \u22128 B each")) ? 1 : 0;
    }
    QVERIFY(headings > 0);
  }

  void whatIsDeclaredStaysSoInEveryColumn() {
    QVERIFY(m_scene.showType("Shop.SequentialStruct"));
    m_scene.part<QToolButton>("layoutCopyText")->click();
    const QString text = QGuiApplication::clipboard()->text();
    QVERIFY2(text.contains(QStringLiteral("declared sequential, laid out auto")), qPrintable(text));
  }

  void separatedTypesAreToldSo() {
    PreparedLayout padded = m_scene.panel().shown();
    padded.best.separation = "Separated on purpose, for processors' caches: its name says so.";
    padded.best.means = engine::AdviceKind::NothingToGain;
    AdvicePanel panel;
    panel.show(padded, {});
    QVERIFY(panel.findChildren<QLabel*>().isEmpty());  // nobody sees it yet
    panel.setVisible(true);
    QStringList texts;
    for (const QLabel* label : panel.findChildren<QLabel*>()) texts << label->text();
    QVERIFY(texts.contains(QStringLiteral("Separated on purpose")));
    QVERIFY(texts.contains(QString::fromStdString(padded.best.separation)));
    QVERIFY(!texts.contains(QStringLiteral("Nothing to gain")));
  }

  void selectionIsFollowedInAllColumns() {
    QVERIFY(m_scene.showType("Shop.SequentialStruct"));
    QVERIFY(!m_scene.canvas().geometry().curves.empty());
    const FieldCurve& curve = m_scene.canvas().geometry().curves.front();
    const std::size_t next = m_scene.drawn()[1];
    const QRect right = m_scene.canvas().boundsOf(next, curve.field);
    QVERIFY(right.isValid());
    QTest::mouseClick(&m_scene.canvas(), Qt::LeftButton, {}, right.center());
    QCOMPARE(m_scene.canvas().selected(), curve.field);
    QVERIFY(m_scene.canvas().boundsOf(0, curve.field).isValid());
    const SideBySideCanvas& canvas = m_scene.canvas();
    QCOMPARE(canvas.itemText(canvas.currentItem().value()).facts.first(), m_scene.columns()[next].title);
  }

  void selectedFieldSaysWhyItLiesThere() {
    QVERIFY(m_scene.showType("Shop.SequentialStruct"));
    const FieldCurve curve = m_scene.canvas().geometry().curves.front();
    QTest::mouseClick(&m_scene.canvas(), Qt::LeftButton, {}, m_scene.canvas().boundsOf(0, curve.field).center());
    auto* why = m_scene.part<QWidget>("layoutWhy");
    QTRY_VERIFY(why->findChildren<QLabel*>().size() >= 3);  // a heading, and a reason for each column
  }

  void fieldThatPreventsTheDeclaredOrderIsShown() {
    QVERIFY(m_scene.showType("Shop.AsksSequential"));
    auto* show = m_scene.part<QPushButton>("layoutObstacle");
    QVERIFY(show);
    show->click();
    const std::uint32_t item = m_scene.canvas().matches().itemOf(m_scene.inForce(), m_scene.canvas().selected());
    QVERIFY(item != LayoutItem::kNoItem);
    QCOMPARE((*m_scene.columns()[m_scene.inForce()].items)[item].name, std::string("s"));
  }

  void valuesOpenInAllColumnsTogether() {
    QVERIFY(m_scene.showType("Shop.Deep"));
    m_scene.part<QToolButton>("layoutCloseAll")->click();
    const std::uint32_t inner = m_scene.fieldNamed("one");
    QVERIFY(inner != FieldMatches::kNone);
    m_scene.part<QToolButton>("layoutOpenAll")->click();
    for (const std::size_t column : m_scene.drawn()) QVERIFY(m_scene.canvas().boundsOf(column, inner).isValid());
  }

  void packIsAColumnOnDemand() {
    QVERIFY(m_scene.showType("Shop.SequentialStruct"));
    m_scene.choose("layoutPack", QStringLiteral("Pack 1"), true);
    const auto isPack = [](const DiagramColumn& column) { return column.title.contains(QStringLiteral("Pack 1")); };
    QTRY_VERIFY_WITH_TIMEOUT(std::ranges::any_of(m_scene.columns(), isPack), kPatienceMs);
    const auto pack = std::ranges::find_if(m_scene.columns(), isPack);
    const auto hasPadding = [](const LayoutItem& item) { return item.part == LayoutPart::Padding; };
    QVERIFY(std::ranges::none_of(pack->items->items, hasPadding));
    m_scene.choose("layoutPack", QStringLiteral("Pack 1"), false);
    QVERIFY(std::ranges::none_of(m_scene.columns(), isPack));
  }

  void anotherRuntimeIsAColumnOnDemand() {
    QVERIFY(m_scene.showType("Shop.SequentialStruct"));
    m_scene.choose("layoutRuntime", QStringLiteral(".NET 8"), true);
    const auto isRuntime = [](const DiagramColumn& column) { return column.title.contains(QStringLiteral(".NET 8")); };
    QTRY_VERIFY_WITH_TIMEOUT(std::ranges::any_of(m_scene.columns(), isRuntime), kPatienceMs);
    m_scene.choose("layoutRuntime", QStringLiteral(".NET 8"), false);
  }

  void barsStandBelowEachOther() {
    QVERIFY(m_scene.showType("Shop.SequentialStruct"));
    m_scene.part<QToolButton>("layoutBar")->click();
    const auto& columns = m_scene.canvas().geometry().columns;
    const std::vector<std::size_t> drawn = m_scene.drawn();
    QVERIFY(drawn.size() >= 2);
    QCOMPARE(columns[drawn[0]].bytes.left(), columns[drawn[1]].bytes.left());
    QVERIFY(columns[drawn[1]].bytes.top() > columns[drawn[0]].bytes.bottom());
    QCOMPARE(m_scene.panel().findChild<SideBySideDiagram*>()->horizontalScrollBar()->maximum(), 0);
    m_scene.part<QToolButton>("layoutRows")->click();
  }

  void bestDeclarationIsCopied() {
    QVERIFY(m_scene.showType("Shop.SequentialStruct"));
    auto* code = m_scene.part<QPlainTextEdit>("layoutDeclaration");
    QVERIFY(code && code->toPlainText().contains(QStringLiteral("struct SequentialStruct")));
    m_scene.part<QToolButton>("layoutCopyDeclaration")->click();
    QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("struct SequentialStruct")));
  }

  void arraysAreToldOfValueTypesAlone() {
    QVERIFY(m_scene.showType("Shop.SequentialStruct"));
    auto* strip = m_scene.place.findChild<ArrayStrip*>();
    QVERIFY(!strip->lines().empty());
    QCOMPARE(strip->lines().front().elements.stride,
             static_cast<std::int64_t>(*m_scene.panel().shown().layout().valueSize));
    QVERIFY(m_scene.showType("Shop.AutoClass"));
    QVERIFY(strip->lines().empty());
  }

  void anObjectsBytesFollowTheSelection() {
    QVERIFY(m_scene.showType("Shop.AutoClass"));
    QTRY_VERIFY_WITH_TIMEOUT(m_scene.instance().shown(), kPatienceMs);
    auto* tabs = m_scene.part<QTabWidget>("layoutDetails");
    tabs->setCurrentWidget(&m_scene.instance());
    auto* hex = m_scene.place.findChild<ObjectHexView*>();
    const std::uint32_t field = m_scene.fieldNamed("e");
    QTest::mouseClick(&m_scene.canvas(), Qt::LeftButton, {},
                      m_scene.canvas().boundsOf(m_scene.inForce(), field).center());
    const std::size_t now = m_scene.inForce();
    const LayoutItem& item = (*m_scene.columns()[now].items)[m_scene.canvas().matches().itemOf(now, field)];
    QCOMPARE(hex->selected(), (ByteSpan{item.begin, item.end}));
    QTRY_VERIFY(m_scene.part<ElidedText>("layoutInstanceValue")->text().startsWith(QStringLiteral("e = ")));
    tabs->setCurrentIndex(0);
  }

  void objectsOfTheTypeAreSteppedThrough() {
    QVERIFY(m_scene.showType("System.String"));
    QTRY_VERIFY_WITH_TIMEOUT(m_scene.instance().shown(), kPatienceMs);
    const engine::Address first = m_scene.instance().shown();
    QVERIFY(!m_scene.part<QToolButton>("layoutInstanceBefore")->isEnabled());
    m_scene.part<QToolButton>("layoutInstanceAfter")->click();
    QTRY_VERIFY_WITH_TIMEOUT(m_scene.instance().shown() != first, kPatienceMs);
    m_scene.part<QToolButton>("layoutInstanceBefore")->click();
    QTRY_VERIFY_WITH_TIMEOUT(m_scene.instance().shown() == first, kPatienceMs);
  }

  void pictureOfAllColumnsIsSaved() {
    QVERIFY(m_scene.showType("Shop.SequentialStruct"));
    SideBySideCanvas& canvas = m_scene.canvas();
    const QString path = m_settings.filePath(QStringLiteral("layout.svg"));
    QVERIFY(writePictureSvg(
        &canvas, [&canvas](QPainter& painter, QSize) { canvas.paintPicture(painter); }, path));
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray svg = file.readAll();
    for (const std::size_t column : m_scene.drawn())
      QVERIFY(svg.contains(m_scene.columns()[column].facts.first().toUtf8()));
  }

  void textHasEveryColumn() {
    QVERIFY(m_scene.showType("Shop.SequentialStruct"));
    m_scene.part<QToolButton>("layoutCopyText")->click();
    const QString text = QGuiApplication::clipboard()->text();
    QCOMPARE(text.count(QStringLiteral("Shop.SequentialStruct\n")), static_cast<qsizetype>(m_scene.drawn().size()));
    QVERIFY(text.contains(QStringLiteral("Best order\n")));
  }

  void pagesAreStepsOfTheHistory() {
    QVERIFY(m_scene.showType("Shop.AutoClass"));
    auto* pages = m_scene.part<QTabWidget>("layoutsPages");
    m_scene.navigator.showLayouts(LayoutsPage::Waste);
    QCOMPARE(pages->currentIndex(), 1);
    m_scene.navigator.showLayoutOf(m_scene.navigator.location().selection.methodTable);
    QCOMPARE(pages->currentIndex(), 0);
    m_scene.navigator.back();
    QCOMPARE(pages->currentIndex(), 1);
  }

 private:
  gui::test::SettingsFolder m_settings;
  SideBySideScene m_scene;
};

HEAPSCAPE_WINDOW_TEST(SideBySideTest)
#include "tst_side_by_side.moc"
