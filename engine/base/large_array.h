// SPDX-License-Identifier: MIT
#pragma once

#include <sys/mman.h>
#include <unistd.h>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

#include "base/address.h"

namespace heapscape::engine {

/// Bytes of a page of the machine that this runs on: 4096 on x64, on arm64 up to 65536 (kPageBytes is the dump's).
inline std::size_t hostPageBytes() {
  static const auto bytes = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return bytes;
}

/// Which pages memory is taken in: huge ones, where the kernel has them, or small ones, for what lies here and there
/// and leaves most pages untouched.
enum class PageSize : std::uint8_t { Huge, Small };

/// Zeroed memory for very many elements, a page of it taken only when first written to, in huge pages unless told
/// otherwise. For arrays with an element an object: memory grows with use, and random access misses fewer page tables.
template <class T>
requires std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>
class LargeArray {
 public:
  LargeArray() = default;
  /// Throws std::bad_alloc if the address space is exhausted.
  explicit LargeArray(std::size_t size, PageSize pages = PageSize::Huge) : m_size(size) {
    if (size == 0) return;
    if (size > (SIZE_MAX - 2 * kHugePageBytes) / sizeof(T)) throw std::bad_alloc();
    m_mappedBytes = (size * sizeof(T) + kHugePageBytes - 1) / kHugePageBytes * kHugePageBytes + kHugePageBytes;
    m_mapping =
        ::mmap(nullptr, m_mappedBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (m_mapping == MAP_FAILED) throw std::bad_alloc();
    const auto start = (reinterpret_cast<std::size_t>(m_mapping) + kHugePageBytes - 1) & ~(kHugePageBytes - 1);
    m_data = reinterpret_cast<T*>(start);
    ::madvise(m_data, m_mappedBytes - kHugePageBytes, pages == PageSize::Huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
  }
  /// Elements that lie elsewhere, as in a mapped file, and stay longer than this array; never to be written to.
  static LargeArray viewOf(std::span<const T> elements) {
    LargeArray view;
    view.m_data = const_cast<T*>(elements.data());
    view.m_size = elements.size();
    return view;
  }
  LargeArray(LargeArray&& other) noexcept { swap(other); }
  LargeArray& operator=(LargeArray&& other) noexcept {
    LargeArray(std::move(other)).swap(*this);
    return *this;
  }
  ~LargeArray() {
    if (m_mapping) ::munmap(m_mapping, m_mappedBytes);
  }

  /// Takes the memory for these elements now, from any thread, so that whoever writes to them first need not wait until
  /// the kernel has cleared it. Only a matter of speed; what was written stays.
  void populate(std::size_t first, std::size_t count) const {
    const auto begin = reinterpret_cast<std::size_t>(m_data + first) / hostPageBytes() * hostPageBytes();
    const auto end = reinterpret_cast<std::size_t>(m_data + std::min(first + count, m_size));
    if (begin < end) ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_POPULATE_WRITE);
  }

  /// Gives back the memory of these elements, as far as they fill pages; they must not be used any more.
  void discard(std::size_t first, std::size_t count) {
    const auto begin =
        (reinterpret_cast<std::size_t>(m_data + first) + hostPageBytes() - 1) / hostPageBytes() * hostPageBytes();
    const auto end = reinterpret_cast<std::size_t>(m_data + first + count) / hostPageBytes() * hostPageBytes();
    if (begin < end) ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
  }

  [[gnu::always_inline]] T& operator[](std::size_t i) { return m_data[i]; }
  [[gnu::always_inline]] const T& operator[](std::size_t i) const { return m_data[i]; }
  T* data() { return m_data; }
  const T* data() const { return m_data; }
  /// This memory for other elements of that size, with its content: the kernel would clear new memory.
  template <class U>
  LargeArray<U> reuse() && {
    static_assert(sizeof(U) == sizeof(T) && alignof(U) <= alignof(T));
    LargeArray<U> other;
    other.m_data = reinterpret_cast<U*>(std::exchange(m_data, nullptr));
    other.m_size = std::exchange(m_size, 0);
    other.m_mapping = std::exchange(m_mapping, nullptr);
    other.m_mappedBytes = std::exchange(m_mappedBytes, 0);
    return other;
  }

  /// This memory as two arrays of half as many bytes, with whatever it holds.
  template <class U>
  std::pair<LargeArray<U>, LargeArray<U>> split() && {
    static_assert(2 * sizeof(U) == sizeof(T) && alignof(U) <= alignof(T));
    std::pair<LargeArray<U>, LargeArray<U>> halves;
    if (!m_mapping) return halves;
    const auto start = reinterpret_cast<std::size_t>(m_mapping);
    const auto data = reinterpret_cast<std::size_t>(m_data);
    // There is a page behind the elements, since the mapping was made larger by a huge page than they need.
    const std::size_t middle = (data + m_size * sizeof(U) + hostPageBytes() - 1) / hostPageBytes() * hostPageBytes();
    halves.first.m_data = reinterpret_cast<U*>(data);
    halves.first.m_mapping = std::exchange(m_mapping, nullptr);
    halves.first.m_mappedBytes = middle - start;
    halves.second.m_data = reinterpret_cast<U*>(middle);
    halves.second.m_mapping = reinterpret_cast<void*>(middle);
    halves.second.m_mappedBytes = start + m_mappedBytes - middle;
    halves.first.m_size = halves.second.m_size = std::exchange(m_size, 0);
    m_data = nullptr;
    return halves;
  }

  std::size_t size() const { return m_size; }
  /// Gives up the elements behind the first `size`.
  void truncate(std::size_t size) { m_size = size; }
  std::span<const T> elements() const { return {m_data, m_size}; }
  /// If every element has been written to.
  std::size_t memoryBytes() const { return m_size * sizeof(T); }

 private:
  template <class U>
  requires std::is_trivially_copyable_v<U> && std::is_trivially_destructible_v<U>
  friend class LargeArray;

  static constexpr std::size_t kHugePageBytes = std::size_t{2} << 20;

  void swap(LargeArray& other) noexcept {
    std::swap(m_data, other.m_data);
    std::swap(m_size, other.m_size);
    std::swap(m_mapping, other.m_mapping);
    std::swap(m_mappedBytes, other.m_mappedBytes);
  }

  T* m_data = nullptr;
  std::size_t m_size = 0;
  void* m_mapping = nullptr;
  std::size_t m_mappedBytes = 0;
};

/// Has malloc take every large block from the kernel by itself and give it back once it is freed. glibc does so only
/// until the first of them is freed; from then on they lie among small ones, which keep the memory of those freed. For
/// the start of a program that computes and ends: a window paints into large blocks all the time.
void giveBackLargeBlocks();

}  // namespace heapscape::engine
