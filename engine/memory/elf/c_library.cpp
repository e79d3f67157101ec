// SPDX-License-Identifier: MIT
#include "memory/elf/c_library.h"

#include <elf.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "memory/files/recorded_path.h"

namespace heapscape::engine {
namespace {

std::optional<CLibrary> byName(std::string_view path) {
  const std::string name = fileNameOf(path);
  const auto begins = [&](std::string_view with) { return name.starts_with(with); };
  // A file that was replaced while it was mapped has something behind its name.
  if (begins("ld-musl-") || begins("libc.musl-") || name == "libc.so" || begins("libc.so ")) return CLibrary::Musl;
  // Until 2.33 the files are called by the release, and what programs ask for are links to them.
  if (begins("ld-linux") || begins("libc.so.6") || begins("ld-2.") || begins("libc-2.")) return CLibrary::Glibc;
  return std::nullopt;
}

}  // namespace

std::optional<CLibrary> cLibraryOf(const ElfCore& core) {
  const auto base = std::ranges::find(core.auxiliaryVector, std::uint64_t{AT_BASE}, &AuxiliaryEntry::type);
  std::optional<CLibrary> found;
  for (const MappedFile& file : core.files) {
    const auto named = byName(file.path);
    if (!named) continue;
    if (base != core.auxiliaryVector.end() && file.range.contains({base->value})) return named;
    // Layers that run programs of glibc on musl bring a loader of glibc's name.
    if (found != CLibrary::Musl) found = named;
  }
  return found;
}

}  // namespace heapscape::engine
