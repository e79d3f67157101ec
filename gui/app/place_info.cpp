// SPDX-License-Identifier: MIT
#include "app/place_info.h"

#include <QMetaEnum>
#include <algorithm>
#include <array>

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

constexpr std::array kPlaces{PlaceId::Start,      PlaceId::Overview,    PlaceId::Insights, PlaceId::Memory,
                             PlaceId::Segments,   PlaceId::Generations, PlaceId::Types,    PlaceId::Layouts,
                             PlaceId::References, PlaceId::Object,      PlaceId::Runtime,  PlaceId::Roots,
                             PlaceId::Threads,    PlaceId::Findings,    PlaceId::Compare,  PlaceId::Review};

}  // namespace

QString placeName(PlaceId place) {
  return placeTitle(place).toLower();
}

QString placeTitle(PlaceId place) {
  return QString::fromLatin1(QMetaEnum::fromType<PlaceId>().valueToKey(static_cast<int>(place)));
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
                                 DumpPlace{PlaceId::Findings, make<FindingsPlace>}};

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

bool isToldByGraph(PlaceId place) {
  constexpr std::array kOfGraph{PlaceId::Start,    PlaceId::Overview,   PlaceId::Insights,
                                PlaceId::Types,    PlaceId::References, PlaceId::Roots,
                                PlaceId::Findings, PlaceId::Compare,    PlaceId::Review};
  return std::ranges::find(kOfGraph, place) != kOfGraph.end();
}

}  // namespace heapscape::gui
