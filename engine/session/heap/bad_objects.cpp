// SPDX-License-Identifier: MIT
#include "session/heap/bad_objects.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "heap/object_head.h"
#include "session/objects/object_query.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kMostWords = 16;
constexpr std::uint64_t kNear = 2 * kPointerBytes;  // an array's end and the next object: a header, and what aligns it
constexpr std::size_t kLeastLetters = 4;            // in a row that are no coincidence

constexpr std::string_view kAskTheProgram =
    "Look for code that writes without bounds: Unsafe, spans and pointers over native memory, stackalloc, P/Invoke "
    "with "
    "a wrong size. DOTNET_HeapVerify=1 with a debug GC, or `verify` on earlier dumps, narrows down when.";
constexpr std::string_view kCopyAgain = "Copy the file again, or take a new dump.";

bool isLetter(std::uint32_t unit) {
  return unit >= 0x20 && unit < 0x7f;
}

/// The longest run of letters, in bytes of ASCII or units of UTF-16.
std::string textIn(Bytes bytes) {
  std::string best;
  for (const std::size_t width : {std::size_t{1}, std::size_t{2}}) {
    std::string run;
    for (std::size_t at = 0; at + width <= bytes.size(); at += width) {
      std::uint32_t unit = std::to_integer<std::uint32_t>(bytes[at]);
      if (width == 2) unit |= std::to_integer<std::uint32_t>(bytes[at + 1]) << 8;
      if (isLetter(unit)) run += static_cast<char>(unit);
      if (run.size() > best.size()) best = run;
      if (!isLetter(unit)) run.clear();
    }
  }
  return best.size() < kLeastLetters ? std::string() : best;
}

class BadPlace {
 public:
  BadPlace(const Snapshot& snapshot, Address address, FindingKind kind)
      : m_snapshot(snapshot), m_contents(snapshot.contents()), m_heap(*m_contents.heap), m_kind(kind) {
    m_bad.address = address;
  }

  std::optional<BadObject> look() {
    const SegmentId id = m_heap.index.segmentOf(m_bad.address);
    if (id.isNone()) return std::nullopt;
    m_segment = (*m_contents.segments)[id.value].objects;
    m_heap.index.forEachStart(id, {m_bad.address + kPointerBytes, m_segment.end}, [&](Address start) {
      m_bad.next = start;
      return false;
    });
    findNeighbour();
    readWords();
    judge();
    return std::move(m_bad);
  }

 private:
  const AddressSpace& memory() const { return *m_contents.memory; }
  Address end() const { return m_bad.next ? m_bad.next : m_segment.end; }

  void findNeighbour() {
    if (m_bad.address == m_segment.start) return;
    const auto start = m_heap.index.startAtOrBefore(m_bad.address - 1);
    const auto row = start ? objectAt(m_snapshot, *start) : std::nullopt;
    if (!row || row->type.isNone()) return;
    BadObject::Neighbour before{row->address, m_snapshot.types()[row->type.value].name, row->sizeBytes, {}, 0};
    std::uint32_t components = 0;
    const ObjectShape& shape = m_heap.types.shape(row->type);
    if (shape.componentSize && !shape.isFree && memory().tryRead(row->address + kComponentsOffset, components))
      before.length = components;
    // An object's size has its header in it, which lies in front of its address.
    const Address filled = row->address + row->sizeBytes - kPointerBytes;
    before.gapBytes = m_bad.address > filled ? m_bad.address - filled : 0;
    m_bad.before = std::move(before);
  }

  void readWords() {
    m_bad.wordsFrom = m_bad.address - kPointerBytes;
    const Address last = std::min(end(), m_bad.wordsFrom + kMostWords * kPointerBytes);
    std::uint64_t word = 0;
    for (Address at = m_bad.wordsFrom; at + kPointerBytes <= last && memory().tryRead(at, word); at += kPointerBytes)
      m_bad.words.push_back(word);
    m_bad.text = textIn(std::as_bytes(std::span(m_bad.words)));
  }

  void say(DamageCause cause, std::string what, std::string_view advice) {
    m_bad.cause = cause;
    m_bad.what = std::move(what);
    m_bad.advice = advice;
  }

  void judge() {
    if (m_contents.gc->structuresInvalid) {
      say(DamageCause::Collection, "Objects were being moved by a collection when the dump was taken.",
          "Take another dump; with luck not in the middle of a collection.");
      return;
    }
    if (m_contents.core->missingFileBytes > 0 || !m_contents.file->damage().empty()) {
      say(DamageCause::File, "The file is cut or damaged, so bytes of the heap are missing or wrong.", kCopyAgain);
      return;
    }
    if (m_bad.words.size() < 2) {
      say(DamageCause::File, "The dump does not hold the memory there.", kCopyAgain);
      return;
    }
    if (isPagesOfZeros()) {
      say(DamageCause::File,
          "There are whole pages of zeros, as a copy leaves them that was not finished, or a file with holes.",
          kCopyAgain);
      return;
    }
    if (const std::string right = withOneBitFlipped(); !right.empty()) {
      say(DamageCause::FlippedBit,
          fmt::format("One bit differs from {}: a bit of the machine's memory or of the file has flipped.", right),
          "Copy the file again and compare; if it is the same, test the machine's memory.");
      return;
    }
    sayProcess();
  }

