// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "memory/address_space.h"
#include "memory/elf_core.h"
#include "memory/file_places.h"

namespace heapscape::engine {

/// Bytes of mapped files that a dump leaves out, read from files on disk that are proven to be the same ones. Only what
/// the process cannot have changed is given out. A file is looked for when a reader first needs a byte of it, mapped
/// read-only, and never executed. Safe from any thread once all proofs are added.
class FileBackedMemory {
 public:
  /// `dump`: what the dump itself holds, for the proofs.
  FileBackedMemory(AddressSpace dump, const ElfCore& core, FilePlaces places);
  ~FileBackedMemory();
  FileBackedMemory(const FileBackedMemory&) = delete;
  FileBackedMemory& operator=(const FileBackedMemory&) = delete;

  /// Whether a file is the one that lies at an address; nothing if that cannot be told.
  using Proof = std::function<std::optional<bool>(const AddressSpace& dump, Address base, Bytes file)>;
  /// Another way to tell, for files that nothing else can tell of. By themselves ELF files are compared by build-id, PE
  /// images by their headers.
  void addProof(Proof proof);

  /// What lies in one piece in a file from the address on, at most `size` bytes; empty if none has the first byte.
  Bytes prefix(Address address, std::uint64_t size) const;
  /// The parts of a range that files have, in address order.
  std::vector<AddressRange> parts(AddressRange range) const;
  /// The file on disk that is proven to be the one at an address; nothing if there is none.
  std::optional<std::filesystem::path> fileAt(Address address) const;
  /// The first file that was read from and has been changed since; nothing if none was.
  std::optional<ChangedFile> changedFile() const;

 private:
  struct OpenedFile;

  const OpenedFile* openedAt(std::size_t library) const;
  std::unique_ptr<const OpenedFile> open(std::size_t library) const;
  bool isSame(Address base, const std::filesystem::path& path, Bytes file) const;

  struct Parts;
  std::unique_ptr<Parts> m_parts;
};

}  // namespace heapscape::engine
