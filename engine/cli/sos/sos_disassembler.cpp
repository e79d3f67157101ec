// SPDX-License-Identifier: MIT
#include "cli/sos/sos_disassembler.h"

#include <capstone/capstone.h>
#include <fmt/format.h>

#include <memory>

namespace heapscape::cli {

using engine::Address;
using engine::Architecture;

engine::Result<Disassembler> Disassembler::of(Architecture architecture) {
  csh handle = 0;
  const bool isX64 = architecture == Architecture::X64;
  const cs_err error = isX64 ? cs_open(CS_ARCH_X86, CS_MODE_64, &handle) : cs_open(CS_ARCH_ARM64, CS_MODE_ARM, &handle);
  if (error != CS_ERR_OK)
    return engine::failure(engine::ErrorCode::NotFound,
                           fmt::format("Code of this processor cannot be taken apart: {}.", cs_strerror(error)));
  cs_option(handle, CS_OPT_DETAIL, CS_OPT_ON);
  return Disassembler(handle, architecture);
}

Disassembler::Disassembler(std::size_t handle, Architecture architecture)
    : m_handle(new std::size_t(handle),
               [](const std::size_t* open) {
                 csh closing = *open;
                 cs_close(&closing);
                 delete open;
               }),
      m_architecture(architecture) {}

namespace {

bool isIn(const cs_detail& detail, std::uint8_t group) {
  for (std::uint8_t i = 0; i < detail.groups_count; ++i) {
    if (detail.groups[i] == group) return true;
  }
  return false;
}

void readX64Operands(const cs_insn& insn, MachineInstruction& instruction) {
  const cs_x86& x86 = insn.detail->x86;
  for (std::uint8_t i = 0; i < x86.op_count; ++i) {
    const cs_x86_op& operand = x86.operands[i];
    if (operand.type == X86_OP_IMM) {
      instruction.operand = Address{static_cast<std::uint64_t>(operand.imm)};
    } else if (operand.type == X86_OP_MEM && operand.mem.base == X86_REG_RIP) {
      instruction.operand = Address{insn.address + insn.size + static_cast<std::uint64_t>(operand.mem.disp)};
      instruction.isOperandIndirect = insn.id != X86_INS_LEA;
    }
  }
}

void readArm64Operands(const cs_insn& insn, MachineInstruction& instruction) {
  const cs_arm64& arm = insn.detail->arm64;
  for (std::uint8_t i = 0; i < arm.op_count; ++i) {
    if (arm.operands[i].type == ARM64_OP_IMM)
      instruction.operand = Address{static_cast<std::uint64_t>(arm.operands[i].imm)};
  }
}

}  // namespace

std::optional<MachineInstruction> Disassembler::first(engine::Bytes code, Address at) const {
  cs_insn* found = nullptr;
  const std::size_t count =
      cs_disasm(*m_handle, reinterpret_cast<const std::uint8_t*>(code.data()), code.size(), at.value, 1, &found);
  if (count == 0) return std::nullopt;
  const cs_insn& insn = *found;
  MachineInstruction instruction;
  instruction.sizeBytes = insn.size;
  for (std::uint16_t i = 0; i < insn.size; ++i) instruction.bytes += fmt::format("{:02x}", insn.bytes[i]);
  instruction.text = insn.op_str[0] ? fmt::format("{} {}", insn.mnemonic, insn.op_str) : std::string(insn.mnemonic);
  if (m_architecture == Architecture::X64)
    readX64Operands(insn, instruction);
  else
    readArm64Operands(insn, instruction);
  instruction.isCall = isIn(*insn.detail, CS_GRP_CALL);
  const bool isBranch = instruction.isCall || isIn(*insn.detail, CS_GRP_JUMP);
  if (isBranch && instruction.operand && !instruction.isOperandIndirect) instruction.target = instruction.operand;
  cs_free(found, count);
  return instruction;
}

}  // namespace heapscape::cli
