// SPDX-License-Identifier: MIT
#include "models/layout/layout_types.h"

#include <algorithm>
#include <unordered_map>

#include "query/query.h"

namespace heapscape::gui {
namespace {

engine::Outcome<std::shared_ptr<const LayoutTypes>> readLayoutTypes(const engine::Snapshot& snapshot,
                                                                    std::stop_token stop) {
  HEAPSCAPE_TRY(std::vector<engine::LoadedType> loaded, engine::loadedTypes(snapshot, stop));
  std::unordered_map<engine::Address, std::size_t> onHeap;
  for (std::size_t type = 0; type < snapshot.types().size(); ++type) {
    if (!snapshot.types()[type].isFree) onHeap.emplace(snapshot.types()[type].methodTable, type);
  }
  auto rows = std::make_shared<LayoutTypes>();
  rows->reserve(loaded.size());
  for (engine::LoadedType& type : loaded) {
    const auto found = onHeap.find(type.methodTable);
    LayoutTypeRow row{std::move(type), 0, 0};
    if (found != onHeap.end()) {
      row.objects = snapshot.typeCounts().count[found->second];
      row.paddingBytes = snapshot.typePaddingBytes()[found->second];
    }
    rows->push_back(std::move(row));
  }
  return rows;
}

engine::Outcome<std::shared_ptr<const LayoutTypes>> readLayoutTypes(const engine::LayoutLaboratory& laboratory,
                                                                    std::stop_token stop) {
  HEAPSCAPE_TRY(std::vector<engine::LaboratoryType> types, laboratory.types(stop));
  auto rows = std::make_shared<LayoutTypes>();
  rows->reserve(types.size());
  for (engine::LaboratoryType& type : types) {
    rows->push_back({.type = {std::move(type.name), std::move(type.assembly), type.methodTable},
                     .paddingBytes = type.paddingBytes,
                     .id = type.id,
                     .instanceBytes = type.instanceBytes,
                     .failure = std::move(type.failure)});
  }
  return rows;
}

// In the order of the schema's fields.
engine::QueryValue valueOf(const LayoutTypeRow& row, std::uint32_t field, bool isOfAssembly) {
  switch (field) {
    case 0:
      return engine::QueryValue::ofText(row.type.name);
    case 1:
      return engine::QueryValue::ofNumber(isOfAssembly ? row.instanceBytes : row.objects);
    case 2:
      return engine::QueryValue::ofNumber(row.paddingBytes);
    default:
      return engine::QueryValue::ofText(row.type.assembly);
  }
}

bool isBefore(const LayoutTypeRow& left, const LayoutTypeRow& right, LayoutTypeOrder order, bool descending) {
  const auto differs = [descending](std::uint64_t a, std::uint64_t b) { return descending ? a > b : a < b; };
  if (order == LayoutTypeOrder::Padding && left.paddingBytes != right.paddingBytes) {
    return differs(left.paddingBytes, right.paddingBytes);
  }
  if (order == LayoutTypeOrder::Size && left.instanceBytes != right.instanceBytes) {
    return differs(left.instanceBytes, right.instanceBytes);
  }
  if (order == LayoutTypeOrder::Assembly && left.type.assembly != right.type.assembly) {
    return descending ? left.type.assembly > right.type.assembly : left.type.assembly < right.type.assembly;
  }
  if (order != LayoutTypeOrder::Name && left.objects != right.objects) return differs(left.objects, right.objects);
  return order == LayoutTypeOrder::Name && descending ? left.type.name > right.type.name
                                                      : left.type.name < right.type.name;
}

}  // namespace

engine::QuerySchema layoutTypeSchema(bool isOfAssembly) {
  using engine::QueryKind;
  const engine::QueryField objects{.name = "objects", .kind = QueryKind::Number, .help = "Objects on the heap."};
  const engine::QueryField size{
      .name = "size", .kind = QueryKind::Bytes, .help = "Bytes of one instance; of a class with its header."};
  return {.noun = "types",
          .fields = {{.name = "type", .kind = QueryKind::Text, .help = "Full name.", .isPlain = true},
                     isOfAssembly ? size : objects,
                     {.name = "padding",
                      .kind = QueryKind::Bytes,
                      .help = isOfAssembly ? "Bytes that no field uses, in one instance."
                                           : "Bytes of padding in all objects of the type."},
                     {.name = "assembly", .kind = QueryKind::Text, .help = "File that declares it."}}};
}

engine::Outcome<LayoutTypeAnswer> askLayoutTypes(const engine::Snapshot& snapshot, LayoutTypeQuestion question,
                                                 std::stop_token stop) {
  if (!question.all) {
    HEAPSCAPE_TRY(question.all, readLayoutTypes(snapshot, stop));
  }
  return answerLayoutTypes(std::move(question));
}

engine::Outcome<LayoutTypeAnswer> askLayoutTypes(const engine::LayoutLaboratory& laboratory,
                                                 LayoutTypeQuestion question, std::stop_token stop) {
  if (!question.all) {
    HEAPSCAPE_TRY(question.all, readLayoutTypes(laboratory, stop));
  }
  return answerLayoutTypes(std::move(question));
}

LayoutTypeAnswer answerLayoutTypes(LayoutTypeQuestion question) {
  LayoutTypeAnswer answer;
  const LayoutTypes& all = *question.all;
  const auto query = engine::makeQuery(question.text, layoutTypeSchema(question.isOfAssembly));
  for (std::uint32_t index = 0; index < all.size(); ++index) {
    const auto value = [&](const engine::QueryFieldReference& asked) {
      return valueOf(all[index], asked.field, question.isOfAssembly);
    };
    if (!query || !engine::matches(query->root, value)) continue;
    answer.shown.push_back(index);
    answer.mostObjects = std::max(answer.mostObjects, all[index].objects);
    answer.mostPaddingBytes = std::max(answer.mostPaddingBytes, all[index].paddingBytes);
    answer.mostInstanceBytes = std::max<std::uint64_t>(answer.mostInstanceBytes, all[index].instanceBytes);
  }
  std::ranges::stable_sort(answer.shown, [&](std::uint32_t left, std::uint32_t right) {
    return isBefore(all[left], all[right], question.order, question.descending);
  });
  answer.question = std::move(question);
  return answer;
}

}  // namespace heapscape::gui
