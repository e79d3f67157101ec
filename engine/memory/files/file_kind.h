// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/architecture.h"
#include "base/bounded_reader.h"
#include "base/result.h"

namespace heapscape::engine {

/// Error that names what a file that is no ELF file seems to be, and what would help.
Error describeForeignFile(Bytes file);

/// "arm64", "i386", …, for an ELF machine number.
std::string machineName(std::uint16_t machine, bool is64Bit, bool isBigEndian);

/// Architecture of an ELF machine number; nullopt for a processor whose dumps are not read.
std::optional<Architecture> architectureOf(std::uint16_t machine);

/// Help for a file that is not a dump we can read.
extern const char* const kWhichDumpsHelp;

}  // namespace heapscape::engine
