// SPDX-License-Identifier: MIT
#include "models/thread_activity.h"

#include <functional>

namespace heapscape::gui {

namespace {

constexpr std::uint64_t kBeyondProcesses = 1ull << 63;

}  // namespace

engine::Address identityOfActivity(const std::string& doing) {
  return engine::Address{std::hash<std::string>()(doing) | kBeyondProcesses};
}

bool isActivity(engine::Address identity) {
  return (identity.value & kBeyondProcesses) != 0;
}

}  // namespace heapscape::gui
