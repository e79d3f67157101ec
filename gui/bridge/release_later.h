// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

namespace heapscape::gui {

/// For what is large and shown no more: giving back the memory of millions of rows takes longer than a frame, so a
/// thread of its own does. Whoever else holds it on the GUI thread lets go within the same event.
void releaseLater(std::shared_ptr<const void> held);

}  // namespace heapscape::gui
