// SPDX-License-Identifier: MIT
#include "insight/object_scan.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cassert>

#include "base/progress.h"

namespace heapscape::engine {
namespace {

constexpr std::uint64_t kScanPieceBytes = 2 << 20;  // small enough to share a classic segment among the cores

std::vector<ScanPiece> scanPieces(const Contents& contents) {
  const std::vector<Segment>& segments = *contents.segments;
  std::vector<ScanPiece> pieces;
  for (std::uint32_t i = 0; i < segments.size(); ++i) {
    const AddressRange& objects = segments[i].objects;
    for (Address start = objects.start; start < objects.end; start += kScanPieceBytes) {
      pieces.push_back({i, {start, std::min(start + kScanPieceBytes, objects.end)}, 0});
      pieces.back().firstObject = contents.heap->index.countBefore({i}, start);
    }
  }
  return pieces;
}

class SharedScan {
 public:
  SharedScan(const InsightInput& input, std::span<ObjectVisitor* const> visitors)
      : m_input(input),
        m_visitors(visitors),
        m_pieces(scanPieces(input.contents)),
        m_objects(objectsOfAll(*input.contents.memory, input.contents.heap->index, input.contents.heap->types,
                               *input.contents.segments)),
        m_visitorsOf(input.contents.types->size()) {
    assert(visitors.size() <= 8 * sizeof(std::uint32_t));
    for (std::size_t i = 0; i < visitors.size(); ++i) {
      const std::vector<std::uint8_t> isWanted = visitors[i]->wantedTypes();
      for (std::size_t type = 0; type < isWanted.size(); ++type) m_visitorsOf[type] |= isWanted[type] ? 1u << i : 0;
      visitors[i]->begin(m_pieces);
    }
  }

  bool run(const std::function<void(double)>& tell, const std::stop_token& stop) const {
    CountedProgress counted(m_pieces.size(), tell);
    tbb::parallel_for(std::size_t{0}, m_pieces.size(), [&](std::size_t piece) {
      if (stop.stop_requested()) return;
      look(piece);
      counted.finishOne();
    });
    return !stop.stop_requested();
  }

 private:
  void look(std::size_t piece) const {
    const ScanPiece& part = m_pieces[piece];
    std::uint32_t id = part.firstObject;
    m_input.contents.heap->index.forEachStart({part.segment}, part.range, [&](Address address) {
      const std::uint32_t object = id++;
      const std::uint32_t type = m_input.objectTypes[object];
      const std::uint32_t visitors = type < m_visitorsOf.size() ? m_visitorsOf[type] : 0;
      if (visitors && m_input.isReachable(object)) show(piece, address, {object, {}, {}}, {type}, visitors);
      return true;
    });
  }

  void show(std::size_t piece, Address address, ScannedObject scanned, TypeId type, std::uint32_t visitors) const {
    const SegmentObjects& objects = m_objects[m_pieces[piece].segment];
    if (!objects.tryReadAs(type, m_input.contents.heap->types.shape(type), address, scanned.facts)) return;
    scanned.bytes = objects.bytesOf(scanned.facts);
    scanned.isInPlace = !scanned.bytes.empty();
    MemoryView copy;
    if (!scanned.isInPlace) {
      auto view = m_input.contents.memory->view({address, address + scanned.facts.sizeBytes});
      if (!view) return;
      copy = std::move(*view);
      scanned.bytes = copy.bytes;
    }
    for (; visitors; visitors &= visitors - 1)
      m_visitors[static_cast<std::size_t>(__builtin_ctz(visitors))]->visit(piece, scanned);
  }

  const InsightInput& m_input;
  std::span<ObjectVisitor* const> m_visitors;
  const std::vector<ScanPiece> m_pieces;
  const std::vector<SegmentObjects> m_objects;  // index: SegmentId
  std::vector<std::uint32_t> m_visitorsOf;      // by TypeId, a bit for each visitor
};

}  // namespace

bool visitObjects(const InsightInput& input, std::span<ObjectVisitor* const> visitors,
                  const std::function<void(double)>& tell, const std::stop_token& stop) {
  return visitors.empty() ? !stop.stop_requested() : SharedScan(input, visitors).run(tell, stop);
}

}  // namespace heapscape::engine
