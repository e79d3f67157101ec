// SPDX-License-Identifier: MIT
#pragma once

#include "bridge/navigator.h"
#include "session/details/address_query.h"

namespace heapscape::gui {

/// Name of the icon for what an address belongs to.
QString symbolOf(engine::AddressKind kind);
/// Owner of an address, and where in the window that is shown.
struct AddressTarget {
  engine::AddressMeaning meaning;
  /// The handle, static, thread or sync block, by what identifies it in its list.
  engine::Address listed = {};
};

/// On the engine thread: everything an address may mean, the most particular first.
engine::Outcome<std::vector<AddressTarget>> findAddressTargets(const engine::Snapshot& snapshot,
                                                               engine::Address address, std::stop_token stop);
/// On the engine thread: threads by the start of their managed or OS id, or by part of their name; all if it is empty.
engine::Outcome<std::vector<AddressTarget>> findThreads(const engine::Snapshot& snapshot, const std::string& text,
                                                        std::stop_token stop);

/// False for what has no place of its own: native memory, files, code.
bool canShow(const AddressTarget& target);
/// Goes to the place that shows it.
void showTarget(Navigator& navigator, const AddressTarget& target);

}  // namespace heapscape::gui
