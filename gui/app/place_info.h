// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QStringList>
#include <optional>
#include <span>

#include "bridge/navigator.h"

namespace heapscape::gui {

/// A place's name on the command line and the name of its icon: "segments".
QString placeName(PlaceId place);
QStringList placeNames();
/// What it is called in the window: "Segments".
QString placeTitle(PlaceId place);
/// All places in the order of the bar.
std::span<const PlaceId> allPlaces();
std::optional<PlaceId> placeByName(const QString& name);

}  // namespace heapscape::gui
