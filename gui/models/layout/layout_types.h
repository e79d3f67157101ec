// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "query/schema.h"
#include "session/door/snapshot.h"
#include "session/layouts/layout_laboratory.h"
#include "session/layouts/layout_query.h"

namespace heapscape::gui {

/// A loaded type and what the heap holds of it; or a type of an assembly, and what one instance has.
struct LayoutTypeRow {
  engine::LoadedType type;
  std::uint64_t objects = 0;
  std::uint64_t paddingBytes = 0;
  engine::LaboratoryTypeId id = {};  // of an assembly's type, as what is below
  std::uint32_t instanceBytes = 0;
  std::string failure = {};  // why it has no layout
};
using LayoutTypes = std::vector<LayoutTypeRow>;

enum class LayoutTypeOrder { Name, Objects, Padding, Size, Assembly };

struct LayoutTypeQuestion {
  std::string text;  // part of the name, or a query
  LayoutTypeOrder order = LayoutTypeOrder::Padding;
  bool descending = true;
  bool isOfAssembly = false;
  std::shared_ptr<const LayoutTypes> all;  // from the last answer
};

struct LayoutTypeAnswer {
  LayoutTypeQuestion question;       // with `all`
  std::vector<std::uint32_t> shown;  // indices into `all`, in display order
  std::uint64_t mostObjects = 0;     // of those shown, for bars
  std::uint64_t mostInstanceBytes = 0;
  std::uint64_t mostPaddingBytes = 0;
};

/// What can be asked of loaded types, or of those of an assembly.
engine::QuerySchema layoutTypeSchema(bool isOfAssembly);

/// On the engine thread: reads the loaded types unless they are known, filters and sorts them.
engine::Outcome<LayoutTypeAnswer> askLayoutTypes(const engine::Snapshot& snapshot, LayoutTypeQuestion question,
                                                 std::stop_token stop);

/// The same for the types of an assembly.
engine::Outcome<LayoutTypeAnswer> askLayoutTypes(const engine::LayoutLaboratory& laboratory,
                                                 LayoutTypeQuestion question, std::stop_token stop);

/// Filters and sorts those that are known; a text that cannot be asked fits none.
LayoutTypeAnswer answerLayoutTypes(LayoutTypeQuestion question);

}  // namespace heapscape::gui
