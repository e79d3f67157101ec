// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QStringList>
#include <optional>
#include <span>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "views/place.h"

namespace heapscape::gui {

/// A place's name on the command line and the name of its icon: "segments".
QString placeName(PlaceId place);
QStringList placeNames();
/// Its name in the window: "Segments".
QString placeTitle(PlaceId place);
/// Two sentences at most: what it shows, and what to do there or how to read it.
QString placeAbout(PlaceId place);
/// All places in the order of the bar.
std::span<const PlaceId> allPlaces();
std::optional<PlaceId> placeByName(const QString& name);

/// One of the places that show the open dump; null for one that is about files or about more than one dump. Its parent
/// owns it.
Place* makeDumpPlace(PlaceId place, EngineBridge& bridge, Navigator& navigator, QWidget* parent);
bool isDumpPlace(PlaceId place);
/// Whether all that a place shows is told by the objects of a heap, so that a dump without one leaves it empty.
bool needsHeap(PlaceId place);
/// Whether a place shows types, sizes, references or roots, which a recorded heap has.
bool isToldByGraph(PlaceId place);
/// Why a dump does not tell what a place shows, which a program compiled ahead of time has not; nullopt if it does.
std::optional<engine::Error> lackOfTypes(PlaceId place, const engine::Snapshot& snapshot);

}  // namespace heapscape::gui
