// SPDX-License-Identifier: MIT
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

namespace heapscape::engine {

/// Zeros for very many elements of which few are ever written: each takes memory by the small page. For what most
/// objects do not have, and those that do have lie side by side.
template <class T>
requires std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>
class SparseArray {
 public:
  SparseArray() = default;
  /// Throws std::bad_alloc if the address space is exhausted.
  explicit SparseArray(std::size_t size) {
    if (size == 0) return;
    if (size > SIZE_MAX / sizeof(T)) throw std::bad_alloc();
    void* const mapping =
        ::mmap(nullptr, size * sizeof(T), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapping == MAP_FAILED) throw std::bad_alloc();
    m_data = static_cast<T*>(mapping);
    m_size = size;
    // Huge pages would be taken whole.
    ::madvise(mapping, size * sizeof(T), MADV_NOHUGEPAGE);
  }
  SparseArray(SparseArray&& other) noexcept
      : m_data(std::exchange(other.m_data, nullptr)), m_size(std::exchange(other.m_size, 0)) {}
  SparseArray& operator=(SparseArray&& other) noexcept {
    std::swap(m_data, other.m_data);
    std::swap(m_size, other.m_size);
    return *this;
  }
  ~SparseArray() {
    if (m_data) ::munmap(m_data, m_size * sizeof(T));
  }

  [[gnu::always_inline]] T& operator[](std::size_t i) { return m_data[i]; }
  [[gnu::always_inline]] const T& operator[](std::size_t i) const { return m_data[i]; }

 private:
  T* m_data = nullptr;
  std::size_t m_size = 0;
};

}  // namespace heapscape::engine
