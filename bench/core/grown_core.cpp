// SPDX-License-Identifier: MIT
#include "core/grown_core.h"

#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "base/bounded_reader.h"
#include "session/snapshot/contents.h"

namespace heapscape::bench {

namespace {

using engine::kPageBytes;

constexpr std::size_t kRecordBytes = 256;  // of a heap_segment, and what may come behind it

}  // namespace

GrownCore::GrownCore(const TemplateHeap& from, const std::string& path)
    : m_from(from), m_file(::open(path.c_str(), O_CREAT | O_TRUNC | O_RDWR | O_CLOEXEC, 0600)) {
  if (m_file < 0) fail(fmt::format("{}: {}", path, std::strerror(errno)));
  std::uint64_t lastRegion = 0;
  for (const engine::Segment& segment : *from.contents().segments) {
    if (segment.kind != engine::SegmentKind::Frozen) lastRegion = std::max(lastRegion, segment.reservedEnd.value);
  }
  // Room that nothing else has, up to where the stacks lie: the first gap that takes the largest heap.
  constexpr std::uint64_t kRoomBytes = 64ull << 30;
  m_nextRegion = engine::alignUp(lastRegion, kLargeRegionBytes);
  for (const engine::LoadSegment& load : from.contents().core->loads) {
    m_old.push_back({load.range.start.value, load.fileBytes, load.fileOffset});
    if (load.range.end.value > m_nextRegion && load.range.start.value < m_nextRegion + kRoomBytes)
      m_nextRegion = engine::alignUp(load.range.end.value, kLargeRegionBytes);
  }
  copyTemplate();
}

GrownCore::~GrownCore() {
  ::close(m_file);
}

void GrownCore::copyTemplate() {
  const engine::Bytes all = m_from.contents().file->bytes();
  write(0, all);
  m_fileBytes = engine::alignUp(all.size(), kPageBytes);
}

// Pages of zeros are left as holes, which the file is lengthened by in the end.
void GrownCore::write(std::uint64_t fileOffset, std::span<const std::byte> bytes) const {
  const auto pageAt = [&](std::size_t at) {
    return bytes.subspan(at, std::min<std::size_t>(kPageBytes, bytes.size() - at));
  };
  for (std::size_t at = 0; at < bytes.size();) {
    std::size_t end = at;
    while (end < bytes.size() && !engine::areZero(pageAt(end))) end = std::min(end + kPageBytes, bytes.size());
    while (at < end) {
      const ssize_t written = ::pwrite(m_file, bytes.data() + at, end - at, static_cast<off_t>(fileOffset + at));
      if (written < 0) fail(std::strerror(errno));
      at += static_cast<std::size_t>(written);
    }
    at += kPageBytes;
  }
}

GrownCore::Piece GrownCore::append(std::uint64_t address, std::span<const std::byte> bytes) {
  const Piece piece{address, engine::alignUp(bytes.size(), kPageBytes), m_fileBytes};
  write(piece.fileOffset, bytes);
  m_fileBytes += piece.bytes;
  return piece;
}

void GrownCore::addRegion(std::span<const std::byte> used, std::uint64_t reservedBytes, bool isLarge) {
  m_new.push_back(append(m_nextRegion, used));
  m_regions.push_back({m_nextRegion, m_nextRegion + used.size(), m_nextRegion + reservedBytes, isLarge});
  m_nextRegion += reservedBytes;
}

void GrownCore::patchBytes(std::uint64_t address, std::span<const std::byte> bytes) {
  const std::vector<Piece>& pieces = m_new.empty() || address < m_new.front().address ? m_old : m_new;
  const auto behind = std::ranges::upper_bound(pieces, address, {}, &Piece::address);
  if (behind == pieces.begin() || address + bytes.size() > behind[-1].address + behind[-1].bytes)
    fail("There is no memory to be changed at " + engine::toString(engine::Address{address}) + ".");
  if (::pwrite(m_file, bytes.data(), bytes.size(),
               static_cast<off_t>(behind[-1].fileOffset + address - behind[-1].address)) < 0)
    fail(std::strerror(errno));
}

void GrownCore::link(std::size_t generation, std::span<const Region> regions, std::vector<std::byte>& records,
                     std::uint64_t recordsAt) {
  const std::uint64_t last = m_from.lastSegment(generation);
  const engine::Bytes like = m_from.bytes(last, kRecordBytes);
  std::uint64_t before = last;
  for (const Region& region : regions) {
    const std::size_t at = records.size();
    records.insert(records.end(), like.begin(), like.end());
    const auto set = [&](const char* field, std::uint64_t value) {
      std::memcpy(records.data() + at + m_from.segmentField(field), &value, sizeof value);
    };
    set("Allocated", region.end);
    set("Committed", engine::alignUp(region.end, kPageBytes));
    set("Reserved", region.reserved);
    set("Mem", region.start + m_from.firstObjectOffset());
    set("Next", 0);
    const std::uint64_t next = recordsAt + at;
    const std::size_t place = m_from.segmentField("Next");
    if (before == last) {
      patch(before + place, next);
    } else {
      std::memcpy(records.data() + (before - recordsAt) + place, &next, sizeof next);
    }
    before = next;
  }
}

void GrownCore::finish() {
  std::vector<Region> small, large;
  for (const Region& region : m_regions) (region.isLarge ? large : small).push_back(region);
  const std::size_t young = small.size() / 10;
  const std::span<const Region> all(small);
  std::vector<std::byte> records;
  const std::uint64_t at = m_nextRegion;
  link(2, all.first(all.size() - young), records, at);
  link(1, all.last(young).first(young / 4), records, at);
  link(0, all.last(young).subspan(young / 4), records, at);
  link(3, large, records, at);
  m_new.push_back(append(at, records));
  writeHeaders();
}

void GrownCore::writeHeaders() const {
  const engine::Bytes old = m_from.contents().file->bytes();
  Elf64_Ehdr header;
  std::memcpy(&header, old.data(), sizeof header);
  std::vector<Elf64_Phdr> table(header.e_phnum);
  std::memcpy(table.data(), old.data() + header.e_phoff, table.size() * sizeof(Elf64_Phdr));
  for (const Piece& piece : m_new) {
    table.push_back({.p_type = PT_LOAD,
                     .p_flags = PF_R | PF_W,
                     .p_offset = piece.fileOffset,
                     .p_vaddr = piece.address,
                     .p_paddr = 0,
                     .p_filesz = piece.bytes,
                     .p_memsz = piece.bytes,
                     .p_align = kPageBytes});
  }
  if (table.size() >= PN_XNUM) fail("There are more regions than a core file's header can count.");
  std::ranges::stable_sort(table, {}, [](const Elf64_Phdr& one) { return one.p_type == PT_LOAD ? one.p_vaddr : 0; });
  header.e_phoff = m_fileBytes;
  header.e_phnum = static_cast<Elf64_Half>(table.size());
  const auto put = [this](std::uint64_t at, const void* from, std::size_t size) {
    if (::pwrite(m_file, from, size, static_cast<off_t>(at)) != static_cast<ssize_t>(size)) fail(std::strerror(errno));
  };
  put(header.e_phoff, table.data(), table.size() * sizeof(Elf64_Phdr));
  put(0, &header, sizeof header);
}

}  // namespace heapscape::bench
