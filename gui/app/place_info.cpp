// SPDX-License-Identifier: MIT
#include "app/place_info.h"

#include <array>

namespace heapscape::gui {

namespace {

constexpr std::array kPlaces{PlaceId::Start,      PlaceId::Overview,    PlaceId::Insights, PlaceId::Memory,
                             PlaceId::Segments,   PlaceId::Generations, PlaceId::Types,    PlaceId::Layouts,
                             PlaceId::References, PlaceId::Object,      PlaceId::Runtime,  PlaceId::Roots,
                             PlaceId::Threads,    PlaceId::Findings,    PlaceId::Compare,  PlaceId::Review};

}  // namespace

QString placeName(PlaceId place) {
  switch (place) {
    case PlaceId::Start:
      return QStringLiteral("start");
    case PlaceId::Overview:
      return QStringLiteral("overview");
    case PlaceId::Insights:
      return QStringLiteral("insights");
    case PlaceId::Memory:
      return QStringLiteral("memory");
    case PlaceId::Segments:
      return QStringLiteral("segments");
    case PlaceId::Generations:
      return QStringLiteral("generations");
    case PlaceId::Types:
      return QStringLiteral("types");
    case PlaceId::Layouts:
      return QStringLiteral("layouts");
    case PlaceId::References:
      return QStringLiteral("references");
    case PlaceId::Object:
      return QStringLiteral("object");
    case PlaceId::Runtime:
      return QStringLiteral("runtime");
    case PlaceId::Roots:
      return QStringLiteral("roots");
    case PlaceId::Threads:
      return QStringLiteral("threads");
    case PlaceId::Findings:
      return QStringLiteral("findings");
    case PlaceId::Compare:
      return QStringLiteral("compare");
    case PlaceId::Review:
      break;
  }
  return QStringLiteral("review");
}

QString placeTitle(PlaceId place) {
  const QString name = placeName(place);
  return name.left(1).toUpper() + name.mid(1);
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

}  // namespace heapscape::gui
