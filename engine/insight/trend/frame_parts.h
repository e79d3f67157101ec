// SPDX-License-Identifier: MIT
#pragma once

#include <stop_token>
#include <vector>

#include "insight/ownership.h"
#include "insight/trend/dump_frame.h"

// What a frame is put together from.
namespace heapscape::engine {

// owner_frames.cpp
/// Owners of all objects, by kind and name.
std::vector<OwnerFigures> ownerFiguresOf(const Ownership& ownership);

// root_frames.cpp
/// Roots by kind and name.
Outcome<std::vector<RootFigures>> rootFiguresOf(const Snapshot& snapshot, const std::stop_token& stop);

}  // namespace heapscape::engine
