// SPDX-License-Identifier: MIT
#pragma once

#include "bridge/navigator.h"
#include "session/address_query.h"

namespace heapscape::gui {

/// Name of the icon for what an address belongs to.
QString symbolOf(engine::AddressKind kind);
/// False for what has no place of its own: native memory, files, code.
bool canShow(const engine::AddressMeaning& meaning);
/// Goes to the place that shows what an address belongs to.
void showMeaning(Navigator& navigator, const engine::AddressMeaning& meaning, engine::Address address);

}  // namespace heapscape::gui
