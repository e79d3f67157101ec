// SPDX-License-Identifier: MIT
#include "memory/guarded_mapping.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <array>
#include <cerrno>
#include <csignal>
#include <mutex>
#include <utility>

#include "base/large_array.h"

namespace heapscape::engine {

/// Free while its end is 0.
struct GuardedMapping::Slot {
  std::atomic<std::uintptr_t> start = 0;
  std::atomic<std::uintptr_t> end = 0;
  std::atomic<std::atomic<bool>*> lost = nullptr;
};

namespace {

template <class Slot>
struct Block {
  std::array<Slot, 256> slots;
  std::atomic<Block*> next = nullptr;
};

}  // namespace

/// All guarded mappings of the program, in a form that a signal handler may read: blocks that are never freed.
class MappingGuard {
 public:
  using Slot = GuardedMapping::Slot;

  static Slot* add(std::uintptr_t start, std::uintptr_t end, std::atomic<bool>* lost) {
    static std::once_flag installed;
    std::call_once(installed, &install);
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    Slot& slot = freeSlot();
    slot.lost.store(lost);
    slot.start.store(start);
    slot.end.store(end);
    return &slot;
  }

  static void remove(Slot& slot) {
    slot.end.store(0);
    slot.start.store(0);
  }

 private:
  static Slot& freeSlot() {
    for (Block<Slot>* block = &firstBlock;; block = block->next.load()) {
      for (Slot& slot : block->slots) {
        if (slot.end.load() == 0) return slot;
      }
      if (!block->next.load()) block->next.store(new Block<Slot>);
    }
  }

  static void install() {
    pageBytes = hostPageBytes();
    struct sigaction action {};
    action.sa_sigaction = &handle;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    ::sigaction(SIGBUS, &action, &previous);
  }

  /// Only what is safe in a signal handler: lock-free atomics and system calls.
  static void handle(int signal, siginfo_t* info, void* context) {
    const int error = errno;
    const bool isCovered = info->si_code == BUS_ADRERR && cover(reinterpret_cast<std::uintptr_t>(info->si_addr));
    errno = error;
    if (!isCovered) passOn(signal, info, context);
  }

  static bool cover(std::uintptr_t fault) {
    for (Block<Slot>* block = &firstBlock; block; block = block->next.load()) {
      for (Slot& slot : block->slots) {
        const std::uintptr_t end = slot.end.load();
        if (fault >= end || fault < slot.start.load()) continue;
        slot.lost.load()->store(true);
        const std::uintptr_t page = fault - fault % pageBytes;
        // The system call itself: sanitizers put code around mmap that is not made for handlers.
        const auto mapped = static_cast<std::uintptr_t>(::syscall(
            SYS_mmap, page, end - page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0));
        return mapped == page;
      }
    }
    return false;
  }

  static void passOn(int signal, siginfo_t* info, void* context) {
    if ((previous.sa_flags & SA_SIGINFO) != 0 && previous.sa_sigaction) {
      previous.sa_sigaction(signal, info, context);
    } else if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN) {
      previous.sa_handler(signal);
    } else {
      // The access is done again when this returns, and ends the program as it would have without us.
      ::signal(signal, SIG_DFL);
    }
  }

  static constinit inline Block<Slot> firstBlock{};
  static constinit inline std::uintptr_t pageBytes = 4096;
  static constinit inline struct sigaction previous {};
};

static_assert(std::atomic<std::uintptr_t>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

GuardedMapping::GuardedMapping(const void* start, std::size_t size, LostPages lost) : m_lost(std::move(lost)) {
  const auto first = reinterpret_cast<std::uintptr_t>(start);
  m_slot = MappingGuard::add(first, first + size, m_lost.get());
}

GuardedMapping::GuardedMapping(GuardedMapping&& other) noexcept
    : m_slot(std::exchange(other.m_slot, nullptr)), m_lost(std::move(other.m_lost)) {}

GuardedMapping& GuardedMapping::operator=(GuardedMapping&& other) noexcept {
  std::swap(m_slot, other.m_slot);
  std::swap(m_lost, other.m_lost);
  return *this;
}

GuardedMapping::~GuardedMapping() {
  if (m_slot) MappingGuard::remove(*m_slot);
}

FileWatch::FileWatch(int descriptor) : m_descriptor(descriptor) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) return;
  m_sizeBytes = status.st_size;
  m_written = status.st_mtim;
}

FileChange FileWatch::change() const {
  if (m_lost->load()) return FileChange::Shortened;
  struct stat status {};
  if (::fstat(m_descriptor, &status) != 0) return FileChange::None;
  // A part of a page that is gone reads as zeros and raises no signal.
  if (status.st_size < m_sizeBytes) return FileChange::Shortened;
  const bool isWritten = status.st_size != m_sizeBytes || status.st_mtim.tv_sec != m_written.tv_sec ||
                         status.st_mtim.tv_nsec != m_written.tv_nsec;
  return isWritten ? FileChange::Written : FileChange::None;
}

}  // namespace heapscape::engine
