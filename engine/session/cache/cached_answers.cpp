// SPDX-License-Identifier: MIT
#include "session/cache/cached_answers.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "session/cache/dump_digest.h"
#include "session/cache/file_changes.h"

namespace heapscape::engine {
namespace {

/// By path and choice of roots, so that what is kept of a dump takes the place of what was kept of an older one there.
std::string nameFor(const std::filesystem::path& path, const RootOptions& options) {
  ContentHash hash;
  hash.add(path.native()).add(options.includeStacks).add(options.includeInexact);
  const Hash128 name = hash.finish();
  return fmt::format("{:016x}{:016x}", name.high, name.low);
}

const char* endingOf(CachedPart part) {
  switch (part) {
    case CachedPart::Retained:
      return "retained";
    case CachedPart::Types:
      return "types";
    case CachedPart::Insights:
      break;
  }
  return "insights";
}

std::unique_ptr<const Contents> withoutAnswers(const Contents& contents) {
  auto copy = std::make_unique<Contents>(contents);
  copy->graph.reset();
  copy->reverse.reset();
  copy->retention.reset();
  copy->cached.reset();
  // What is made of a later snapshot holds that, and with it these answers: a circle that nothing would ever free.
  const Contents fresh;
  copy->objectTypes = fresh.objectTypes;
  copy->locks = fresh.locks;
  copy->stacks = fresh.stacks;
  copy->declaredLayouts = fresh.declaredLayouts;
  return copy;
}

}  // namespace

std::shared_ptr<const CachedAnswers> CachedAnswers::of(std::shared_ptr<const AnswerCache> cache,
                                                       const Contents& contents, const RootOptions& options,
                                                       const RootList& roots) {
  std::error_code error;
  const std::filesystem::path path = std::filesystem::canonical(contents.file->path(), error);
  if (error) return nullptr;
  return std::shared_ptr<const CachedAnswers>(
      new CachedAnswers(std::move(cache), contents, nameFor(path, options), digestOf(options, roots)));
}

CachedAnswers::CachedAnswers(std::shared_ptr<const AnswerCache> cache, const Contents& contents, std::string name,
                             const Hash128& roots)
    : m_cache(std::move(cache)), m_contents(withoutAnswers(contents)), m_name(std::move(name)), m_roots(roots) {}

std::string CachedAnswers::nameOf(CachedPart part) const {
  return fmt::format("{}.{}", m_name, endingOf(part));
}

const Hash128& CachedAnswers::digest() const {
  if (!m_digest) m_digest = digestOf(*m_contents, m_roots);
  return *m_digest;
}

std::shared_ptr<const CacheFile> CachedAnswers::find(CachedPart part) const {
  if (!mayHave(part)) return nullptr;
  const std::lock_guard lock(m_mutex);
  return m_cache->find(nameOf(part), digest());
}

void CachedAnswers::noteUsed() const {
  const std::lock_guard lock(m_mutex);
  m_isUsed = true;
}

void CachedAnswers::keepLater(CachedPart part, double seconds, CacheContents contents) const {
  const std::lock_guard lock(m_mutex);
  if (seconds >= m_cache->limits().leastSeconds) m_isUsed = true;
  if (m_isUsed) m_waiting.insert_or_assign(part, std::move(contents));
}

bool CachedAnswers::isWaiting() const {
  const std::lock_guard lock(m_mutex);
  return !m_waiting.empty();
}

// Whoever asks for another part meanwhile does not wait until this one is written.
Outcome<void> CachedAnswers::write(const std::stop_token& stop) const {
  std::map<CachedPart, CacheContents> waiting;
  Hash128 about;
  {
    const std::lock_guard lock(m_mutex);
    waiting.swap(m_waiting);
    if (!waiting.empty()) about = digest();
  }
  for (const auto& [part, contents] : waiting) {
    if (const auto changed = FileChanges(m_contents->memory).error()) return tl::unexpected(Unfinished(*changed));
    HEAPSCAPE_CHECK(m_cache->keep(nameOf(part), about, contents, stop));
  }
  return {};
}

}  // namespace heapscape::engine
