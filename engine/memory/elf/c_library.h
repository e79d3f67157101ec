// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "base/enum_names.h"
#include "memory/elf/elf_core.h"

namespace heapscape::engine {

/// The C library that a dumped process ran with, which every .NET is built for one of.
enum class CLibrary : std::uint8_t { Glibc, Musl };
template <>
inline constexpr auto kEnumNames<CLibrary> = std::to_array<EnumName<CLibrary>>({{CLibrary::Glibc, "glibc"},
                                                                                {CLibrary::Musl, "musl"}});

/// By the files that the process had mapped (NT_FILE): the loader of its program, which lies where the kernel says
/// (AT_BASE), else any other by its name. musl's loader is its C library, ld-musl-x86_64.so.1, installed as libc.so and
/// libc.musl-x86_64.so.1 as well. nullopt where no file has such a name.
std::optional<CLibrary> cLibraryOf(const ElfCore& core);

}  // namespace heapscape::engine
