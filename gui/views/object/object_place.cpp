// SPDX-License-Identifier: MIT
#include "views/object/object_place.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPointer>
#include <QResizeEvent>
#include <QSplitter>
#include <QStackedLayout>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <QWidget>
#include <algorithm>

#include "models/lacking_heap.h"
#include "models/names/reach_text.h"
#include "models/names/type_name.h"
#include "models/object_menu.h"
#include "models/retained_offer.h"
#include "session/objects/retained_query.h"
#include "session/references/reference_query.h"
#include "views/object/anatomy/memory_panel.h"
#include "views/object/contents_panel.h"
#include "views/object/values/fields_panel.h"
#include "widgets/arranging/layouts.h"
#include "widgets/arranging/split_page.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/fact_list.h"
#include "widgets/state_panel.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"

namespace heapscape::gui {

/// The head of the page, what the object is: its type, where it lies, how large it is, and the ways to the other
/// places.
class ObjectHeadline : public QWidget {
  Q_OBJECT

 public:
  explicit ObjectHeadline(QWidget* parent = nullptr);

  void show(const ObjectPage& page);
  /// Shows what would be freed with the object, once that is known; again for other roots.
  void showRetained(const engine::RetainedRow& retained);
  /// Shows what can be reached from the object, once it is counted.
  void showReach(const engine::TransitiveSize& reach);

 Q_SIGNALS:
  void layoutWanted();
  void mapWanted();
  void typeWanted();
  void graphWanted();
  void reasonWanted();
  /// As FactList's.
  void addressShown(QWidget* value, heapscape::engine::Address address);

 private:
  QToolButton* addButton(const char* name, const QString& symbol, const QString& text, const QString& tip);
  void addFacts(const ObjectPage& page);
  QWidget* addFact(const Fact& fact);