  /// The zeros around the bad object begin and end with pages.
  bool isPagesOfZeros() const {
    Address from = m_bad.address, to = m_bad.address;
    std::uint64_t word = 0;
    const auto isZeroAt = [&](Address at) { return memory().tryRead(at, word) && word == 0; };
    if (!isZeroAt(from)) return false;
    const Address pageStart{from.value / kPageBytes * kPageBytes};
    while (from > pageStart && isZeroAt(from - kPointerBytes)) from = from - kPointerBytes;
    const Address pageEnd = pageStart + kPageBytes;
    while (to < pageEnd && isZeroAt(to)) to += kPointerBytes;
    return from == pageStart && to == pageEnd;
  }

  bool endsAtNext(const TypeIndex::Slot& type, std::uint32_t components) const {
    return m_bad.address + alignUp(objectSize(type.baseSize, type.componentSize, components), kPointerBytes) == end();
  }

  /// The flipped bit that would make the object fit; empty for nothing.
  std::string withOneBitFlipped() const {
    std::uint32_t components = 0;
    if (m_kind != FindingKind::HeapDamaged || !memory().tryRead(m_bad.address + kComponentsOffset, components))
      return {};
    for (unsigned bit = 0; bit < 64; ++bit) {
      const TypeIndex::Slot* type = m_heap.types.find(m_bad.words[1] ^ 1ull << bit);
      if (type && !type->freeMask && endsAtNext(*type, components))
        return "the method table of " + m_snapshot.types()[type->type].name;
    }
    const TypeIndex::Slot* type = m_heap.types.find(m_bad.words[1] & kMethodTableMask);
    if (!type || !type->componentSize) return {};
    for (unsigned bit = 0; bit < 32; ++bit) {
      const std::uint32_t right = components ^ 1u << bit;
      if (endsAtNext(*type, right)) return fmt::format("a {} of length {}", m_snapshot.types()[type->type].name, right);
    }
    return {};
  }

  void sayProcess() {
    const std::string whole =
        "All bytes that the file's headers promise are there and the heap behind makes sense, so the program itself "
        "has "
        "written over its memory. ";
    const RuntimeReaders& readers = *m_contents.readers;
    const Address methodTable{m_bad.words[1] & kMethodTableMask};
    if (readers.methodTables.isMethodTable(methodTable)) {
      std::uint32_t length = 0;
      memory().tryRead(m_bad.address + kComponentsOffset, length);
      const std::string name = readers.names.nameOf(methodTable);
      say(DamageCause::Process,
          whole + (m_kind == FindingKind::SyncBlockMismatch
                       ? fmt::format("The header of the {} at {} names a sync block that is not its own.", name,
                                     toString(m_bad.address))
                       : fmt::format("The {} at {} has a wrong length, {}.", name, toString(m_bad.address), length)),
          kAskTheProgram);
      return;
    }
    const std::string bad =
        fmt::format("An object should begin at {}, but what lies there is no method table.", toString(m_bad.address));
    const bool isBehindArray = m_bad.before && m_bad.before->length && m_bad.before->gapBytes <= kNear;
    if (isBehindArray) {
      say(DamageCause::Process,
          whole + bad +
              fmt::format(" In front of it ends the {} of length {} at {}: most likely something was written "
                          "over its end.",
                          m_bad.before->type, *m_bad.before->length, toString(m_bad.before->address)),
          kAskTheProgram);
      return;
    }
    say(DamageCause::Process, whole + bad, kAskTheProgram);
  }

  const Snapshot& m_snapshot;
  const Contents& m_contents;
  const WalkedHeap& m_heap;
  FindingKind m_kind;
  AddressRange m_segment;
  BadObject m_bad;
};

bool isAboutObject(const Finding& finding) {
  return finding.address &&
         (finding.kind == FindingKind::HeapDamaged || finding.kind == FindingKind::SyncBlockMismatch);
}

}  // namespace

std::vector<BadObject> badObjects(const Snapshot& snapshot, std::span<const Finding> findings, std::size_t most) {
  std::vector<BadObject> bad;
  if (!snapshot.contents().heap) return bad;
  std::map<Address, FindingKind> places;
  for (const Finding& finding : findings)
    if (isAboutObject(finding)) places.try_emplace(finding.address, finding.kind);
  for (const auto& [place, kind] : places) {
    if (bad.size() >= most) break;
    if (auto object = BadPlace(snapshot, place, kind).look()) bad.push_back(std::move(*object));
  }
  return bad;
}

}  // namespace heapscape::engine
