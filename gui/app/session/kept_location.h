// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <optional>

#include "bridge/navigator.h"

namespace heapscape::gui {

/// A location as one line of text, to be kept from one run to the next. Only what makes sense in another run is in it;
/// what differs nowhere else has the same text.
QString keptText(const Location& location);

/// Nothing if the text is none of those.
std::optional<Location> locationOf(const QString& kept);

/// Dumps of the same memory have the same, whatever their files are called and however they are compressed. Known from
/// the stage Segments on.
QString identityOf(const engine::Snapshot& snapshot);

}  // namespace heapscape::gui
