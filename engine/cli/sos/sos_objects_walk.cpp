// SPDX-License-Identifier: MIT
#include "cli/sos/sos_objects_walk.h"

#include <algorithm>

#include "base/ascii.h"
#include "cli/sos/sos_text.h"

namespace heapscape::cli {

using engine::Address;
using engine::AddressRange;
using engine::ErrorCode;
using engine::failure;
using engine::Outcome;
using engine::Result;
using engine::Segment;
using engine::SegmentId;
using engine::Snapshot;

namespace {

Result<AddressRange> readRange(const SosArguments& arguments, std::size_t first) {
  HEAPSCAPE_TRY(const Address start, arguments.address(first));
  AddressRange range{start, Address{UINT64_MAX}};
  if (arguments.words().size() <= first + 1) return range;
  std::string text = arguments.words()[first + 1];
  const bool isLength = text.starts_with('L');
  if (isLength) text.erase(0, 1);
  if (!engine::tryParseAddress(text, range.end))
    return failure(ErrorCode::BadQuery, fmt::format("Invalid end address: {}", text));
  if (isLength)
    range.end.value = range.end.value > UINT64_MAX - start.value ? UINT64_MAX : range.end.value + start.value;
  if (range.end <= start)
    return failure(ErrorCode::BadQuery, fmt::format("Start address must be before end address: '{}' < '{}'",
                                                    arguments.words()[first], text));
  return range;
}

bool overlap(AddressRange one, AddressRange other) {
  return one.start < other.end && other.start < one.end;
}

}  // namespace

engine::Result<engine::ObjectRow> sosObject(const engine::Snapshot& snapshot, engine::Address address) {
  const auto row = engine::objectAt(snapshot, address);
  if (!row || row->address != address || snapshot.types()[row->type.value].isFree)
    return engine::failure(engine::ErrorCode::NotFound, fmt::format("{:x} is not a valid object.", address.value));
  return *row;
}

std::optional<engine::Generation> sosGeneration(std::string name) {
  using engine::Generation;
  name = engine::lowerCase(name);
  if (name == "loh") return Generation::Large;
  if (name == "poh") return Generation::Pinned;
  if (name == "foh") return Generation::Frozen;
  return engine::enumNamed<Generation>(name);
}

AddressRange committedOf(const Segment& segment) {
  const Address page{segment.objects.start.value & ~(engine::kPageBytes - 1)};
  const bool isHeaded =
      segment.address < segment.objects.start && segment.objects.start - segment.address <= engine::kPageBytes;
  return {isHeaded ? segment.address : page, segment.committedEnd};
}

Outcome<SosScope> readScope(const SosRun& run, const Snapshot& snapshot, std::size_t firstArgument) {
  const SosArguments& arguments = run.arguments();
  SosScope scope;
  if (arguments.has("-heap")) {
    HEAPSCAPE_TRY(const std::uint64_t heap, arguments.number("-heap", 0));
    if (std::ranges::none_of(snapshot.segments(), [&](const Segment& each) { return each.heap == heap; }))
      return tl::unexpected(
          engine::Unfinished(engine::Error{ErrorCode::NotFound, fmt::format("No GC heap with index of {}", heap)}));
    scope.heap = static_cast<std::uint32_t>(heap);
  }
  if (const auto text = arguments.valueOf("-segment")) {
    Address segment;
    if (!engine::tryParseAddress(*text, segment))
      return tl::unexpected(
          engine::Unfinished(engine::Error{ErrorCode::BadQuery, fmt::format("Failed to parse segment '{}'.", *text)}));
    scope.segment = segment;
  }
  if (const auto text = arguments.valueOf("-gen")) {
    scope.generation = sosGeneration(*text);
    if (!scope.generation)
      return tl::unexpected(engine::Unfinished(engine::Error{
          ErrorCode::BadQuery, fmt::format("Unknown generation: {}. Only gen0, gen1, gen2, loh (large), poh (pinned) "
                                           "and foh (frozen) are supported",
                                           *text)}));
  }
  if (arguments.words().size() > firstArgument) {
    HEAPSCAPE_TRY(const AddressRange range, readRange(arguments, firstArgument));
    if (std::ranges::none_of(snapshot.segments(),
                             [&](const Segment& each) { return overlap(committedOf(each), range); }))
      return tl::unexpected(
          engine::Unfinished(engine::Error{ErrorCode::NotFound, fmt::format("No segments or objects in range {:x}-{:x}",
                                                                            range.start.value, range.end.value)}));
    scope.addresses = range;
  }
  return scope;
}

std::vector<SegmentId> segmentsInSosOrder(const Snapshot& snapshot, const SosScope& scope) {
  const auto& segments = snapshot.segments();
  std::vector<SegmentId> chosen;
  for (std::uint32_t i = 0; i < segments.size(); ++i) {
    const Segment& segment = segments[i];
    if (scope.heap && segment.heap != *scope.heap) continue;
    if (scope.segment && segment.address != *scope.segment && !committedOf(segment).contains(*scope.segment)) continue;
    if (scope.addresses && !overlap(segment.objects, *scope.addresses)) continue;
    chosen.push_back({i});
  }
  std::ranges::sort(chosen, [&](SegmentId one, SegmentId other) {
    const Segment& a = segments[one.value];
    const Segment& b = segments[other.value];
    return a.heap != b.heap ? a.heap < b.heap : a.address < b.address;
  });
  return chosen;
}

void forEachInSosOrder(const Snapshot& snapshot, const SosScope& scope, const std::stop_token& stop,
                       const std::function<bool(const engine::ObjectRow&)>& visit) {
  for (const SegmentId id : segmentsInSosOrder(snapshot, scope)) {
    const Segment& segment = snapshot.segments()[id.value];
    AddressRange range = segment.objects;
    if (scope.addresses) {
      range.start = std::max(range.start, scope.addresses->start);
      range.end = std::min(range.end, scope.addresses->end);
    }
    engine::ObjectFilter filter;
    filter.generation = scope.generation;
    filter.addresses = range;
    bool goesOn = true;
    engine::forEachObject(
        snapshot, filter, [&](const engine::ObjectRow& row) { return goesOn = visit(row); }, stop);
    if (!goesOn || stop.stop_requested()) return;
  }
}

void SosStatistics::add(const engine::ObjectRow& row) {
  const auto [place, isNew] = m_places.try_emplace(row.type.value, m_sums.size());
  if (isNew) m_sums.push_back({row.type});
  Sum& sum = m_sums[place->second];
  ++sum.count;
  sum.bytes += row.sizeBytes;
}

void SosStatistics::print(SosRun& run, bool isFirst, Order order) const {
  if (m_sums.empty()) return;
  std::vector<Sum> sums = m_sums;
  std::ranges::stable_sort(sums, {}, [&](const Sum& sum) { return order == Order::ByCount ? sum.count : sum.bytes; });
  Sum total;
  std::size_t countWidth = std::string_view("Count").size();
  std::size_t bytesWidth = std::string_view("TotalSize").size();
  for (const Sum& sum : sums) {
    total.count += sum.count;
    total.bytes += sum.bytes;
    countWidth = std::max(countWidth, grouped(sum.count).size());
    bytesWidth = std::max(bytesWidth, grouped(sum.bytes).size());
  }
  if (!isFirst) run.print("\n");
  run.print("Statistics:\n{:>12} {:>{}} {:>{}} Class Name\n", "MT", "Count", countWidth, "TotalSize", bytesWidth);
  for (const Sum& sum : sums) {
    const engine::TypeRow& type = m_snapshot.types()[sum.type.value];
    run.print("{} {:>{}} {:>{}} {}\n", shortAddress(type.methodTable), grouped(sum.count), countWidth,
              grouped(sum.bytes), bytesWidth, type.name);
    if (!run.goesOn()) return;
  }
  run.print("Total {} objects, {} bytes\n", grouped(total.count), grouped(total.bytes));
}

void SosObjectLines::add(const engine::ObjectRow& row) {
  if (!m_hasAny) m_run.print("{:>16} {:>16} {:>14}\n", "Address", "MT", "Size");
  m_hasAny = true;
  const engine::TypeRow& type = m_snapshot.types()[row.type.value];
  m_run.print("{:>16} {:>16} {:>14} {}\n", shortAddress(row.address), shortAddress(type.methodTable),
              grouped(row.sizeBytes), type.isFree ? "Free" : "");
}

}  // namespace heapscape::cli
