// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "memory/address_space.h"
#include "memory/elf/elf_core.h"

namespace heapscape::engine {

/// Start arguments of a process, as the kernel has laid it out at the top of its first stack.
struct ProcessArguments {
  std::vector<std::string> arguments;
  std::vector<std::string> environment;  // "NAME=value"; what the program has set since is not among them
};

/// Follows the auxiliary vector of the core file: right below it on the stack lie the pointers to both. Fails with
/// NotInDump if that part of the stack is missing, or the core file does not say where it is.
Result<ProcessArguments> readProcessArguments(const ElfCore& core, const AddressSpace& memory);

}  // namespace heapscape::engine
