// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QStringList>
#include <optional>

#include "bridge/navigator.h"

namespace heapscape::gui {

/// A place's name on the command line and the name of its icon: "segments".
QString placeName(PlaceId place);
QStringList placeNames();
std::optional<PlaceId> placeByName(const QString& name);

}  // namespace heapscape::gui
