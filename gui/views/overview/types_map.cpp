// SPDX-License-Identifier: MIT
#include "views/overview/types_map.h"

#include <QHBoxLayout>
#include <QStackedWidget>
#include <map>

#include "models/lacking_heap.h"
#include "models/names/type_name.h"
#include "models/retained_offer.h"
#include "models/treemap_zoom.h"
#include "session/references/reference_query.h"
#include "session/types/type_owner.h"
#include "session/types/type_query.h"
#include "widgets/arranging/layouts.h"
#include "widgets/choice_bar.h"
#include "widgets/drawing/colours.h"
#include "widgets/drawing/picture_legend.h"
#include "widgets/legend_chip.h"
#include "widgets/state_panel.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

struct Smaller {
  std::uint64_t types = 0, objects = 0, bytes = 0;
};

TreemapPart partOf(const SizedType& type) {
  const TypeFamily family = typeFamilyOf(type.name, type.owner);
  QStringList facts{countedText(type.objects, u"object"_s), fromEngine(type.name)};
  if (type.garbageBytes > 0)
    facts.insert(
        1, u"%1 garbage, %2 of them"_s.arg(bytesText(type.garbageBytes), percentText(type.garbageBytes, type.bytes)));
  return {.name = shortTypeName(type.name),
          .bytes = type.bytes,
          .sample = [family](const Colours& colours) { return ChipSample{.fill = typeFamilyColour(family, colours)}; },
          .facts = std::move(facts),
          .parts = {}};
}

TreemapPart partOf(const Smaller& smaller) {
  return {.name = u"%1 smaller"_s.arg(countText(smaller.types)),
          .bytes = smaller.bytes,
          .sample =
              [](const Colours& colours) {
                return ChipSample{.fill = colours.freeSpaceBrush(), .line = QPen(colours.outline(), 1)};
              },
          .facts = {countedText(smaller.objects, u"object"_s)},
          .parts = {}};
}

}  // namespace

TypeTreemap typeTreemap(const std::vector<SizedType>& types, double smallestShare) {
  std::uint64_t whole = 0;
  for (const SizedType& type : types) whole += type.bytes;
  const auto least = static_cast<std::uint64_t>(static_cast<double>(whole) * smallestShare);
  TypeTreemap treemap;
  std::map<std::string_view, std::size_t> groups;
  std::vector<Smaller> smaller;
  for (const SizedType& type : types) {
    if (type.bytes == 0) continue;
    const std::string_view nameSpace = engine::namespaceOf(type.name);
    const auto [found, isNew] = groups.try_emplace(nameSpace, groups.size());
    const std::size_t group = found->second;
    if (isNew) {
      treemap.groups.push_back({.name = nameSpace.empty() ? u"no namespace"_s : fromEngine(std::string(nameSpace))});
      treemap.methodTables.emplace_back();
      smaller.emplace_back();
    }
    treemap.groups[group].bytes += type.bytes;
    if (type.bytes >= least) {
      treemap.groups[group].parts.push_back(partOf(type));
      treemap.methodTables[group].push_back(type.methodTable);
    } else {
      ++smaller[group].types;
      smaller[group].objects += type.objects;
      smaller[group].bytes += type.bytes;
    }
  }
  for (std::size_t group = 0; group < smaller.size(); ++group) {
    if (smaller[group].types == 0) continue;
    treemap.groups[group].parts.push_back(partOf(smaller[group]));
    treemap.methodTables[group].push_back({});
  }
  return treemap;
}

namespace {

constexpr auto kTypesMapChannel = "typesMap";
constexpr double kSmallestShare = 0.0005;
enum Measure { Bytes, Retained };

using Types = engine::Outcome<std::vector<SizedType>>;

Types typesByBytes(const engine::Snapshot& snapshot) {
  const engine::TypeCounts& counts = snapshot.typeCounts();
  std::vector<SizedType> types;
  for (std::size_t type = 0; type < snapshot.types().size(); ++type) {
    const engine::TypeRow& row = snapshot.types()[type];
    if (row.isFree || counts.bytes[type] == 0) continue;
    types.push_back({row.name, row.methodTable, counts.count[type], counts.bytes[type], engine::ownerOf(snapshot, row),
                     engine::garbageBytesOf(snapshot, counts, {static_cast<std::uint32_t>(type)}).value_or(0)});
  }
  return types;
}

Types typesByRetained(const engine::Snapshot& snapshot, std::stop_token stop) {
  HEAPSCAPE_TRY(const std::vector<engine::OutermostType> outermost, engine::outermostTypes(snapshot, std::move(stop)));
  std::vector<SizedType> types;
  for (const engine::OutermostType& type : outermost) {
    const engine::TypeRow& row = snapshot.types()[type.type.value];
    types.push_back({row.name, row.methodTable, type.objects, type.retainedBytes, engine::ownerOf(snapshot, row)});
  }
  return types;
}

}  // namespace

