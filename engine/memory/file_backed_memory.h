// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/enum_names.h"
#include "memory/address_space.h"
#include "memory/elf/elf_core.h"
#include "memory/elf/image_extents.h"
#include "memory/files/file_places.h"

namespace heapscape::engine {

/// Proof that a file on disk is the one that the process had mapped.
enum class FileIdentity : std::uint8_t {
  BuildId,        // of an ELF file: the linker's hash of its contents
  Headers,        // of a PE image, which have a hash of the contents where the compiler is deterministic
  NativeCode,     // place, size and entries of the code that the runtime has noted about the image
  Mvid,           // of an assembly, in the list of the composite image that has its native code
  MetadataShape,  // place, size and rows of all tables, and hashes of all type names, that the runtime has noted
};
template <>
inline constexpr auto kEnumNames<FileIdentity> =
    std::to_array<EnumName<FileIdentity>>({{FileIdentity::BuildId, "buildId"},
                                           {FileIdentity::Headers, "headers"},
                                           {FileIdentity::NativeCode, "nativeCode"},
                                           {FileIdentity::Mvid, "mvid"},
                                           {FileIdentity::MetadataShape, "metadataShape"}});

/// An image that the runtime had loaded, of which the list of mapped files does not say what lies there.
struct LoadedImage {
  AddressRange range;
  std::string path;     // of its file, which need not exist; empty if only its place in the program is known
  std::string program;  // the single-file program that has it inside; empty if there is none
  /// Parts of the program's file that are mapped there; if there are none, the image is its file, byte by byte.
  std::vector<MappedFile> mappings;
};

/// Bytes of mapped files that a dump leaves out, read from files on disk that are proven to be the same ones. Only what
/// the process cannot have changed is given out. A file is looked for when a reader first needs a byte of it, mapped
/// read-only, and never executed. Safe from any thread once all proofs and images are added.
class FileBackedMemory {
 public:
  /// `dump`: what the dump itself holds, for the proofs.
  FileBackedMemory(AddressSpace dump, const ElfCore& core, FilePlaces places);
  ~FileBackedMemory();
  FileBackedMemory(const FileBackedMemory&) = delete;
  FileBackedMemory& operator=(const FileBackedMemory&) = delete;

  /// Whether a file is the one that lies at an address; nothing if that cannot be told.
  using Proof = std::function<std::optional<bool>(const AddressSpace& dump, Address base, Bytes file)>;
  /// Another way to tell, for files that nothing before it can tell of. By themselves ELF files are compared by
  /// build-id, PE images by their headers.
  void addProof(FileIdentity identity, Proof proof);
  /// Parts of a PE image that nobody writes to, though it may lie in a section that can be written to. For images that
  /// are read from later on.
  using ConstantParts = std::function<std::vector<ImagePart>(Bytes file)>;
  void setConstantParts(ConstantParts parts);
  /// Images beside those of the dump's list of mapped files.
  void addImages(std::span<const LoadedImage> images);

  /// Bytes in one piece in a file from the address on, at most `size` bytes; empty if none has the first byte.
  Bytes prefix(Address address, std::uint64_t size) const;
  /// The parts of a range that files have, in address order.
  std::vector<AddressRange> parts(AddressRange range) const;
  /// Where a pointer in an image leads: the one that its file has at that place, moved by the loader to where the
  /// process has the image. For what the process does not write to. Returns nullopt if no file is proven to be the one
  /// there, or if it lists no such pointer.
  std::optional<Address> relocatedPointer(Address address) const;
  /// The file on disk that is proven to be the one at an address; nullopt if there is none.
  std::optional<std::filesystem::path> fileAt(Address address) const;
  /// Files on this machine that may be the one of a path in the dump, the likeliest first. Nothing proves any of them,
  /// and they need not exist.
  std::vector<std::filesystem::path> candidatesFor(const std::string& recordedPath) const;
  /// The first file that was read from and has been changed since; nullopt if none was.
  std::optional<ChangedFile> changedFile() const;
  /// How it was proven.
  std::optional<FileIdentity> identityAt(Address address) const;
  /// Files that were found for what lies at an address, and are not used.
  struct RefusedFile {
    std::filesystem::path path;
    bool isOther = false;  // known to be another build; else nothing tells
  };
  std::vector<RefusedFile> refusedAt(Address address) const;

 private:
  struct OpenedFile;
  struct Library;
  struct Parts;

  const Library* libraryAt(Address address) const;
  const OpenedFile* openedFile(const Library& library) const;

  std::unique_ptr<Parts> m_parts;
};

}  // namespace heapscape::engine
