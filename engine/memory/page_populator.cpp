// SPDX-License-Identifier: MIT
#include "memory/page_populator.h"

#include <sys/mman.h>
#include <tbb/parallel_for.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>

namespace heapscape::engine {

namespace {

// Small enough that a stop is answered soon even when the disk has to be read.
constexpr std::uintptr_t kBlockBytes = 4 << 20;

struct PageRange {
  std::uintptr_t start = 0;
  std::uintptr_t end = 0;
};

std::uintptr_t ownPageBytes() {
  static const auto size = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  return size;
}

/// Whole pages, each once, in blocks.
std::vector<PageRange> blocksOf(std::vector<Bytes> pieces) {
  std::ranges::sort(pieces, {}, [](const Bytes& piece) { return piece.data(); });
  std::vector<PageRange> blocks;
  std::uintptr_t done = 0;
  for (const Bytes& piece : pieces) {
    if (piece.empty()) continue;
    const auto first = reinterpret_cast<std::uintptr_t>(piece.data());
    std::uintptr_t start = std::max(done, first - first % ownPageBytes());
    const std::uintptr_t end = (first + piece.size() + ownPageBytes() - 1) / ownPageBytes() * ownPageBytes();
    while (start < end) {
      const bool extends = !blocks.empty() && blocks.back().end == start;
      if (!extends || start - blocks.back().start >= kBlockBytes) blocks.push_back({start, start});
      blocks.back().end = std::min(end, blocks.back().start + kBlockBytes);
      start = blocks.back().end;
    }
    done = std::max(done, end);
  }
  return blocks;
}

// What kernels before 5.14 have instead: a fault maps the pages around it as well (fault_around_bytes).
constexpr std::uintptr_t kFaultAroundBytes = 64 << 10;

void populateBlock(PageRange block) {
  if (::madvise(reinterpret_cast<void*>(block.start), block.end - block.start, MADV_POPULATE_READ) == 0) return;
  for (std::uintptr_t page = block.start; page < block.end; page = (page / kFaultAroundBytes + 1) * kFaultAroundBytes) {
    static_cast<void>(*reinterpret_cast<const volatile std::byte*>(page));
  }
}

}  // namespace

void populatePages(std::vector<Bytes> pieces, StageProgress& progress, std::stop_token stop) {
  const std::vector<PageRange> blocks = blocksOf(std::move(pieces));
  std::atomic<std::size_t> done = 0;
  const std::thread::id caller = std::this_thread::get_id();
  const auto populate = [&](std::size_t index) {
    if (stop.stop_requested()) return;
    populateBlock(blocks[index]);
    const std::size_t count = done.fetch_add(1, std::memory_order_relaxed) + 1;
    if (std::this_thread::get_id() == caller) {
      progress.report(static_cast<double>(count) / static_cast<double>(blocks.size()));
    }
  };
  tbb::parallel_for(std::size_t{0}, blocks.size(), populate, tbb::simple_partitioner());
  if (!stop.stop_requested()) progress.report(1);
}

void readPagesAhead(Bytes piece) {
  if (piece.empty()) return;
  const auto first = reinterpret_cast<std::uintptr_t>(piece.data());
  const std::uintptr_t start = first - first % ownPageBytes();
  ::madvise(reinterpret_cast<void*>(start), first + piece.size() - start, MADV_WILLNEED);
}

}  // namespace heapscape::engine
