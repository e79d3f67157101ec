// SPDX-License-Identifier: MIT
// The place on a real dump, driven as a person does.
#include <QAbstractItemModelTester>
#include <QLabel>
#include <QLineEdit>
#include <QTabWidget>
#include <QToolButton>

#include "session/objects/object_query.h"
#include "session/types/generics_query.h"
#include "session/types/type_details.h"
#include "support/place_scene.h"
#include "support/window_test.h"
#include "views/runtime/field_rows.h"
#include "views/runtime/runtime_place.h"
#include "views/runtime/sharing_picture.h"
#include "views/runtime/type_anatomy_picture.h"
#include "widgets/state_panel.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/value_text.h"

namespace heapscape::gui {

namespace {

const QString kMethods = QStringLiteral("methods");
const QString kGenerics = QStringLiteral("generics");
const QString kModules = QStringLiteral("modules");

}  // namespace

class RuntimePlaceTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    test::dressApplication();
    m_scene = std::make_unique<test::PlaceScene<RuntimePlace>>(PlaceId::Runtime);
    QVERIFY(m_scene->openUntilRetained(test::dataFile(QStringLiteral("shop-10.core.zst"))));
  }
  void init() { tabs().setCurrentIndex(0); }

  void withoutATypeThePageSaysSo() { QVERIFY(!m_scene->table(kMethods).isVisible()); }

  void theTypesListsAreTheEngines() {
    const engine::TypeDetails type = show("Catalog.Order");
    QCOMPARE(m_scene->lines(kMethods), static_cast<int>(type.methods.size()));
    QTRY_COMPARE(m_scene->lines(QStringLiteral("typeFields")), static_cast<int>(type.fields.size()));
    QTRY_COMPARE(m_scene->lines(QStringLiteral("interfaces")), static_cast<int>(type.interfaces.size()));
    const int method = m_scene->column(kMethods, QStringLiteral("Method"));
    for (int line = 0; line < m_scene->lines(kMethods); ++line) {
      QCOMPARE(m_scene->cell(kMethods, line, method), fromEngine(type.methods[static_cast<std::size_t>(line)].name));
    }
    const QAbstractItemModelTester tester(&m_scene->model(kMethods));
  }

  void theFiguresAreTheEngines() {
    const engine::TypeDetails type = show("Catalog.Order");
    const QStringList texts = test::visibleTexts(m_scene->place);
    for (const FactGroup& group : factGroups(type)) {
      for (const Fact& fact : group.facts) QVERIFY2(texts.contains(fact.value), qPrintable(fact.label));
    }
    QVERIFY(texts.contains(addressText(type.eeClass)));
  }

  void aLabelStandsBesideTheFirstLineOfItsFigure() {
    m_scene->place.resize(620, 760);
    show("Catalog.OrderLine");
    const ElidedText* label = nullptr;
    const ElidedText* value = nullptr;
    const auto find = [&] {
      for (const ElidedText* text : m_scene->place.findChildren<ElidedText*>()) {
        if (!text->isVisible()) continue;
        if (text->text() == QStringLiteral("Attributes")) label = text;
        if (text->text().contains(QStringLiteral("before field init"))) value = text;
      }
      return label && value && value->height() > value->fontMetrics().height() * 2;
    };
    QTRY_VERIFY(find());
    QCOMPARE(label->mapTo(&m_scene->place, QPoint()).y(), value->mapTo(&m_scene->place, QPoint()).y());
    QVERIFY(label->height() < value->height());
    m_scene->place.resize(1100, 760);
  }

  void theAnatomyShowsEveryPart() {
    const engine::TypeDetails type = show("Catalog.Order");
    std::size_t parts = 0;
    auto* picture = m_scene->part<TypeAnatomyPicture>(QStringLiteral("typeAnatomy"));
    for (const TypeAnatomyBlock& block : picture->geometry().blocks) parts += block.parts.size();
    QCOMPARE(parts, type.parts.size());
    QVERIFY(parts >= 2);
    QVERIFY(!picture->geometry().arrows.empty());
  }

  void sharedCodeSaysHowItFindsItsArguments() {
    const engine::TypeDetails type = show("System.Collections.Generic.List<System.String>");
    const auto* lookups = m_scene->part<QLabel>(QStringLiteral("lookups"));
    QTRY_VERIFY_WITH_TIMEOUT(lookups->text().contains(QStringLiteral("this → method table → PerInstInfo")),
                             test::kPatienceMs);
    const QString slots = QStringLiteral("dictionary");
    QTRY_COMPARE_WITH_TIMEOUT(m_scene->lines(slots), static_cast<int>(type.dictionary.size()), test::kPatienceMs);
    const int state = m_scene->column(slots, QStringLiteral("State"));
    QCOMPARE(m_scene->cell(slots, 0, state), QStringLiteral("■ argument"));
    QVERIFY(m_scene->lineWith(slots, state, QStringLiteral("● filled")) > 0);
    QVERIFY(m_scene->column(slots, QStringLiteral("Next lookup")) > 0);
  }

  void aTypeOfNoGenericKindShowsNoLookups() {
    show("Catalog.Order");
    QTRY_VERIFY_WITH_TIMEOUT(m_scene->part<QLabel>(QStringLiteral("lookups"))->text().isEmpty(), test::kPatienceMs);
  }

  void fieldsShowWhatThePickedObjectHolds() {
    const QString fields = QStringLiteral("typeFields");
    show("Catalog.Order");
    const int name = m_scene->column(fields, QStringLiteral("Field"));
    const int value = m_scene->column(fields, QStringLiteral("Value"));
    engine::ObjectFilter filter;
    filter.typeText = "Catalog.Order";
    const engine::Address type = typeNamed("Catalog.Order");
    std::vector<engine::Address> orders;
    for (const engine::ObjectRow& row : engine::listObjects(m_scene->snapshot(), filter, 0, 1000)) {
      if (m_scene->snapshot().types()[row.type.value].methodTable == type) orders.push_back(row.address);
    }
    QVERIFY(orders.size() >= 2);
    for (const engine::Address order : {orders[0], orders[1]}) {
      m_scene->navigator.select({.object = order, .methodTable = type, .segment = {}});
      const auto details = engine::typeDetails(m_scene->snapshot(), type, order);
      QVERIFY(details);
      for (const engine::TypeField& field : details->fields) {
        if (field.isStatic) continue;
        const auto shown = [&] {
          return m_scene->cell(fields, m_scene->lineWith(fields, name, fieldNameText(field.name)), value);
        };
        QTRY_COMPARE_WITH_TIMEOUT(shown(), valueText(*field.value), test::kPatienceMs);
      }
    }
    m_scene->navigator.select({.object = {}, .methodTable = type, .segment = {}});
    QTRY_COMPARE_WITH_TIMEOUT(m_scene->cell(fields, 0, value), QString(), test::kPatienceMs);
  }

  void aParentLeadsToItsPage() {
    const engine::TypeDetails type = show("Catalog.Order");
    QVERIFY(!type.parents.empty());
    QToolButton* parent = nullptr;
    for (QToolButton* button : m_scene->place.findChildren<QToolButton*>()) {
      if (button->isVisible() && button->toolTip().contains(fromEngine(type.parents[0].name))) parent = button;
    }
    QVERIFY(parent);
    parent->click();
    QCOMPARE(m_scene->navigator.location().selection.methodTable.value, type.parents[0].methodTable.value);
    QTRY_COMPARE_WITH_TIMEOUT(m_scene->part<QLabel>(QStringLiteral("typeName"))->accessibleName(),
                              fromEngine(type.parents[0].name), test::kPatienceMs);
  }

  void genericTypesComeWithTheirInstantiations() {
    tabs().setCurrentIndex(1);
    QTRY_VERIFY_WITH_TIMEOUT(m_scene->lines(kGenerics) > 0, test::kPatienceMs);
    const auto definitions = engine::listGenerics(m_scene->snapshot(), {}, {});
    QCOMPARE(m_scene->lines(kGenerics), static_cast<int>(definitions->size()));
    QCOMPARE(picture().geometry().rows.size(), definitions->front().instantiations.size());

    const auto box = std::ranges::find(*definitions, std::string("Shop.Box<T>"), &engine::GenericDefinition::name);
    QVERIFY(box != definitions->end());
    const auto line = static_cast<int>(box - definitions->begin());
    m_scene->table(kGenerics).setCurrentIndex(m_scene->model(kGenerics).index(line, 0));
    QCOMPARE(picture().geometry().rows.size(), box->instantiations.size());
    std::size_t shared = 0;
    for (const SharingGroup& group : picture().geometry().groups) shared += group.isShared && group.count > 1 ? 1 : 0;
    QVERIFY(shared >= 1);  // Box<string>, Box<object> and Box<Box<string>[]>
  }

  void anInstantiationCanBePickedAndShown() {
    tabs().setCurrentIndex(1);
    QTRY_VERIFY_WITH_TIMEOUT(!picture().geometry().rows.empty(), test::kPatienceMs);
    const QPoint row = picture().geometry().rows[0].center().toPoint();
    QTest::mouseClick(&picture(), Qt::LeftButton, {}, row);
    const engine::Address type = m_scene->navigator.location().selection.methodTable;
    QVERIFY(type);
    QCOMPARE(tabs().currentIndex(), 1);  // picking alone stays here
    QTest::keyClick(&picture(), Qt::Key_Return);
    QCOMPARE(tabs().currentIndex(), 0);
    QCOMPARE(m_scene->navigator.location().selection.methodTable.value, type.value);
  }

  void whoeverComesWithATypeSeesItsPage() {
    tabs().setCurrentIndex(2);
    m_scene->navigator.goTo(PlaceId::Types);
    m_scene->navigator.showType(typeNamed("Catalog.Product"));
    QCOMPARE(tabs().currentIndex(), 0);
  }

  void everyModuleIsListedAndMarked() {
    tabs().setCurrentIndex(2);
    QCOMPARE(m_scene->lines(kModules), static_cast<int>(m_scene->snapshot().modules().size()));
    const int marks = m_scene->column(kModules, QStringLiteral("Marks"));
    QStringList plugins;  // it is loaded twice, once so that it can be unloaded
    for (int line = 0; line < m_scene->lines(kModules); ++line) {
      if (m_scene->cell(kModules, line, 0) == QLatin1String("plugin.dll"))
        plugins << m_scene->cell(kModules, line, marks);
    }
    plugins.sort();
    QCOMPARE(plugins, QStringList({QString(), QStringLiteral("collectible")}));
    m_scene->part<QLineEdit>(QStringLiteral("modulesFilter"))->setText(QStringLiteral("catalog"));
    QTRY_COMPARE_WITH_TIMEOUT(m_scene->cell(kModules, 0, 0), QStringLiteral("catalog.dll"), test::kPatienceMs);
  }

  void anAddressThatIsNoTypeIsExplained() {
    m_scene->navigator.showType({0x10});
    StatePanel* failed = nullptr;
    const auto find = [&] {
      for (StatePanel* panel : m_scene->place.findChildren<StatePanel*>()) {
        if (panel->isVisible() && panel->state() == StatePanel::State::Failed) failed = panel;
      }
      return failed != nullptr;
    };
    QTRY_VERIFY_WITH_TIMEOUT(find(), test::kPatienceMs);
    QVERIFY(!failed->accessibleDescription().isEmpty());
  }

 private:
  QTabWidget& tabs() { return *m_scene->part<QTabWidget>(QStringLiteral("runtimeTabs")); }
  SharingPicture& picture() { return *m_scene->part<SharingPicture>(QStringLiteral("sharing")); }

  engine::Address typeNamed(const char* name) {
    for (const engine::TypeRow& type : m_scene->snapshot().types()) {
      if (type.name == name) return type.methodTable;
    }
    return {};
  }

  engine::TypeDetails show(const char* name) {
    m_scene->navigator.showType(typeNamed(name));
    const auto isShown = [&] {
      return m_scene->part<QLabel>(QStringLiteral("typeName"))->accessibleName() == QLatin1String(name) &&
             m_scene->lines(kMethods) > 0;
    };
    if (!QTest::qWaitFor(isShown, test::kPatienceMs)) qWarning("the type is not shown");
    return *engine::typeDetails(m_scene->snapshot(), typeNamed(name));
  }

  std::unique_ptr<test::PlaceScene<RuntimePlace>> m_scene;
};

HEAPSCAPE_WINDOW_TEST(RuntimePlaceTest)

}  // namespace heapscape::gui

#include "tst_runtime_place.moc"
