// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

namespace heapscape::gui {

/// The dump that comes with the program: beside the installed program, else in the sources it was built from. Empty if
/// it is in neither place.
QString sampleDumpPath();

}  // namespace heapscape::gui
