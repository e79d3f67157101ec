// SPDX-License-Identifier: MIT
#include "session/open/type_paddings.h"

#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <utility>

namespace heapscape::engine {
namespace {

constexpr std::uint32_t kTypesPerPiece = 64;  // that one core reads the layouts of

}  // namespace

TypePaddings::TypePaddings(const Contents& contents, std::stop_token stop)
    : m_runtimeReaders(contents.readers),
      m_heap(contents.heap),
      m_sources(contents.layoutSources()),
      m_stop(std::move(stop)),
      m_paddings(std::make_shared<std::vector<PaddingPerInstance>>(m_heap->types.size())),
      m_bytes(std::make_shared<std::vector<std::uint64_t>>(m_heap->types.size())) {
  m_tasks.run([this] { read(); });
}

TypePaddings::~TypePaddings() {
  m_isGivenUp = true;
  m_tasks.wait();
}

void TypePaddings::read() {
  tbb::enumerable_thread_specific<InstancePaddings> readers([this] { return InstancePaddings(m_sources); });
  const auto types = static_cast<std::uint32_t>(m_paddings->size());
  tbb::parallel_for(tbb::blocked_range<std::uint32_t>(0, types, kTypesPerPiece), [&](const auto& piece) {
    for (std::uint32_t i = piece.begin(); i < piece.end() && !m_isGivenUp && !m_stop.stop_requested(); ++i)
      readOne(readers.local(), i);
  });
}

void TypePaddings::readOne(InstancePaddings& reader, std::uint32_t type) {
  if (m_heap->types.shape({type}).isFree) return;
  const auto read = reader.of(m_heap->types.methodTable({type}));
  if (read) {
    (*m_paddings)[type] = *read;
    (*m_bytes)[type] = read->ofObject * m_heap->counts.count[type] + read->ofElement * m_heap->counts.components[type];
  } else if (read.error().code != ErrorCode::NotFound) {  // as of types that the compiler made for itself
    const std::lock_guard lock(m_mutex);
    m_failures.emplace(type, read.error().what);
  }
}

Outcome<void> TypePaddings::finish(Contents& contents, StageProgress& progress) {
  m_tasks.wait();
  progress.report(1);  // whoever hears it may stop what follows
  if (m_stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
  for (const auto& [type, why] : m_failures) {
    contents.findings.add(FindingKind::LayoutMismatch, m_heap->types.methodTable({type}),
                          "The padding of " + (*contents.types)[type].name + " is not counted: " + why);
  }
  contents.paddings = std::move(m_paddings);
  contents.typePaddingBytes = std::move(m_bytes);
  return {};
}

}  // namespace heapscape::engine
