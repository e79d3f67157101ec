// SPDX-License-Identifier: MIT
#include "app/place_info.h"

#include <QMetaEnum>
#include <algorithm>
#include <array>

#include "session/snapshot/heap_presence.h"
#include "views/console/console_place.h"
#include "views/findings/findings_place.h"
#include "views/generations/generations_place.h"
#include "views/insights/insights_place.h"
#include "views/layouts/layouts_place.h"
#include "views/memory/memory_place.h"
#include "views/object/object_place.h"
#include "views/overview/overview_place.h"
#include "views/references/references_place.h"
#include "views/roots/roots_place.h"
#include "views/runtime/runtime_place.h"
#include "views/segments/segments_place.h"
#include "views/threads/threads_place.h"
#include "views/types/types_place.h"

namespace heapscape::gui {

namespace {

constexpr std::array kPlaces{
    PlaceId::Start,   PlaceId::Overview, PlaceId::Insights,   PlaceId::Memory,  PlaceId::Segments, PlaceId::Generations,
    PlaceId::Types,   PlaceId::Layouts,  PlaceId::References, PlaceId::Object,  PlaceId::Runtime,  PlaceId::Roots,
    PlaceId::Threads, PlaceId::Findings, PlaceId::Console,    PlaceId::Compare, PlaceId::Review};

}  // namespace

QString placeName(PlaceId place) {
  return placeTitle(place).toLower();
}

QString placeTitle(PlaceId place) {
  return QString::fromLatin1(QMetaEnum::fromType<PlaceId>().valueToKey(static_cast<int>(place)));
}

QString placeAbout(PlaceId place) {
  switch (place) {
    case PlaceId::Start:
      return u"Open a dump, take one of a running program, or look around in the sample."_s;
    case PlaceId::Overview:
      return u"The heap at a glance: what is live, garbage or free, who owns most, and what could be saved. Every row "
             "leads to the place that shows more."_s;
    case PlaceId::Insights:
      return u"Waste and leak suspects, the costliest first, each with what a fix would save. No byte is counted "
             "twice."_s;
    case PlaceId::Memory:
      return u"All memory of the process by its owner: heap, stacks, libraries and native memory. Double-click to zoom "
             "in."_s;
    case PlaceId::Segments:
      return u"Where the heap lies: a lane for each segment, by address, down to single objects. Colours tell "
             "generation, type, or live and garbage."_s;
    case PlaceId::Generations:
      return u"How full each generation is: live, garbage, free and committed bytes against the GC's budget. Below are "
             "the sizes of objects, and recent collections."_s;
    case PlaceId::Types:
      return u"All types on the heap, with objects, bytes and retained size. Pick one to see its objects, or ask for "
             "objects by a query."_s;
    case PlaceId::Layouts:
      return u"How a type's fields lie in its objects, byte by byte, with padding hatched. The layouts auto, "
             u"sequential "
             "and best stand side by side."_s;
    case PlaceId::References:
      return u"What an object keeps alive, and what keeps it alive. Four pages show the graph, dominators, paths from "
             "roots, and what a cut would free."_s;
    case PlaceId::Object:
      return u"One object with its fields, elements and bytes. Click a reference to go on to it."_s;
    case PlaceId::Runtime:
      return u"What the runtime knows: modules, types and their methods, statics and handles. Pick a type to see its "
             "method table."_s;
    case PlaceId::Roots:
      return u"What keeps objects alive from outside the heap: statics, stacks, handles and more. Retained bytes are "
             "those that this root alone keeps."_s;
    case PlaceId::Threads:
      return u"What each thread was doing: stacks, async calls, locks and waits. Deadlocks are drawn as rings."_s;
    case PlaceId::Findings:
      return u"What was damaged or missing while the dump was read. A check of the whole heap can be run here."_s;
    case PlaceId::Console:
      return u"Commands of heapscape-cli and of SOS, typed on this dump. Addresses in the answers are links."_s;
    case PlaceId::Compare:
      return u"What changed between dumps of one program: types, owners, insights and layouts. Take the earlier one as "
             "before."_s;
    case PlaceId::Review:
      return u"Pictures and tables that were pinned, with notes. Export them as a page, a PDF or an issue."_s;
  }
  return {};
}

std::span<const PlaceId> allPlaces() {
  return kPlaces;
}

QStringList placeNames() {
  QStringList names;
  for (const PlaceId place : kPlaces) names << placeName(place);
  return names;
}

std::optional<PlaceId> placeByName(const QString& name) {
  for (const PlaceId place : kPlaces) {
    if (placeName(place) == name) return place;
  }
  return std::nullopt;
}

namespace {

struct DumpPlace {
  PlaceId id;
  Place* (*make)(EngineBridge& bridge, Navigator& navigator, QWidget* parent);
};

template <class Kind>
Place* make(EngineBridge& bridge, Navigator& navigator, QWidget* parent) {
  return new Kind(bridge, navigator, parent);
}

constexpr std::array kDumpPlaces{DumpPlace{PlaceId::Overview, make<OverviewPlace>},
                                 DumpPlace{PlaceId::Insights, make<InsightsPlace>},
                                 DumpPlace{PlaceId::Memory, make<MemoryPlace>},
                                 DumpPlace{PlaceId::Segments, make<SegmentsPlace>},
                                 DumpPlace{PlaceId::Generations, make<GenerationsPlace>},
                                 DumpPlace{PlaceId::Types, make<TypesPlace>},
                                 DumpPlace{PlaceId::Layouts, make<LayoutsPlace>},
                                 DumpPlace{PlaceId::References, make<ReferencesPlace>},
                                 DumpPlace{PlaceId::Object, make<ObjectPlace>},
                                 DumpPlace{PlaceId::Runtime, make<RuntimePlace>},
                                 DumpPlace{PlaceId::Roots, make<RootsPlace>},
                                 DumpPlace{PlaceId::Threads, make<ThreadsPlace>},
                                 DumpPlace{PlaceId::Findings, make<FindingsPlace>},
                                 DumpPlace{PlaceId::Console, make<ConsolePlace>}};

}  // namespace

Place* makeDumpPlace(PlaceId place, EngineBridge& bridge, Navigator& navigator, QWidget* parent) {
  const auto found = std::ranges::find(kDumpPlaces, place, &DumpPlace::id);
  return found == kDumpPlaces.end() ? nullptr : found->make(bridge, navigator, parent);
}

bool isDumpPlace(PlaceId place) {
  return std::ranges::find(kDumpPlaces, place, &DumpPlace::id) != kDumpPlaces.end();
}

bool needsHeap(PlaceId place) {
  constexpr std::array kOfObjects{PlaceId::Insights, PlaceId::Segments,   PlaceId::Types,
                                  PlaceId::Layouts,  PlaceId::References, PlaceId::Compare};
  return std::ranges::find(kOfObjects, place) != kOfObjects.end();
}

std::optional<engine::Error> lackOfTypes(PlaceId place, const engine::Snapshot& snapshot) {
  if (snapshot.isRecorded()) return std::nullopt;
  const bool isKnown = snapshot.has(engine::Stage::Layouts);  // by then no file has to be read for it
  if (place == PlaceId::Layouts && isKnown && !snapshot.hasFields()) return engine::lackOfFields(snapshot);
  if (place == PlaceId::Runtime && !snapshot.hasAssemblies()) return engine::lackOfAssemblies();
  return std::nullopt;
}

bool isToldByGraph(PlaceId place) {
  constexpr std::array kOfGraph{PlaceId::Start,      PlaceId::Overview, PlaceId::Insights, PlaceId::Types,
                                PlaceId::References, PlaceId::Roots,    PlaceId::Findings, PlaceId::Console,
                                PlaceId::Compare,    PlaceId::Review};
  return std::ranges::find(kOfGraph, place) != kOfGraph.end();
}

}  // namespace heapscape::gui
