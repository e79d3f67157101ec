// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/address.h"
#include "base/architecture.h"
#include "base/bounded_reader.h"
#include "base/result.h"

namespace heapscape::cli {

/// One instruction of a processor.
struct MachineInstruction {
  std::uint32_t sizeBytes = 0;
  std::string bytes;  // "488bec"
  std::string text;   // "mov rbp, rsp"
  bool isCall = false;
  std::optional<engine::Address> target = {};   // of a call or jump to an address
  std::optional<engine::Address> operand = {};  // a number in it that may be an address, or where it reads one
  bool isOperandIndirect = false;               // the latter
};

/// Takes machine code apart, in the syntax of Intel for x64.
class Disassembler {
 public:
  /// Fails with NotFound for a processor that is not known.
  static engine::Result<Disassembler> of(engine::Architecture architecture);

  /// The first instruction of the code, which lies at an address; nothing for bytes that are none.
  std::optional<MachineInstruction> first(engine::Bytes code, engine::Address at) const;

 private:
  explicit Disassembler(std::size_t handle, engine::Architecture architecture);

  std::shared_ptr<const std::size_t> m_handle;
  engine::Architecture m_architecture;
};

}  // namespace heapscape::cli