  ElidedLabel* m_name;
  QWidget* m_buttons;
  QWidget* m_facts;
  QPointer<QWidget> m_retained;
  FlowLayout* m_factsLine;
  ElidedText* m_damage;
  engine::Address m_address;
};

namespace {

QString sizeText(const engine::ObjectRow& row) {
  if (row.sizeBytes == row.alignedBytes) return exactBytesText(row.sizeBytes);
  return u"%1 in %2 bytes"_s.arg(exactBytesText(row.sizeBytes), countText(row.alignedBytes));
}

QString shapeText(const engine::ArrayDetails& array) {
  QStringList lengths;
  for (std::size_t dimension = 0; dimension < array.lengths.size(); ++dimension) {
    const std::int64_t lower = dimension < array.lowerBounds.size() ? array.lowerBounds[dimension] : 0;
    const QString length = countText(array.lengths[dimension]);
    lengths << (lower == 0 ? length : u"%1 from %2"_s.arg(length).arg(lower));
  }
  return lengths.join(u" × "_s);
}

constexpr int kPatienceMs = 250;
constexpr int kFewestLines = 36;         // of text, above each other; in fewer both would show a few rows only
constexpr int kSideBySideLetters = 230;  // wide enough for the memory to stand beside the values

}  // namespace

// The line below the name: address, generation, sizes, length of an array, segment.
std::vector<Fact> headlineFacts(const ObjectPage& page) {
  const engine::ObjectDetails& object = page.object;
  std::vector<Fact> facts{
      {.label = u"address"_s, .value = addressText(object.row.address), .isFixed = true, .address = object.row.address},
      {.label = u"generation"_s, .value = generationText(object.row.generation)},
      {.label = u"size"_s,
       .value = sizeText(object.row),
       .detail = u"The exact size, and what the object takes up: a multiple of 8"_s}};
  if (object.array) {
    facts.push_back(
        {.label = object.array->rank == 1 ? u"length"_s : u"lengths"_s,
         .value = shapeText(*object.array),
         .detail = u"%1 of %2 each, from offset %3"_s
                       .arg(countedText(object.array->count, u"element"_s), exactBytesText(object.array->elementSize))
                       .arg(object.array->elementOffset)});
  }
  if (object.string) {
    facts.push_back({.label = u"length"_s, .value = countText(object.string->length)});
  }
  if (object.boxed) {
    facts.push_back(
        {.label = u"boxed value"_s,
         .value = u"%1 at offset %2"_s.arg(exactBytesText(object.boxed->valueSize)).arg(object.boxed->valueOffset),
         .detail = u"A value type in an object of its own"_s});
  }
  if (const auto& suspended = object.suspended) {
    const QString place = suspended->line
                              ? u"%1, line %2"_s.arg(QString::fromStdString(suspended->file)).arg(suspended->line)
                              : QString::fromStdString(suspended->missing);
    facts.push_back({.label = u"suspended in"_s,
                     .value = u"%1 at await %2"_s.arg(QString::fromStdString(suspended->method)).arg(suspended->await),
                     .detail = place});
  }
  if (page.segmentStart) {
    facts.push_back({.label = u"segment"_s,
                     .value = addressText(page.segmentStart),
                     .detail = u"Where the segment begins, in heap %1"_s.arg(page.heap),
                     .isFixed = true,
                     .address = page.segmentStart});
  }
  return facts;
}

ObjectHeadline::ObjectHeadline(QWidget* parent)
    : QWidget(parent),
      m_name(new ElidedLabel(this)),
      m_buttons(new QWidget(this)),
      m_facts(new QWidget(this)),
      m_factsLine(new FlowLayout(m_facts, 20)),
      m_damage(new ElidedText(this)) {
  m_name->setObjectName(u"objectTypeName"_s);
  m_name->setFont(scaledFont(font(), 1.3, QFont::DemiBold));
  m_facts->setObjectName(u"objectFacts"_s);
  m_factsLine->setContentsMargins(0, 0, 0, 0);
  m_damage->setObjectName(u"objectDamage"_s);
  m_damage->setWarning(true);

  new FlowLayout(m_buttons, 4);
  auto* copy = addButton("copyAddress", u"copy"_s, u"Copy address"_s, u"Copy the object's address"_s);
  auto* map = addButton("objectOnMap", u"segments"_s, u"On the map"_s, u"Where it lies among the segments"_s);
  auto* layout = addButton("objectLayout", u"layouts"_s, u"Layout"_s, u"What objects of this type look like inside"_s);
  auto* type = addButton("objectType", u"runtime"_s, u"Runtime"_s, u"What the runtime knows of its type"_s);
  connect(copy, &QToolButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(addressText(m_address)); });
  connect(map, &QToolButton::clicked, this, &ObjectHeadline::mapWanted);
  connect(layout, &QToolButton::clicked, this, &ObjectHeadline::layoutWanted);
  connect(type, &QToolButton::clicked, this, &ObjectHeadline::typeWanted);
  auto* graph =
      addButton("objectGraph", u"references"_s, u"Graph"_s, u"Who holds it and what it holds, as a picture"_s);
  auto* reason = addButton("objectReason", u"roots"_s, u"Why alive?"_s, u"The roots that hold it"_s);
  connect(graph, &QToolButton::clicked, this, &ObjectHeadline::graphWanted);
  connect(reason, &QToolButton::clicked, this, &ObjectHeadline::reasonWanted);

  auto* line = new HeadLayout;
  line->addWidget(m_name);
  line->addWidget(m_buttons);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(12, 8, 12, 8);
  column->setSpacing(6);
  column->addLayout(line);
  column->addWidget(m_facts);
  column->addWidget(m_damage);
}

QToolButton* ObjectHeadline::addButton(const char* name, const QString& symbol, const QString& text,
                                       const QString& tip) {
  auto* button = new QToolButton(m_buttons);
  button->setObjectName(QString::fromLatin1(name));
  button->setIcon(symbolIcon(symbol));
  button->setText(text);
  button->setToolTip(tip);
  button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  button->setFocusPolicy(Qt::TabFocus);
  button->setMinimumHeight(std::max(28, fontMetrics().height() * 8 / 5));
  m_buttons->layout()->addWidget(button);
  return button;
}

void ObjectHeadline::show(const ObjectPage& page) {
  m_address = page.address();
  m_name->setName(fromEngine(page.object.typeName), namespaceLength(page.object.typeName));
  addFacts(page);
  const std::vector<engine::Finding>& findings = page.object.findings;
  m_damage->setVisible(!findings.empty());
  if (!findings.empty()) {
    QStringList lines;
    for (const engine::Finding& finding : findings) lines << fromEngine(finding.message);
    m_damage->setText(lines.size() == 1 ? lines.first()
                                        : u"%1 (and %2 more)"_s.arg(lines.first()).arg(lines.size() - 1));
    m_damage->setDetail(lines.join(QLatin1Char('\n')));
  }
  updateGeometry();
}

