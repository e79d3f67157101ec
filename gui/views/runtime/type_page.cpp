// SPDX-License-Identifier: MIT
#include "views/runtime/type_page.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QResizeEvent>
#include <QScrollArea>
#include <QStackedLayout>
#include <QTabWidget>
#include <QToolButton>
#include <algorithm>

#include "models/object_menu.h"
#include "models/rows/rows_panel.h"
#include "models/rows/static_rows.h"
#include "session/objects/object_query.h"
#include "session/types/type_parts.h"
#include "views/runtime/field_rows.h"
#include "views/runtime/type_anatomy_picture.h"
#include "widgets/arranging/layouts.h"
#include "widgets/arranging/split_page.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/section.h"
#include "widgets/state_panel.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"

namespace heapscape::gui {

/// The type's figures in groups, side by side as far as there is room.
class TypeSummary : public QScrollArea {
  Q_OBJECT

 public:
  explicit TypeSummary(QWidget* parent = nullptr);

  void show(const engine::TypeDetails& type);

 Q_SIGNALS:
  /// As FactList's.
  void addressShown(QWidget* value, heapscape::engine::Address address);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void arrange();

  std::vector<QWidget*> m_groups;
  QWidget* m_facts;
  int m_columns = 0;
};

namespace {

constexpr int kGroupLetters = 44;

}  // namespace

TypeSummary::TypeSummary(QWidget* parent) : QScrollArea(parent), m_facts(new QWidget(this)) {
  setObjectName(u"typeSummary"_s);
  setWidgetResizable(true);
  auto* grid = new QGridLayout(m_facts);
  grid->setContentsMargins(16, 12, 16, 16);
  grid->setHorizontalSpacing(24);
  grid->setVerticalSpacing(16);
  setWidget(m_facts);
}

void TypeSummary::show(const engine::TypeDetails& type) {
  for (QWidget* group : m_groups) delete group;
  m_groups.clear();
  for (const FactGroup& group : factGroups(type)) {
    auto* facts = new FactList(m_facts);
    connect(facts, &FactList::addressShown, this, &TypeSummary::addressShown);
    facts->setFacts(group.facts);
    m_groups.push_back(new Section(group.heading, facts, m_facts));
  }
  m_columns = 0;
  arrange();
}

void TypeSummary::arrange() {
  const int wanted = fontMetrics().averageCharWidth() * kGroupLetters;
  int columns = std::clamp(viewport()->width() / std::max(1, wanted), 1, 4);
  if (columns == 3) columns = 2;  // four groups: two and two
  if (columns == m_columns || m_groups.empty()) return;
  m_columns = columns;
  auto* grid = static_cast<QGridLayout*>(m_facts->layout());
  for (QWidget* group : m_groups) grid->removeWidget(group);
  for (int group = 0; group < static_cast<int>(m_groups.size()); ++group) {
    QWidget* widget = m_groups[static_cast<std::size_t>(group)];
    grid->addWidget(widget, group / columns, group % columns, Qt::AlignTop);
    widget->show();
  }
  for (int column = 0; column < 4; ++column) grid->setColumnStretch(column, column < columns ? 1 : 0);
  grid->setRowStretch(4, 1);  // below the last group
}

void TypeSummary::resizeEvent(QResizeEvent* event) {
  QScrollArea::resizeEvent(event);
  arrange();
}

namespace {

constexpr std::size_t kMostParents = 12;

RowsPanelSetup setupOf(const char* name, const QString& noun, const QString& emptyHeading, const QString& emptyText,
                       std::vector<ColumnSetup> columns) {
  RowsPanelSetup setup;
  setup.name = QString::fromLatin1(name);
  setup.title = noun;
  setup.noun = noun;
  setup.filterHint = u"Filter %1"_s.arg(noun);
  setup.emptyHeading = emptyHeading;
  setup.emptyText = emptyText;
  setup.columns = std::move(columns);
  return setup;
}

}  // namespace

TypePage::TypePage(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : QWidget(parent),
      m_bridge(bridge),
      m_navigator(navigator),
      m_name(new WrappedName(this)),
      m_note(makeNote(QString(), this)),
      m_findings(new ElidedText(this)),
      m_parentBox(new QWidget(this)),
      m_parents(new FlowLayout(m_parentBox, 0)),
      m_toLayout(new QPushButton(symbolIcon(u"layouts"_s), u"Layout"_s, this)),
      m_toInstances(new QPushButton(symbolIcon(u"types"_s), u"Instances"_s, this)),
      m_tabs(new QTabWidget(this)),
      m_summary(new TypeSummary(this)),
      m_anatomy(new TypeAnatomyPicture(this)),
      m_anatomyScroll(new QScrollArea(this)),
      m_state(new StatePanel(this)),
      m_body(new QWidget(this)),
      m_pages(new QStackedLayout(this)) {
  m_tabs->setObjectName(u"typeTabs"_s);
  m_tabs->setDocumentMode(true);
  m_tabs->addTab(m_summary, u"Figures"_s);
  m_anatomyScroll->setWidget(m_anatomy);
  m_anatomyScroll->setWidgetResizable(true);
  m_tabs->addTab(m_anatomyScroll, u"Anatomy"_s);
  m_methods = addList(setupOf("methods", u"methods"_s, u"No methods"_s, u"The type has no methods of its own."_s,
                              methodSchema().setups()),
                      u"Methods"_s);
  m_fields = addList(setupOf("typeFields", u"fields"_s, u"No fields"_s,
                             u"Neither the type nor its parents have fields."_s, fieldSchema().setups()),
                     u"Fields"_s);
  m_statics = addList(setupOf("typeStatics", u"static fields"_s, u"No static fields"_s,
                              u"The type has no static fields."_s, staticSchema(true).setups()),
                      u"Statics"_s);
  m_interfaces = addList(setupOf("interfaces", u"interfaces"_s, u"No interfaces"_s,
                                 u"The type implements no interfaces."_s, typeLinkSchema(u"Interface"_s).setups()),
                         u"Interfaces"_s);
  m_members = addList(setupOf("enumMembers", u"members"_s, u"No members"_s,
                              u"The enum has none, or its metadata is not in the dump."_s, enumMemberSchema().setups()),
                      u"Members"_s);
  m_instantiations =
      addList(setupOf("instantiations", u"instantiations"_s, u"No instantiations"_s,
                      u"None of the type's generic methods has been used."_s, instantiationSchema().setups()),
              u"Instantiations"_s);
  m_generics = buildGenericsTab();
  m_tabs->addTab(m_generics, u"Generic"_s);

  auto* column = new QVBoxLayout(m_body);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(buildHead());
  column->addWidget(m_tabs, 1);
  m_pages->addWidget(m_state);
  m_pages->addWidget(m_body);
  clear();
}

QWidget* TypePage::buildHead() {
  auto* head = new QWidget(m_body);
  m_name->setObjectName(u"typeName"_s);
  m_name->setFont(scaledFont(font(), 1.25, QFont::DemiBold));
  m_findings->setWarning(true);
  m_toLayout->setToolTip(u"What objects of this type look like inside"_s);
  m_toInstances->setToolTip(u"The type's line in the list of types, with its objects"_s);
  connect(m_summary, &TypeSummary::addressShown, this,
          [this](QWidget* value, engine::Address address) { offerAddressMenu(value, m_navigator, address); });
  connect(m_toLayout, &QPushButton::clicked, this, [this] { m_navigator.showLayoutOf(m_methodTable); });
  connect(m_toInstances, &QPushButton::clicked, this, [this] {
    const Selection type{.object = {}, .methodTable = m_methodTable, .segment = {}};
    m_navigator.go({.place = PlaceId::Types, .selection = type, .scope = {}});
  });
  auto* words = new QVBoxLayout;
  words->setSpacing(4);
  words->addWidget(m_name);
  words->addWidget(m_note);
  words->addWidget(m_parentBox);
  words->addWidget(m_findings);
  auto* line = new QHBoxLayout(head);
  line->setContentsMargins(16, 12, 16, 4);
  line->setSpacing(8);
  line->addLayout(words, 1);
  line->addWidget(m_toLayout, 0, Qt::AlignTop);
  line->addWidget(m_toInstances, 0, Qt::AlignTop);
  return head;
}

RowsPanel* TypePage::addList(RowsPanelSetup setup, const QString& title) {
  auto* panel = new RowsPanel(m_bridge, m_navigator, std::move(setup), {}, m_tabs);
  m_tabs->addTab(panel, title);
  return panel;
}

QWidget* TypePage::buildGenericsTab() {
  auto* tab = new QWidget(m_tabs);
  m_genericTabs = new QTabWidget(tab);
  m_genericTabs->setDocumentMode(true);
  const auto add = [this](RowsPanelSetup setup, const QString& title) {
    auto* panel = new RowsPanel(m_bridge, m_navigator, std::move(setup), {}, m_genericTabs);
    m_genericTabs->addTab(panel, title);
    return panel;
  };
  m_arguments = add(setupOf("typeArguments", u"arguments"_s, u"No type arguments"_s, u"The type is not generic."_s,
                            typeArgumentSchema().setups()),
                    u"Arguments"_s);
  m_sharedWith = add(setupOf("sharedWith", u"types"_s, u"Shared with nobody"_s,
                             u"No other instantiation runs this type's code."_s, typeLinkSchema(u"Type"_s).setups()),
                     u"Shares its code with"_s);
  m_dictionary = add(setupOf("dictionary", u"slots"_s, u"No dictionary"_s,
                             u"Only types with shared code need one, to find out what they are an instantiation of."_s,
                             dictionarySchema().setups()),
                     u"Dictionary"_s);
  m_inherited = add(setupOf("inheritedLookups", u"dictionaries"_s, u"No generic parents"_s,
                            u"The type derives from no generic type."_s, inheritedSchema().setups()),
                    u"From parents"_s);
  m_methodLookups =
      add(setupOf("methodLookups", u"methods"_s, u"No generic methods"_s,
                  u"No generic method of the type has been instantiated."_s, methodLookupSchema().setups()),
          u"Generic methods"_s);
  m_lookups = makeNote(QString(), tab);
  m_lookups->setObjectName(u"lookups"_s);
  m_lookups->setContentsMargins(16, 8, 16, 8);
  m_lookups->setTextInteractionFlags(Qt::TextSelectableByMouse);
  auto* column = new QVBoxLayout(tab);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(m_lookups);
  column->addWidget(m_genericTabs, 1);
  return tab;
}

void TypePage::follow(const Selection& selection) {
  if (!selection.object && !selection.methodTable) {
    clear();
    return;
  }
  if (selection.methodTable == m_selection.methodTable && selection.object == m_selection.object) return;
  m_selection = selection;
  m_isAsked = false;
  if (isVisible()) ask();
}

void TypePage::clear() {
  m_selection = {};
  m_isAsked = false;
  if (!m_bridge.snapshot()) {
    m_state->showEmpty(u"No dump is open"_s, u"Open a core dump to see what the runtime knows of its types."_s);
    m_pages->setCurrentWidget(m_state);
    return;
  }
  m_state->showEmpty(u"No type picked"_s,
                     u"Pick a type or an object anywhere, and everything the runtime knows of "
                     "it is here. Ctrl+L finds one by name."_s);
  m_pages->setCurrentWidget(m_state);
}

void TypePage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (!m_selection.isEmpty() && !m_isAsked) ask();
}

engine::Outcome<TypePage::Answer> TypePage::read(const engine::Snapshot& snapshot, const Selection& selection,
                                                 std::stop_token stop) {
  engine::Address methodTable = selection.methodTable;
  engine::Address object;
  if (const auto picked = engine::objectAt(snapshot, selection.object)) {
    const engine::Address own = snapshot.types()[picked->type.value].methodTable;
    if (!methodTable) methodTable = own;
    if (methodTable == own) object = picked->address;
  }
  HEAPSCAPE_TRY(engine::TypeDetails type, engine::typeDetails(snapshot, methodTable, object));
  engine::StaticsFilter filter;
  filter.methodTable = methodTable;
  HEAPSCAPE_TRY(engine::StaticList statics, engine::listStatics(snapshot, filter, stop));
  engine::addStaticValues(type, statics);
  return Answer{std::make_shared<const engine::TypeDetails>(std::move(type)), object, std::move(statics.statics),
                std::move(statics.findings)};
}

void TypePage::ask() {
  m_isAsked = true;
  m_bridge.ask(
      this, "type",
      [selection = m_selection](const engine::Snapshot& snapshot, std::stop_token stop) {
        return read(snapshot, selection, stop);
      },
      [this](const engine::Outcome<Answer>& answer) {
        if (answer) return show(*answer);
        if (answer.error().isCancelled()) return;
        m_state->showFailed(u"This type cannot be described"_s, fromEngine(answer.error().error().message()));
        m_pages->setCurrentWidget(m_state);
      });
}

void TypePage::show(const Answer& answer) {
  showHead(*answer.type, answer.object);
  m_summary->show(*answer.type);
  m_anatomy->show(answer.type);
  showLists(answer);
  showGenerics(*answer.type);
  m_pages->setCurrentWidget(m_body);
}

void TypePage::showHead(const engine::TypeDetails& type, engine::Address object) {
  m_methodTable = type.methodTable;
  m_name->setText(fromEngine(type.name));
  QStringList parts{fromEngine(type.kind)};
  parts << (type.objects == 0 ? u"no objects on the heap"_s
                              : u"%1, %2"_s.arg(countedText(type.objects, u"object"_s), bytesText(type.bytes)));
  if (!type.moduleName.empty()) parts << fromEngine(type.moduleName);
  if (type.kind == "enum" && !type.underlyingType.empty()) {
    parts << u"%1%2"_s.arg(type.isFlags ? u"flags in "_s : u"a "_s, shortTypeName(type.underlyingType));
  }
  if (object) parts << u"values of %1"_s.arg(addressText(object));
  m_note->setText(parts.join(u" · "_s));
  m_toInstances->setEnabled(type.objects > 0);
  m_findings->setVisible(!type.findings.empty());
  if (!type.findings.empty()) m_findings->setText(u"⚠ "_s + fromEngine(type.findings.front().message));
  showParents(type);
}

void TypePage::showParents(const engine::TypeDetails& type) {
  while (QLayoutItem* item = m_parents->takeAt(0)) {
    delete item->widget();
    delete item;
  }
  m_parentBox->setVisible(!type.parents.empty());
  for (std::size_t i = 0; i < type.parents.size() && i < kMostParents; ++i) {
    auto* button = new QToolButton(m_parentBox);
    button->setText(u"‹ %1"_s.arg(shortTypeName(type.parents[i].name)));
    button->setToolTip(u"Derives from %1"_s.arg(fromEngine(type.parents[i].name)));
    button->setFocusPolicy(Qt::TabFocus);
    button->setMinimumHeight(std::max(24, fontMetrics().height() * 8 / 5));
    button->setEnabled(static_cast<bool>(type.parents[i].methodTable));
    connect(button, &QToolButton::clicked, this,
            [this, parent = type.parents[i].methodTable] { m_navigator.showType(parent); });
    m_parents->addWidget(button);
    button->show();
  }
}

void TypePage::setTab(QWidget* page, const QString& title, std::size_t count) {
  m_tabs->setTabText(m_tabs->indexOf(page), count == 0 ? title : u"%1  %2"_s.arg(title, countText(count)));
}

void TypePage::showLists(const Answer& answer) {
  const engine::TypeDetails& type = *answer.type;
  m_methods->setRows(makeRowList(type.methods, methodSchema()));
  m_fields->setRows(makeRowList(type.fields, fieldSchema()));
  m_statics->setRows(makeRowList(answer.statics, staticSchema(true), answer.staticFindings));
  m_interfaces->setRows(makeRowList(type.interfaces, typeLinkSchema(u"Interface"_s)));
  setTab(m_methods, u"Methods"_s, type.methods.size());
  setTab(m_fields, u"Fields"_s, type.fields.size());
  setTab(m_statics, u"Statics"_s, answer.statics.size());
  setTab(m_interfaces, u"Interfaces"_s, type.interfaces.size());
  m_members->setRows(makeRowList(type.members, enumMemberSchema()));
  setTab(m_members, u"Members"_s, type.members.size());
  setTabShown(*m_tabs, m_members, type.kind == "enum");
  std::vector<engine::TypeMethod> instantiations;
  for (const engine::TypeMethod& method : type.methods)
    instantiations.insert(instantiations.end(), method.instantiations.begin(), method.instantiations.end());
  setTab(m_instantiations, u"Instantiations"_s, instantiations.size());
  setTabShown(*m_tabs, m_instantiations, !instantiations.empty());
  m_instantiations->setRows(makeRowList(std::move(instantiations), instantiationSchema()));
}

void TypePage::showGenerics(const engine::TypeDetails& type) {
  const bool isGeneric = !type.typeArguments.empty() || !type.dictionary.empty() || !type.inheritedLookups.empty() ||
                         !type.methodLookups.empty();
  const QString lookups = lookupText(type);
  m_lookups->setText(lookups);
  m_lookups->setVisible(!lookups.isEmpty());
  setTabShown(*m_tabs, m_generics, isGeneric);
  m_arguments->setRows(makeRowList(type.typeArguments, typeArgumentSchema()));
  m_sharedWith->setRows(makeRowList(type.sharedWith, typeLinkSchema(u"Type"_s)));
  m_dictionary->setRows(makeRowList(type.dictionary, dictionarySchema()));
  m_inherited->setRows(makeRowList(type.inheritedLookups, inheritedSchema()));
  m_methodLookups->setRows(makeRowList(type.methodLookups, methodLookupSchema()));
  const auto count = [this](QWidget* page, const QString& title, std::size_t rows, bool isShown) {
    m_genericTabs->setTabText(m_genericTabs->indexOf(page), u"%1  %2"_s.arg(title, countText(rows)));
    setTabShown(*m_genericTabs, page, isShown);
  };
  const bool hasArguments = !type.typeArguments.empty();
  count(m_arguments, u"Arguments"_s, type.typeArguments.size(), hasArguments);
  count(m_sharedWith, u"Shares its code with"_s, type.sharedWith.size(), hasArguments);
  count(m_dictionary, u"Dictionary"_s, type.dictionary.size(), hasArguments);
  count(m_inherited, u"From parents"_s, type.inheritedLookups.size(), !type.inheritedLookups.empty());
  count(m_methodLookups, u"Generic methods"_s, type.methodLookups.size(), !type.methodLookups.empty());
}

}  // namespace heapscape::gui

#include "type_page.moc"
