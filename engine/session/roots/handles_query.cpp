// SPDX-License-Identifier: MIT
#include "session/roots/handles_query.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "base/stop_interval.h"
#include "runtime/gc/handles.h"
#include "session/door/contents.h"
#include "session/references/referred_object.h"
#include "session/references/retained_query.h"

namespace heapscape::engine {
namespace {

HandleRow rowOf(const Snapshot& snapshot, const GcHandle& handle, FindingList& findings) {
  HandleRow row{.address = handle.address,
                .kind = handle.kind,
                .heap = handle.heap,
                .object = handle.object,
                .typeName = {},
                .methodTable = {},
                .dependent = handle.dependent,
                .dependentType = {}};
  const auto describe = [&](Address object, const char* what) {
    ReferredObject referred = object ? referredObject(snapshot, object) : ReferredObject{};
    if (object && !referred.isObject) {
      findings.add(FindingKind::ReferenceDamaged, handle.address,
                   fmt::format("{} {} handle leads to {}, where no object begins.", what, toString(handle.kind),
                               toString(object)));
    }
    return referred;
  };
  ReferredObject primary = describe(handle.object, "A");
  row.typeName = std::move(primary.typeName);
  row.methodTable = primary.methodTable;
  row.retainedBytes = retainedBytesAt(snapshot, handle.object);
  row.dependentType = describe(handle.dependent, "The secondary of a").typeName;
  return row;
}

}  // namespace

Outcome<HandleList> listHandles(const Snapshot& snapshot, bool includeNull, std::stop_token stop) {
  HandleList list;
  const auto handles = readHandles(snapshot.contents().readers->runtime, includeNull, list.findings);
  list.handles.reserve(handles.size());
  for (const GcHandle& handle : handles) {
    if (list.handles.size() % kStopInterval == 0 && stop.stop_requested())
      return tl::unexpected(Unfinished::cancelled());
    list.handles.push_back(rowOf(snapshot, handle, list.findings));
  }
  std::ranges::sort(list.handles, {}, [](const HandleRow& row) { return std::tuple(row.kind, row.address); });
  return list;
}

}  // namespace heapscape::engine