TypesMap::TypesMap(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : QWidget(parent),
      m_bridge(bridge),
      m_navigator(navigator),
      m_measure(new ChoiceBar(u"typesMapMeasure"_s, {u"Bytes"_s, u"Retained"_s},
                              {u"What the objects of a type take up"_s,
                               u"What objects that no other object holds alone keep alive, by their type"_s},
                              this)),
      m_treemap(new Treemap(u"Types of the heap by size"_s, u"types"_s, this)),
      m_state(new StatePanel(this)),
      m_pages(new QStackedWidget(this)) {
  m_treemap->setObjectName(u"typesMap"_s);
  new TreemapZoom(m_treemap, navigator, PlaceId::Overview);
  auto* head = new QHBoxLayout;
  head->addWidget(new TreemapTrail(m_treemap, u"All namespaces"_s, this));
  head->addStretch(1);
  head->addWidget(m_measure);
  auto* legend = new QWidget(this);
  auto* chips = new FlowLayout(legend, 8);
  for (const TypeFamily family : kTypeFamilies) {
    chips->addWidget(new LegendChip(
        typeFamilyText(family),
        [family](const Colours& colours) { return ChipSample{.fill = typeFamilyColour(family, colours)}; }, legend));
  }
  setPictureLegend(m_treemap, legend);
  m_pages->addWidget(m_state);
  m_pages->addWidget(m_treemap);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(4);
  column->addLayout(head);
  column->addWidget(m_pages, 1);
  column->addWidget(legend);
  connect(m_measure, &ChoiceBar::chosen, this, &TypesMap::ask);
  connect(&bridge, &EngineBridge::retainedStateChanged, this, &TypesMap::showLacking);
  connect(&bridge, &EngineBridge::retainedProgressed, this, &TypesMap::showLacking);
  connect(m_treemap, &Treemap::picked, this, [this](const TreemapSpot& spot) {
    if (const engine::Address type = typeAt(spot))
      m_navigator.select({.object = {}, .methodTable = type, .segment = {}});
  });
  connect(m_treemap, &Treemap::activated, this, [this](const TreemapSpot& spot) {
    const Selection selection{.object = {}, .methodTable = typeAt(spot), .segment = {}};
    if (selection.methodTable) m_navigator.go({.place = PlaceId::Types, .selection = selection, .scope = {}});
  });
  clear();
}

void TypesMap::showSnapshot(const engine::Snapshot& snapshot) {
  const bool isNews = snapshot.stage() == engine::Stage::Objects || snapshot.stage() == engine::Stage::Retained;
  if (isNews) {
    ask();
    return;
  }
  if (lacksHeap(snapshot)) showLackingHeap(*m_state, snapshot);
}

void TypesMap::clear() {
  m_bridge.stopAsking(this, kTypesMapChannel);
  m_types = {};
  m_treemap->setGroups({});
  m_state->showLoading(u"Walking the objects"_s);
  m_pages->setCurrentWidget(m_state);
}

engine::Address TypesMap::typeAt(const TreemapSpot& spot) const {
  return spot.isGroup() ? engine::Address{} : m_types.methodTables[spot.group][spot.part];
}

void TypesMap::ask() {
  if (!m_bridge.snapshot() || !m_bridge.snapshot()->has(engine::Stage::Objects)) return;
  const bool isRetained = m_measure->choice() == Retained;
  if (isRetained && !m_bridge.snapshot()->has(engine::Stage::Retained)) {
    showLacking();
    return;
  }
  using Answer = engine::Outcome<std::shared_ptr<TypeTreemap>>;
  m_bridge.ask(
      this, kTypesMapChannel,
      [isRetained](const engine::Snapshot& snapshot, std::stop_token stop) -> Answer {
        HEAPSCAPE_TRY(const std::vector<SizedType> types,
                      isRetained ? typesByRetained(snapshot, std::move(stop)) : typesByBytes(snapshot));
        return std::make_shared<TypeTreemap>(typeTreemap(types, kSmallestShare));
      },
      [this](Answer answer) {
        if (answer) take(std::move(**answer));
      });
}

void TypesMap::showLacking() {
  const auto& snapshot = m_bridge.snapshot();
  const bool isWanted = m_measure->choice() == Retained && snapshot && snapshot->has(engine::Stage::Objects);
  if (!isWanted || snapshot->has(engine::Stage::Retained)) return;
  showRetainedState(*m_state, m_bridge);
  m_pages->setCurrentWidget(m_state);
}

void TypesMap::take(TypeTreemap treemap) {
  m_types = std::move(treemap);
  m_treemap->setGroups(std::move(m_types.groups));
  if (m_treemap->groups().empty()) {
    m_state->showEmpty(u"No objects"_s, u"The heap of this dump holds no object that could be read."_s);
    m_pages->setCurrentWidget(m_state);
    return;
  }
  m_pages->setCurrentWidget(m_treemap);
}

}  // namespace heapscape::gui
