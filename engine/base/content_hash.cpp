// SPDX-License-Identifier: MIT
#include "base/content_hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace heapscape::engine {

std::uint64_t hashOf(Bytes bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

Hash128 hash128Of(Bytes bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.low64, hash.high64};
}

struct ContentHash::State {
  XXH3_state_t hash;
};

ContentHash::ContentHash() : m_state(std::make_unique<State>()) {
  XXH3_128bits_reset(&m_state->hash);
}

ContentHash::~ContentHash() = default;

ContentHash& ContentHash::add(Bytes bytes) {
  const std::uint64_t size = bytes.size();
  XXH3_128bits_update(&m_state->hash, &size, sizeof(size));
  XXH3_128bits_update(&m_state->hash, bytes.data(), bytes.size());
  return *this;
}

Hash128 ContentHash::finish() const {
  const XXH128_hash_t hash = XXH3_128bits_digest(&m_state->hash);
  return {hash.low64, hash.high64};
}

}  // namespace heapscape::engine