void ObjectHeadline::addFacts(const ObjectPage& page) {
  while (QLayoutItem* item = m_factsLine->takeAt(0)) {
    delete item->widget();
    delete item;
  }
  for (const Fact& fact : headlineFacts(page)) addFact(fact);
}

void ObjectHeadline::showRetained(const engine::RetainedRow& retained) {
  delete m_retained;
  m_retained =
      addFact({.label = u"retains"_s,
               .value = retained.isReachable ? bytesText(retained.retainedBytes) : unreachedText(retained.isGarbage),
               .detail = retained.isReachable ? u"%1 in %2 would be freed with it"_s.arg(
                                                    exactBytesText(retained.retainedBytes),
                                                    countedText(retained.retainedCount, u"object"_s))
                                              : unreachedTip(retained.isGarbage)});
  updateGeometry();
}

void ObjectHeadline::showReach(const engine::TransitiveSize& reach) {
  addFact({.label = u"reaches"_s,
           .value = u"%1, %2"_s.arg(countedText(reach.objects, u"object"_s), bytesText(reach.bytes)),
           .detail = u"Everything that can be reached from here, the object itself included, each once: %1, %2"_s.arg(
               countedText(reach.objects, u"object"_s), exactBytesText(reach.bytes))});
  updateGeometry();
}

QWidget* ObjectHeadline::addFact(const Fact& fact) {
  auto* pair = new QWidget(m_facts);
  pair->setToolTip(fact.detail);
  auto* line = new QHBoxLayout(pair);
  line->setContentsMargins(0, 0, 0, 0);
  line->setSpacing(6);
  auto* caption = new QLabel(fact.label, pair);
  caption->setForegroundRole(QPalette::PlaceholderText);
  auto* value = new QLabel(fact.value, pair);
  value->setTextFormat(Qt::PlainText);
  value->setTextInteractionFlags(Qt::TextSelectableByMouse);
  if (fact.isFixed) value->setFont(fixedFont(font()));
  if (fact.address) Q_EMIT addressShown(value, fact.address);
  line->addWidget(caption);
  line->addWidget(value);
  m_factsLine->addWidget(pair);
  pair->show();
  return pair;
}

ObjectPlace::ObjectPlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : Place(bridge, navigator, parent),
      m_trailBar(new TrailBar(this)),
      m_headline(new ObjectHeadline(this)),
      m_contents(new ContentsPanel(bridge, this)),
      m_memory(new MemoryPanel(bridge, this)),
      m_parts(new PartTabs(u"objectParts"_s, this)),
      m_splitter(new QSplitter(Qt::Vertical, this)),
      m_whole(new QWidget(this)),
      m_state(new StatePanel(this)),
      m_pages(new QStackedLayout(this)),
      m_patience(new QTimer(this)) {
  addParts();
  connectParts();
  clear();
}

void ObjectPlace::addParts() {
  m_splitter->addWidget(m_contents);
  m_splitter->addWidget(m_memory);
  m_splitter->setStretchFactor(0, 1);
  m_splitter->setStretchFactor(1, 1);
  m_splitter->setChildrenCollapsible(false);
  m_splitter->setHandleWidth(1);
  m_parts->addPart(u"What it holds"_s, {m_contents});
  m_parts->addPart(u"In memory"_s, {m_memory});
  auto* trail = new QHBoxLayout;
  trail->setContentsMargins(8, 6, 8, 0);
  trail->addWidget(m_trailBar);
  auto* column = new QVBoxLayout(m_whole);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(trail);
  column->addWidget(m_headline);
  column->addWidget(new RetainedOffer(m_bridge, this));
  column->addWidget(m_parts);
  column->addWidget(m_splitter, 1);
  m_pages->addWidget(m_state);
  m_pages->addWidget(m_whole);
  setFocusProxy(m_contents);
}

