// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <type_traits>
#include <vector>

#include "base/address.h"
#include "base/bounded_reader.h"
#include "base/progress.h"
#include "base/result.h"
#include "memory/dump_file.h"
#include "memory/elf/elf_core.h"

namespace heapscape::engine {

/// Bytes of the process that lie in one piece in our memory, kept alive as long as this object.
struct MemoryView {
  Bytes bytes;
  std::shared_ptr<const void> owner;
};

class FileBackedMemory;

/// The memory of the dumped process. Bytes that the dump does not hold are missing, never zero; those of files that the
/// process had mapped may be read from the same files on disk. Safe to read from any thread.
class AddressSpace {
 public:
  AddressSpace(std::shared_ptr<const DumpFile> file, const ElfCore& core);
  /// The memory of `dump`, and what lies in files where the dump holds nothing.
  AddressSpace(const AddressSpace& dump, std::shared_ptr<const FileBackedMemory> files);

  /// Copies memory; false (and an unchanged target) if any byte of it is missing.
  bool tryRead(Address address, std::span<std::byte> target) const;

  template <class T>
  requires std::is_trivially_copyable_v<T>
  bool tryRead(Address address, T& value) const {
    const Bytes piece = prefix(address, sizeof(T));
    if (piece.size() == sizeof(T)) {
      std::memcpy(&value, piece.data(), sizeof(T));
      return true;
    }
    return tryRead(address, std::as_writable_bytes(std::span(&value, 1)));
  }

  /// Fails with NotInDump.
  template <class T>
  Result<T> read(Address address) const {
    T value{};
    if (!tryRead(address, value)) return tl::unexpected<Error>(missingAt(address));
    return value;
  }

  Result<Address> readPointer(Address address) const {
    HEAPSCAPE_TRY(const std::uint64_t value, read<std::uint64_t>(address));
    return Address{value};
  }

  /// Zero-terminated text of at most `limit` bytes.
  Result<std::string> readText(Address address, std::size_t limit = 4096) const;

  /// Bytes in one piece in a file from the address on, at most `size` bytes; empty if the first byte is missing.
  Bytes prefix(Address address, std::uint64_t size) const;

  /// The whole range in one piece: in place where the file holds it so, else mapped together or copied.
  /// Fails with NotInDump if any byte is missing.
  Result<MemoryView> view(AddressRange range) const;

  /// The parts of a range that the dump itself holds, in address order, neighbours in memory as one.
  std::vector<AddressRange> present(AddressRange range) const;
  bool holds(AddressRange range) const;
  /// Readable parts of the range, from files, too.
  std::vector<AddressRange> readable(AddressRange range) const;

  /// Whether what is read at an address comes from a file on disk rather than from the dump.
  bool isFromFile(Address address) const { return m_files && !runAt(address) && !prefixOfFile(address, 1).empty(); }
  /// Null if no files are read.
  const FileBackedMemory* files() const { return m_files.get(); }
  /// The dump, or a file that was read in its place, if others have changed it since it was opened.
  std::optional<ChangedFile> changedFile() const;
  /// How the dump was made out of another one; null for a dump that was not.
  const Redaction* redaction() const { return m_redaction.get(); }
  /// Whether what values hold is what the program had: not in a redacted copy.
  bool hasContents() const { return !m_redaction || m_redaction->hasContents; }

  /// Asks the kernel to map the pages of these ranges now, on all cores; only a matter of speed. Returns early on stop.
  void populate(std::span<const AddressRange> ranges, StageProgress& progress, std::stop_token stop) const;
  /// Asks the kernel to read these bytes of the file from disk, and does not wait for it; only a matter of speed.
  void readAhead(AddressRange range) const;

 private:
  struct Run {  // bytes that are neighbours both in memory and in the file
    AddressRange range;
    std::uint64_t fileOffset = 0;
  };

  const Run* runAt(Address address) const;
  /// The run that holds the address, or else the first one behind it.
  std::span<const Run>::iterator firstRunEndingAfter(Address address) const;
  Bytes bytesOf(const Run& run, AddressRange part) const;
  /// Calls visit(const Run&, AddressRange) with each part of the range that the dump itself holds, by address.
  template <class Visit>
  void forEachPart(AddressRange range, const Visit& visit) const;
  Bytes prefixOfFile(Address address, std::uint64_t size) const;
  Result<MemoryView> stitch(AddressRange range) const;
  Result<MemoryView> viewWithFiles(AddressRange range) const;
  Result<MemoryView> copyOf(AddressRange range) const;
  std::shared_ptr<const void> mapTogether(AddressRange range) const;
  Error missingAt(Address address) const;

  std::shared_ptr<const DumpFile> m_file;
  const std::byte* m_fileStart;
  std::shared_ptr<const std::vector<Run>> m_allRuns;
  std::span<const Run> m_runs;  // sorted by address
  std::shared_ptr<const FileBackedMemory> m_files;
  std::shared_ptr<const Redaction> m_redaction;
};

}  // namespace heapscape::engine
