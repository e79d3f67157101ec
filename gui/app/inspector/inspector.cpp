// SPDX-License-Identifier: MIT
#include "app/inspector/inspector.h"

#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "app/inspector/stack_holders_part.h"
#include "models/names/insight_text.h"
#include "models/names/reach_text.h"
#include "models/object_menu.h"
#include "models/retained_offer.h"
#include "session/details/object_details.h"
#include "session/layouts/layout_query.h"
#include "session/objects/retained_query.h"
#include "session/stacks/stacks_query.h"
#include "widgets/bar_row.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/section.h"
#include "widgets/state_panel.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"
#include "widgets/text/value_text.h"

namespace heapscape::gui {

namespace {

using engine::Segment;
using engine::Snapshot;

constexpr std::size_t kContentsShown = 8;
constexpr std::size_t kTextShown = 80;  // characters

Fact bytesFact(const QString& label, std::uint64_t bytes) {
  return {.label = label, .value = bytesText(bytes), .detail = exactBytesText(bytes)};
}

Fact addressFact(const QString& label, engine::Address address) {
  return {.label = label, .value = addressText(address), .detail = {}, .isFixed = true, .address = address};
}

Fact retainedFact(const engine::RetainedRow& retained) {
  if (!retained.isReachable) {
    return {
        .label = u"Retains"_s, .value = unreachedText(retained.isGarbage), .detail = unreachedTip(retained.isGarbage)};
  }
  return {.label = u"Retains"_s,
          .value = bytesText(retained.retainedBytes),
          .detail = u"%1 in %2 would be freed with it"_s.arg(exactBytesText(retained.retainedBytes),
                                                             countedText(retained.retainedCount, u"object"_s))};
}

void addCounts(std::vector<Fact>& facts, const Snapshot& snapshot, engine::TypeId id) {
  const engine::TypeCounts& counts = snapshot.typeCounts();
  const std::size_t index = id.value;
  const std::uint64_t count = counts.count[index];
  const std::uint64_t bytes = counts.bytes[index];
  facts.push_back({.label = u"Objects"_s, .value = countText(count)});
  facts.push_back(bytesFact(u"Bytes"_s, bytes));
  if (count > 0) facts.push_back(bytesFact(u"Average"_s, bytes / count));
  if (index < snapshot.typeRetained().size()) {
    facts.push_back(bytesFact(u"Retains"_s, snapshot.typeRetained()[index].retainedBytes));
  }
  if (const auto reach = snapshot.typeReach(id)) {
    const std::uint64_t garbage = reach->garbageBytes();
    facts.push_back(
        {.label = u"Garbage"_s,
         .value = garbage == 0 ? u"none"_s : u"%1 · %2"_s.arg(bytesText(garbage), percentText(garbage, bytes)),
         .detail = u"%1 in %2 that no root leads to, of its bytes"_s.arg(
             exactBytesText(garbage), countedText(reach->garbageObjects(), u"object"_s))});
  }
  if (index < snapshot.typePaddingBytes().size()) {
    const std::uint64_t padding = snapshot.typePaddingBytes()[index];
    facts.push_back(
        {.label = u"Padding"_s,
         .value = padding == 0 ? u"none"_s : u"%1 · %2"_s.arg(bytesText(padding), percentText(padding, bytes)),
         .detail = u"%1 in all its objects"_s.arg(exactBytesText(padding))});
  }
}

// What it refers to has its size behind it, with what it retains once that is known.
Fact valueFact(const Snapshot& snapshot, const QString& name, const engine::Value& value) {
  Fact fact{.label = name,
            .value = valueText(value),
            .detail = name + QLatin1Char('\n') + valueTip(value),
            .isWarning = isDoubtful(value)};
  if (!value.object) return fact;
  const auto retained = engine::retainedOf(snapshot, value.object);
  if (retained && retained->isReachable) {
    fact.figure = bytesText(retained->retainedBytes);
    fact.detail += u"\nretains %1"_s.arg(exactBytesText(retained->retainedBytes));
  }
  return fact;
}

void addValues(std::vector<Fact>& facts, const Snapshot& snapshot, const std::vector<engine::FieldValue>& values) {
  for (std::size_t index = 0; index < values.size() && index < kContentsShown; ++index) {
    facts.push_back(valueFact(snapshot, fieldNameText(values[index].name), values[index].value));
  }
  if (values.size() > kContentsShown) {
    const QString rest = u"%1 more"_s.arg(countText(values.size() - kContentsShown));
    facts.push_back({.label = u"…"_s, .value = rest});
  }
}

void addItems(std::vector<Fact>& facts, const Snapshot& snapshot, const engine::CollectionDetails& collection) {
  const QString state = collection.isHolder ? fromEngine(collection.state) : countedText(collection.count, u"item"_s);
  if (!state.isEmpty()) facts.push_back({.label = fromEngine(collection.kind), .value = state});
  for (const engine::CollectionItem& item : collection.items) {
    if (facts.size() > kContentsShown) break;
    const QString name = collection.hasKeys ? u"[%1]"_s.arg(valueText(item.key)) : fromEngine(item.label);
    facts.push_back(valueFact(snapshot, name, item.value));
  }
}

}  // namespace

std::vector<Fact> objectFacts(const Snapshot& snapshot, const engine::ObjectRow& object) {
  std::vector<Fact> facts{
      addressFact(u"Address"_s, object.address),
      {.label = u"Size"_s,
       .value = exactBytesText(object.sizeBytes),
       .detail = u"As the runtime computes it from base size, element size and length"_s},
      {.label = u"Bytes"_s,
       .value = exactBytesText(object.alignedBytes),
       .detail = u"What it takes up in the heap: the size, rounded up to the next multiple of 8"_s}};
  if (object.generation) facts.push_back({.label = u"Generation"_s, .value = generationText(*object.generation)});
  const bool isFree = object.type.value < snapshot.types().size() && snapshot.types()[object.type.value].isFree;
  if (const auto retained = engine::retainedOf(snapshot, object.address); retained && !isFree)
    facts.push_back(retainedFact(*retained));
  if (object.segment.value < snapshot.segments().size() && !snapshot.isRecorded()) {
    const Segment& segment = snapshot.segments()[object.segment.value];
    facts.push_back({.label = u"Heap"_s, .value = countText(segment.heap)});
    facts.push_back(addressFact(u"Segment"_s, segment.objects.start));
  }
  return facts;
}

namespace {

// The first of what an object holds: fields, elements, items or text. Empty if it cannot be read.
std::vector<Fact> contentFacts(const Snapshot& snapshot, engine::Address address) {
  engine::DetailLimits limits;
  limits.elements = kContentsShown;
  limits.stringUnits = kTextShown;
  limits.preview = kTextShown;
  const auto object = engine::objectDetails(snapshot, address, limits);
  if (!object || object->isFree) return {};
  std::vector<Fact> facts;
  if (object->string) {
    facts.push_back({.label = u"Text"_s, .value = u"\"%1\""_s.arg(fromEngine(object->string->text))});
    facts.push_back({.label = u"Characters"_s, .value = countText(object->string->length)});
    return facts;
  }
  if (object->collection) {
    addItems(facts, snapshot, *object->collection);
    return facts;
  }
  if (object->array) {
    facts.push_back({.label = u"Elements"_s, .value = countText(object->array->count)});
    addValues(facts, snapshot, object->array->elements);
  }
  addValues(facts, snapshot, object->fields);
  return facts;
}

std::vector<Fact> typeFacts(const Snapshot& snapshot, const InspectedType& type) {
  std::vector<Fact> facts;
  if (type.id) {
    addCounts(facts, snapshot, *type.id);
  } else {
    facts.push_back({.label = u"Objects"_s, .value = u"none on the heap"_s});
  }
  if (type.layout) {
    facts.push_back({.label = u"Kind"_s, .value = fromEngine(engine::toString(type.layout->kind))});
    facts.push_back(bytesFact(u"Base size"_s, type.layout->baseSize));
    if (type.layout->componentSize > 0) {
      facts.push_back(bytesFact(u"Element size"_s, type.layout->componentSize));
    }
  } else if (type.id && !snapshot.isRecorded()) {
    facts.push_back(bytesFact(u"Base size"_s, snapshot.types()[type.id->value].baseSize));
  }
  if (!snapshot.isRecorded()) facts.push_back(addressFact(u"Method table"_s, type.methodTable));
  const std::string assembly = type.layout ? type.layout->assembly
                               : type.id   ? snapshot.types()[type.id->value].assembly
                                           : std::string();
  if (!assembly.empty()) facts.push_back({.label = u"Module"_s, .value = fromEngine(assembly)});
  return facts;
}

std::vector<Fact> segmentFacts(const Snapshot& snapshot, engine::SegmentId id) {
  const Segment& segment = snapshot.segments()[id.value];
  const std::uint64_t committed = engine::AddressRange{segment.objects.end, segment.committedEnd}.sizeBytes();
  const std::uint64_t reserved = engine::AddressRange{segment.committedEnd, segment.reservedEnd}.sizeBytes();
  std::vector<Fact> facts{{.label = u"Kind"_s, .value = segmentKindText(segment.kind)},
                          {.label = u"Heap"_s, .value = countText(segment.heap)},
                          addressFact(u"From"_s, segment.objects.start),
                          addressFact(u"To"_s, segment.objects.end),
                          addressFact(u"Committed to"_s, segment.committedEnd),
                          addressFact(u"Reserved to"_s, segment.reservedEnd)};
  if (id.value < snapshot.segmentContents().size()) {
    const engine::SegmentContents& contents = snapshot.segmentContents()[id.value];
    const HeapFigures live = heapFigures(contents.totals);
    facts.push_back({.label = u"Objects"_s, .value = countText(live.objects)});
    facts.push_back(bytesFact(u"Used"_s, live.bytes));
    facts.push_back(bytesFact(u"Free between"_s, live.freeBytes));
    if (contents.unreadBytes > 0) {
      Fact unread = bytesFact(u"Not readable"_s, contents.unreadBytes);
      unread.isWarning = true;
      facts.push_back(unread);
    }
    if (contents.doubtfulBytes > 0) {
      Fact doubtful = bytesFact(u"Doubtful"_s, contents.doubtfulBytes);
      doubtful.detail =
          u"In arrays that end where an object begins, but hold what looks like objects: "
          "damaged lengths, or old bytes in new arrays. They count as read."_s;
      facts.push_back(doubtful);
    }
  }
  facts.push_back({.label = u"Unused"_s,
                   .value = bytesText(committed),
                   .detail = u"%1 committed behind the last object"_s.arg(exactBytesText(committed))});
  facts.push_back(bytesFact(u"Reserved"_s, reserved));
  return facts;
}

// The type's full name, or its method table's address if it has none.
QString typeTitle(const Snapshot& snapshot, const InspectedType& type) {
  std::string name;
  if (type.id) name = snapshot.types()[type.id->value].name;
  if (name.empty() && type.layout) name = type.layout->typeName;
  return name.empty() ? addressText(type.methodTable) : fromEngine(name);
}

// "gen2 segment of heap 0".
QString segmentTitle(const Segment& segment) {
  return u"%1 segment of heap %2"_s.arg(segmentKindText(segment.kind), countText(segment.heap));
}

}  // namespace

namespace {

constexpr auto kInspectorChannel = "inspector";
constexpr qsizetype kTitlesInTip = 10;

QPushButton* makeButton(const QString& symbol, const QString& text, const QString& tip, QWidget* parent) {
  auto* button = new QPushButton(symbolIcon(symbol), text, parent);
  button->setToolTip(tip);
  return button;
}

}  // namespace

Inspector::Inspector(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : QWidget(parent),
      m_bridge(bridge),
      m_navigator(navigator),
      m_insights(InsightsSource::of(bridge)),
      m_pages(new QStackedWidget(this)),
      m_nothing(new StatePanel(this)),
      m_scroll(new QScrollArea(this)) {
  m_scroll->setWidget(buildPage());
  m_scroll->setWidgetResizable(true);
  m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_pages->addWidget(m_nothing);
  m_pages->addWidget(m_scroll);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(m_pages);
  setAccessibleName(u"Inspector"_s);
  connect(&m_insights, &InsightsSource::stateChanged, this, &Inspector::showInsights);
  setMinimumWidth(fontMetrics().averageCharWidth() * 30);
  clear();
}

QSize Inspector::sizeHint() const {
  return {fontMetrics().averageCharWidth() * 44, 400};
}

QWidget* Inspector::buildPage() {
  auto* page = new QWidget(this);
  page->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);  // as wide as there is room, and no wider
  m_kind = makeNote(QString(), page);
  m_title = new WrappedName(page);
  m_title->setFont(scaledFont(font(), 1.15, QFont::DemiBold));
  m_facts = new FactList(page);
  m_toInsights = makeButton(u"insights"_s, {}, {}, page);
  m_toInsights->setObjectName(u"toInsights"_s);
  m_toInsights->hide();
  m_contents = new FactList(page);
  m_contents->setObjectName(u"inspectorContents"_s);
  m_contents->setOneLineEach();
  m_contentsPart = makePart(u"Holds"_s, m_contents);
  m_onStacks = new StackHoldersPart(m_bridge, m_navigator, page);
  m_typeFacts = new FactList(page);
  m_typePart = makePart(u"Its type"_s, m_typeFacts);
  for (const FactList* facts : {m_facts, m_contents, m_typeFacts})
    connect(facts, &FactList::addressShown, this,
            [this](QWidget* value, engine::Address address) { offerAddressMenu(value, m_navigator, address); });

  auto* layout = new QVBoxLayout(page);
  layout->setContentsMargins(16, 16, 16, 16);
  layout->setSpacing(4);
  layout->addWidget(m_kind);
  layout->addWidget(m_title);
  layout->addSpacing(4);
  layout->addWidget(m_facts);
  auto* offer = new RetainedOffer(m_bridge, page);
  offer->layout()->setContentsMargins(0, 4, 0, 0);
  layout->addWidget(offer);
  layout->addSpacing(8);
  layout->addWidget(m_toInsights);
  layout->addSpacing(4);
  layout->addWidget(buildButtons());
  layout->addWidget(m_onStacks);
  layout->addWidget(m_contentsPart);
  layout->addWidget(m_typePart);
  layout->addStretch(1);
  return page;
}

QWidget* Inspector::makePart(const QString& heading, FactList* facts) {
  auto* part = new QWidget(facts->parentWidget());
  auto* layout = new QVBoxLayout(part);
  layout->setContentsMargins(0, 12, 0, 0);
  layout->setSpacing(4);
  layout->addWidget(makeNote(heading, part));
  layout->addWidget(facts);
  return part;
}

QWidget* Inspector::buildButtons() {
  auto* bar = new QWidget(this);
  m_toObject = makeButton(u"object"_s, u"Open object"_s, u"All that it holds, and its bytes"_s, bar);
  m_toObject->setObjectName(u"openObject"_s);
  connect(m_toObject, &QPushButton::clicked, this, [this] { m_navigator.showObject(m_selection.object); });
  m_toLayout = makeButton(u"layouts"_s, u"Layout"_s, u"What objects of this type look like inside"_s, bar);
  m_toMap = makeButton(u"segments"_s, u"On the map"_s, u"Where it lies in memory"_s, bar);
  m_toTypes = makeButton(u"types"_s, u"In types"_s, u"The type's line in the list of types"_s, bar);
  connect(m_toLayout, &QPushButton::clicked, this, [this] { m_navigator.showLayoutOf(m_methodTable); });
  connect(m_toMap, &QPushButton::clicked, this, [this] { m_navigator.showInSegments(m_selection); });
  connect(m_toTypes, &QPushButton::clicked, this, [this] {
    const Selection type{.object = m_selection.object, .methodTable = m_methodTable, .segment = m_selection.segment};
    m_navigator.go({.place = PlaceId::Types, .selection = type, .scope = {}});
  });
  m_toRuntime = makeButton(u"runtime"_s, u"Runtime"_s, u"What the runtime knows of this type"_s, bar);
  connect(m_toRuntime, &QPushButton::clicked, this, [this] { m_navigator.showType(m_methodTable); });
  m_toReason = makeButton(u"roots"_s, u"Why alive?"_s, u"What holds it, by name"_s, bar);
  m_toReason->setObjectName(u"whyAlive"_s);
  connect(m_toReason, &QPushButton::clicked, this,
          [this] { m_navigator.showReferences(ReferencesPage::WhyAlive, m_selection); });
  m_toGraph = makeButton(u"references"_s, u"Graph"_s, u"Who holds it, and what it holds"_s, bar);
  m_toGraph->setObjectName(u"referenceGraph"_s);
  connect(m_toGraph, &QPushButton::clicked, this,
          [this] { m_navigator.showReferences(ReferencesPage::Graph, m_selection); });
  auto* grid = new QGridLayout(bar);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setSpacing(8);
  grid->addWidget(m_toObject, 0, 0, 1, 2);
  grid->addWidget(m_toLayout, 1, 0);
  grid->addWidget(m_toTypes, 1, 1);
  grid->addWidget(m_toMap, 2, 0);
  grid->addWidget(m_toRuntime, 2, 1);
  grid->addWidget(m_toReason, 3, 0);
  grid->addWidget(m_toGraph, 3, 1);
  grid->setColumnStretch(0, 1);
  grid->setColumnStretch(1, 1);
  return bar;
}

void Inspector::clear() {
  m_isOfThing = false;
  m_selection = {};
  m_onStacks->showObject({});
  showNothing();
}

void Inspector::showNothing() {
  m_isShowingPlace = true;
  m_nothing->showEmpty(
      m_place,
      m_about + u"\n\n"_s + u"Nothing picked yet: pick a type, an object or a segment, and it is described here."_s);
  m_pages->setCurrentWidget(m_nothing);
}

void Inspector::setPlace(const QString& title, const QString& about) {
  m_place = title;
  m_about = about;
  if (m_isShowingPlace && m_pages->currentWidget() == m_nothing) showNothing();
}

void Inspector::refresh() {
  if (m_isOfThing) return;  // it was told as it is
  showSelection(m_selection);
}

void Inspector::showThing(const PickedThing& thing) {
  m_bridge.stopAsking(this, kInspectorChannel);
  m_isOfThing = true;
  m_onStacks->showObject({});
  for (QWidget* button : {m_toInsights, m_toObject, m_toLayout, m_toMap, m_toTypes, m_toRuntime, m_toReason, m_toGraph})
    button->hide();
  std::vector<Fact> facts;
  for (const auto& [label, value] : thing.facts) facts.push_back({.label = label, .value = value});
  setPrimary(thing.kind, thing.title, facts);
  setContents({});
  setType({});
  m_pages->setCurrentWidget(m_scroll);
}

void Inspector::showSelection(const Selection& selection) {
  m_isOfThing = false;
  if (selection.isEmpty() || !m_bridge.snapshot()) {
    clear();
    m_selection = selection;
    return;
  }
  m_selection = selection;
  m_onStacks->showObject(selection.object);
  if (!selection.layoutType.isNone()) {
    m_isShowingPlace = false;
    m_nothing->showEmpty(u"Not loaded"_s, u"The dump has not loaded this type: its layout is all that is known."_s);
    m_pages->setCurrentWidget(m_nothing);
    return;
  }
  m_bridge.ask(
      this, kInspectorChannel,
      [selection](const engine::Snapshot& snapshot, std::stop_token) { return inspect(snapshot, selection); },
      [this, selection](const Answer& answer) {
        if (selection == m_selection && m_bridge.snapshot()) show(*m_bridge.snapshot(), answer);
      });
}

Inspector::Answer Inspector::inspect(const engine::Snapshot& snapshot, const Selection& selection) {
  Answer answer;
  if (selection.object) answer.object = engine::objectAt(snapshot, selection.object);
  engine::Address methodTable = selection.methodTable;
  if (answer.object && answer.object->type.value < snapshot.types().size()) {
    methodTable = snapshot.types()[answer.object->type.value].methodTable;
  }
  if (answer.object) answer.contents = contentFacts(snapshot, answer.object->address);
  if (!methodTable) return answer;
  InspectedType type{.methodTable = methodTable, .id = std::nullopt, .layout = std::nullopt};
  if (const engine::TypeId id = snapshot.typeOf(methodTable); !id.isNone()) type.id = id;
  auto layout = answer.object ? engine::layoutOfObject(snapshot, methodTable, answer.object->address)
                              : engine::layoutOf(snapshot, methodTable);
  if (layout) type.layout = std::move(*layout);
  answer.type = std::move(type);
  return answer;
}

void Inspector::show(const engine::Snapshot& snapshot, const Answer& answer) {
  const bool hasSegment = m_selection.segment.value < snapshot.segments().size();
  m_toObject->setVisible(answer.object.has_value());
  m_methodTable = answer.type ? answer.type->methodTable : engine::Address{};
  m_object = answer.object ? answer.object->id : engine::ObjectId{};
  // Free space has no fields, and nothing refers to it.
  const bool isFree = answer.type && answer.type->id && snapshot.types()[answer.type->id->value].isFree;
  m_toLayout->setVisible(answer.type.has_value() && !isFree);
  m_toRuntime->setVisible(answer.type.has_value());
  m_toReason->setVisible(!isFree && (answer.object || (answer.type && answer.type->id)));
  m_toGraph->setVisible(answer.object.has_value() && !isFree);
  m_toTypes->setVisible(answer.type && answer.type->id);
  m_toMap->setVisible(answer.object || hasSegment || (answer.type && answer.type->id));
  showInsights();
  setContents(answer.contents);
  if (answer.object) {
    const QString title = answer.type ? typeTitle(snapshot, *answer.type) : u"Object"_s;
    setPrimary(u"Object"_s, title, objectFacts(snapshot, *answer.object));
    setType(answer.type ? typeFacts(snapshot, *answer.type) : std::vector<Fact>());
  } else if (answer.type) {
    setPrimary(u"Type"_s, typeTitle(snapshot, *answer.type), typeFacts(snapshot, *answer.type));
    setType({});
  } else if (hasSegment) {
    const engine::Segment& segment = snapshot.segments()[m_selection.segment.value];
    setPrimary(u"Segment"_s, segmentTitle(segment), segmentFacts(snapshot, m_selection.segment));
    setType({});
  } else {
    m_nothing->showEmpty(u"No object here"_s, u"The address picked is not inside an object of the heap."_s);
    m_pages->setCurrentWidget(m_nothing);
    return;
  }
  m_pages->setCurrentWidget(m_scroll);
}

void Inspector::showInsights() {
  m_toInsights->disconnect(this);
  std::vector<std::uint32_t> about =
      m_insights.found() ? m_insights.found()->of(m_selection.object, m_methodTable) : std::vector<std::uint32_t>();
  m_toInsights->setVisible(!about.empty());
  if (about.empty()) return;
  const std::vector<engine::Insight>& insights = m_insights.found()->list.insights;
  bool isOfObject = m_selection.object && m_insights.found()->about.contains(m_selection.object.value);
  if (!isOfObject && !m_object.isNone()) {  // the index has the costliest objects alone
    std::vector<std::uint32_t> ofObject = about;
    std::erase_if(ofObject, [&](std::uint32_t insight) {
      return !std::ranges::binary_search(insights[insight].ids, m_object.value);
    });
    isOfObject = !ofObject.empty();
    if (isOfObject) about = std::move(ofObject);
  }
  const engine::Insight& first = insights[about.front()];
  const QString said = about.size() > 1  ? u"%1 insights"_s.arg(countText(about.size()))
                       : first.bytes > 0 ? u"%1: %2"_s.arg(insightKindText(first.kind), insightBytesText(first))
                                         : insightKindText(first.kind);
  // They are about other objects of the type where none names the one that is picked.
  const bool isOfAnother = m_selection.object && !isOfObject && about.size() == 1 && first.objects == 1;
  m_insightsText = !m_selection.object ? said
                   : isOfObject        ? u"This object: %1"_s.arg(said)
                   : isOfAnother       ? u"Another of its type: %1"_s.arg(said)
                                       : u"Its type: %1"_s.arg(said);
  elideInsights();
  QStringList titles{m_insightsText};
  for (const std::uint32_t insight : about) {
    if (titles.size() == kTitlesInTip) break;
    titles << u"%1: %2"_s.arg(insightKindText(insights[insight].kind), fromEngine(insights[insight].title));
  }
  m_toInsights->setToolTip(titles.join(QLatin1Char('\n')));
  connect(m_toInsights, &QPushButton::clicked, this, [this, insight = keyOf(first)] {
    m_navigator.showListed(PlaceId::Insights, insight, m_navigator.location().selection);
  });
}

void Inspector::elideInsights() {
  constexpr int kAroundText = 96;  // margins, the icon, the button's own edge, a scroll bar
  const int room = std::max(width() - kAroundText, fontMetrics().averageCharWidth() * 10);
  m_toInsights->setText(fontMetrics().elidedText(m_insightsText, Qt::ElideRight, room));
  m_toInsights->setAccessibleName(m_insightsText);
}

void Inspector::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  elideInsights();
}

void Inspector::setPrimary(const QString& kind, const QString& title, const std::vector<Fact>& facts) {
  m_kind->setText(kind);
  m_title->setText(title);
  m_facts->setFacts(facts);
}

void Inspector::setType(const std::vector<Fact>& facts) {
  m_typePart->setVisible(!facts.empty());
  m_typeFacts->setFacts(facts);
}

void Inspector::setContents(const std::vector<Fact>& facts) {
  m_contentsPart->setVisible(!facts.empty());
  m_contents->setFacts(facts);
}

}  // namespace heapscape::gui