void ObjectPlace::connectParts() {
  m_patience->setSingleShot(true);
  m_patience->setInterval(kPatienceMs);
  connect(m_patience, &QTimer::timeout, this, [this] {
    m_state->showLoading(u"Reading the object at %1"_s.arg(addressText(m_asked)));
    m_pages->setCurrentWidget(m_state);
  });
  connect(m_trailBar, &TrailBar::objectWanted, this,
          [this](engine::Address object) { m_navigator.showObject(object); });
  connect(m_contents, &ContentsPanel::followWanted, this, &ObjectPlace::goTo);
  connect(m_contents, &ContentsPanel::charactersWanted, this, [this](std::size_t units) {
    engine::DetailLimits limits;
    limits.stringUnits = units;
    ask(limits);
  });
  FieldsPanel& fields = m_contents->fields();
  connect(&fields, &FieldsPanel::spanPicked, m_memory, &MemoryPanel::select);
  connect(&fields, &FieldsPanel::typeWanted, this, [this](engine::Address type) { m_navigator.showType(type); });
  connect(&fields, &FieldsPanel::layoutWanted, this, [this](engine::Address type) { m_navigator.showLayoutOf(type); });
  connect(m_memory, &MemoryPanel::spanPicked, &fields, &FieldsPanel::reveal);
  connect(m_memory, &MemoryPanel::typeWanted, this, [this](engine::Address type) { m_navigator.showType(type); });
  connect(m_memory, &MemoryPanel::threadsWanted, this,
          [this] { m_navigator.showListed(PlaceId::Threads, m_page->address(), selection()); });
  m_memory->setDescription([&fields](const ByteSpan& span) { return fields.valueAt(span); });
  const auto showMemory = [this](engine::Address address) { m_navigator.showMemory(address); };
  connect(&fields, &FieldsPanel::memoryWanted, this, showMemory);
  connect(m_memory, &MemoryPanel::memoryWanted, this, showMemory);
  connect(m_headline, &ObjectHeadline::addressShown, this,
          [this](QWidget* value, engine::Address address) { offerAddressMenu(value, m_navigator, address); });
  connect(m_headline, &ObjectHeadline::layoutWanted, this,
          [this] { m_navigator.go({.place = PlaceId::Layouts, .selection = selection(), .scope = {}}); });
  connect(m_headline, &ObjectHeadline::mapWanted, this, [this] { m_navigator.showInSegments(selection()); });
  connect(m_headline, &ObjectHeadline::typeWanted, this,
          [this] { m_navigator.go({.place = PlaceId::Runtime, .selection = selection(), .scope = {}}); });
  connect(m_headline, &ObjectHeadline::graphWanted, this,
          [this] { m_navigator.showReferences(ReferencesPage::Graph, selection()); });
  connect(m_headline, &ObjectHeadline::reasonWanted, this,
          [this] { m_navigator.showReferences(ReferencesPage::WhyAlive, selection()); });
}

void ObjectPlace::showSnapshot(const engine::Snapshot& snapshot) {
  if (!snapshot.has(engine::Stage::Objects) && !lacksHeap(snapshot)) {
    m_state->showLoading(u"Finding the objects"_s);
    m_pages->setCurrentWidget(m_state);
    return;
  }
  m_contents->setSnapshot(snapshot);
  showRetained();
  if (m_isReady) return;
  m_isReady = true;
  follow(m_navigator.location());
  if (!m_asked) showNothingPicked();
}

void ObjectPlace::clear() {
  m_patience->stop();
  m_isReady = false;
  m_asked = {};
  m_page.reset();
  m_trail.clear();
  m_trailBar->show(m_trail);
  m_contents->show(nullptr);
  m_contents->setSnapshot(std::nullopt);
  m_memory->show(nullptr);
  m_state->showEmpty(u"No dump is open"_s, u"Open a core dump to see what its objects hold."_s);
  m_pages->setCurrentWidget(m_state);
}

void ObjectPlace::follow(const Location& location) {
  if (!m_isReady || location.selection.object == m_asked) return;
  // A type or a segment picked elsewhere does not take the object away that is looked at.
  if (!location.selection.object && (location.place != PlaceId::Object || m_page)) return;
  m_asked = location.selection.object;
  if (!m_asked) {
    showNothingPicked();
    return;
  }
  ask({});
}

void ObjectPlace::ask(const engine::DetailLimits& limits) {
  m_patience->start();
  m_bridge.ask(
      this, "object",
      [object = m_asked, limits](const engine::Snapshot& snapshot, std::stop_token) {
        return readObjectPage(snapshot, object, limits);
      },
      [this, asked = m_asked](Answer answer) { take(asked, std::move(answer)); });
}

