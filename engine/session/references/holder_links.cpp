// SPDX-License-Identifier: MIT
#include "session/references/holder_links.h"

namespace heapscape::engine {

HolderLinks::HolderLinks(const Contents& contents, const ReverseReferences& reverse, const PathIndex& index)
    : m_contents(contents),
      m_reverse(reverse),
      m_index(index),
      m_types(contents.typesOfObjects()),
      m_ends(contents.heap->index.objectCount()) {}

HolderLink HolderLinks::linkOf(std::uint32_t object, HeapReader& reader) const {
  HolderLink link;
  link.holder = nearerHolder(m_index.distances, m_reverse, object);
  link.type = typeOf(link.holder);
  link.field = fieldOf(link, object, reader);
  return link;
}

std::uint32_t HolderLinks::fieldOf(const HolderLink& link, std::uint32_t object, HeapReader& reader) const {
  const TypeId type{link.type};
  if (type.isNone()) return HolderLink::kHandle;
  if (m_contents.typeReferences->isArray(type)) return HolderLink::kElement;
  const Address holder = m_contents.heap->index.addressOf({link.holder});
  const std::uint64_t bytes = alignUp(m_contents.heap->types.shape(type).baseSize, 8);
  std::uint32_t field = HolderLink::kHandle;
  m_contents.typeReferences->placesOf(type).forEachPlace(bytes, [&](std::uint64_t offset) {
    Address target;
    if (field == HolderLink::kHandle && reader.tryRead(holder + offset, target) &&
        m_contents.heap->index.idOf(target).value == object)
      field = static_cast<std::uint32_t>(offset);
  });
  return field;
}

std::uint32_t HolderLinks::endOfRun(std::uint32_t object, const HolderLink& link, HeapReader& reader) {
  const std::size_t first = m_followed.size();
  std::uint32_t end = object;
  while (!m_ends[end]) {
    m_followed.push_back(end);
    if (isRooted(end)) break;
    const HolderLink next = linkOf(end, reader);
    if (!next.isAlike(link)) break;
    end = next.holder;
  }
  if (m_ends[end]) end = m_ends[end] - 1;
  for (std::size_t i = first; i < m_followed.size(); ++i) m_ends[m_followed[i]] = end + 1;
  return end;
}

void HolderLinks::forgetRuns() {
  for (const std::uint32_t object : m_followed) m_ends[object] = 0;
  m_followed.clear();
}

}  // namespace heapscape::engine