void ObjectPlace::take(engine::Address asked, Answer answer) {
  if (asked != m_asked) return;
  m_patience->stop();
  if (answer) {
    showPage(std::move(*answer));
    return;
  }
  m_page.reset();
  m_contents->show(nullptr);
  m_memory->show(nullptr);
  m_state->showFailed(u"No object at %1"_s.arg(addressText(asked)), fromEngine(answer.error().message()));
  m_pages->setCurrentWidget(m_state);
}

void ObjectPlace::showPage(std::shared_ptr<const ObjectPage> page) {
  m_page = std::move(page);
  m_trail.arrive(m_page->address(), shortTypeName(m_page->object.typeName));
  m_isFilled = false;
  if (isVisible()) fill();
  // A reference said no more than an address, and one into the middle of an object at that.
  const bool isPicked = m_navigator.location().selection.object == m_asked;
  m_asked = m_page->address();
  if (isPicked) m_navigator.complete(selection());
}

void ObjectPlace::fill() {
  m_isFilled = true;
  m_trailBar->show(m_trail);
  m_headline->show(*m_page);
  showRetained();
  askForReach();
  m_contents->show(m_page);
  m_memory->show(m_page);
  m_pages->setCurrentWidget(m_whole);
}

// Objects are picked everywhere, one after the other where keys go through a list.
void ObjectPlace::showEvent(QShowEvent* event) {
  Place::showEvent(event);
  if (m_page && !m_isFilled) fill();
}

void ObjectPlace::showRetained() {
  if (!m_page || !m_isFilled || m_page->object.isFree) return;
  if (const auto retained = engine::retainedOf(*m_bridge.snapshot(), m_page->address()))
    m_headline->showRetained(*retained);
}

// A root of everything reaches a whole heap, so that this may take seconds.
void ObjectPlace::askForReach() {
  if (m_page->object.isFree) {
    m_bridge.stopAsking(this, "reach");
    return;
  }
  m_bridge.askLong(
      this, "reach",
      [address = m_page->address()](const engine::Snapshot& snapshot, engine::ProgressSink*, std::stop_token stop) {
        return engine::transitiveSize(snapshot, {address}, stop);
      },
      [](const engine::Progress&) {},
      [this, address = m_page->address()](const engine::Outcome<engine::TransitiveSize>& reach) {
        if (reach && m_page && m_isFilled && m_page->address() == address) m_headline->showReach(*reach);
      });
}

void ObjectPlace::showNothingPicked() {
  if (lacksHeap(*m_bridge.snapshot())) {
    m_state->showEmpty(u"No object picked"_s,
                       u"This dump has no heap, but some objects are in it, as exceptions on their way: "
                       "threads lead to them, and so do addresses in the box above."_s);
    m_state->setAction(u"Go to the threads"_s, [this] { m_navigator.goTo(PlaceId::Threads); });
    m_pages->setCurrentWidget(m_state);
    return;
  }
  m_state->showEmpty(
      u"No object picked"_s,
      u"Pick one among the instances of a type or on the map, or type its address into the box above."_s);
  m_state->setAction(u"Go to the types"_s, [this] { m_navigator.goTo(PlaceId::Types); });
  m_pages->setCurrentWidget(m_state);
}

Selection ObjectPlace::selection() const {
  return {m_page->address(), m_page->object.methodTable, m_page->object.row.segment};
}

void ObjectPlace::goTo(engine::Address object, const QString& via) {
  m_trail.follow(object, via);
  m_navigator.showObject(object);
}

void ObjectPlace::resizeEvent(QResizeEvent* event) {
  Place::resizeEvent(event);
  const bool isWide = event->size().width() >= kSideBySideLetters * fontMetrics().averageCharWidth();
  const Qt::Orientation orientation = isWide ? Qt::Horizontal : Qt::Vertical;
  // Bits of a header want so much room that values would be cut.
  if (isWide && orientation != m_splitter->orientation())
    m_splitter->setSizes({event->size().width() / 2, event->size().width() / 2});
  m_splitter->setOrientation(orientation);
  m_parts->setOneAtATime(!isWide && event->size().height() < kFewestLines * fontMetrics().height());
}

}  // namespace heapscape::gui

#include "object_place.moc"
