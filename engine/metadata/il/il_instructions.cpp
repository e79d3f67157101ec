// SPDX-License-Identifier: MIT
#include "metadata/il/il_instructions.h"

#include <array>

namespace heapscape::engine {
namespace {

// Opcodes in the order of their numbers (ECMA-335 VI.C.2); "-" is none. Behind a colon stands what follows: a variable
// in one byte (v) or two (w), a number in one (b), four (i) or eight bytes (l), a float (f) or double (d), a token (t),
// the distance of a branch in one byte (s) or four (j), the distances of a switch (x).
constexpr std::string_view kOneByteOpcodes =
    "nop break ldarg.0 ldarg.1 ldarg.2 ldarg.3 ldloc.0 ldloc.1 ldloc.2 ldloc.3 stloc.0 stloc.1 stloc.2 stloc.3 "
    "ldarg.s:v ldarga.s:v "
    "starg.s:v ldloc.s:v ldloca.s:v stloc.s:v ldnull ldc.i4.m1 ldc.i4.0 ldc.i4.1 ldc.i4.2 ldc.i4.3 ldc.i4.4 ldc.i4.5 "
    "ldc.i4.6 ldc.i4.7 ldc.i4.8 ldc.i4.s:b "
    "ldc.i4:i ldc.i8:l ldc.r4:f ldc.r8:d - dup pop jmp:t call:t calli:t ret br.s:s brfalse.s:s brtrue.s:s beq.s:s "
    "bge.s:s "
    "bgt.s:s ble.s:s blt.s:s bne.un.s:s bge.un.s:s bgt.un.s:s ble.un.s:s blt.un.s:s br:j brfalse:j brtrue:j beq:j "
    "bge:j bgt:j ble:j blt:j "
    "bne.un:j bge.un:j bgt.un:j ble.un:j blt.un:j switch:x ldind.i1 ldind.u1 ldind.i2 ldind.u2 ldind.i4 ldind.u4 "
    "ldind.i8 ldind.i ldind.r4 ldind.r8 "
    "ldind.ref stind.ref stind.i1 stind.i2 stind.i4 stind.i8 stind.r4 stind.r8 add sub mul div div.un rem rem.un and "
    "or xor shl shr shr.un neg not conv.i1 conv.i2 conv.i4 conv.i8 conv.r4 conv.r8 conv.u4 conv.u8 callvirt:t "
    "cpobj:t ldobj:t ldstr:t newobj:t castclass:t isinst:t conv.r.un - - unbox:t throw ldfld:t ldflda:t stfld:t "
    "ldsfld:t ldsflda:t "
    "stsfld:t stobj:t conv.ovf.i1.un conv.ovf.i2.un conv.ovf.i4.un conv.ovf.i8.un conv.ovf.u1.un conv.ovf.u2.un "
    "conv.ovf.u4.un conv.ovf.u8.un conv.ovf.i.un conv.ovf.u.un box:t newarr:t ldlen ldelema:t "
    "ldelem.i1 ldelem.u1 ldelem.i2 ldelem.u2 ldelem.i4 ldelem.u4 ldelem.i8 ldelem.i ldelem.r4 ldelem.r8 ldelem.ref "
    "stelem.i stelem.i1 stelem.i2 stelem.i4 stelem.i8 "
    "stelem.r4 stelem.r8 stelem.ref ldelem:t stelem:t unbox.any:t - - - - - - - - - - "
    "- - - conv.ovf.i1 conv.ovf.u1 conv.ovf.i2 conv.ovf.u2 conv.ovf.i4 conv.ovf.u4 conv.ovf.i8 conv.ovf.u8 - - - - - "
    "- - refanyval:t ckfinite - - mkrefany:t - - - - - - - - - "
    "ldtoken:t conv.u2 conv.u1 conv.i conv.ovf.i conv.ovf.u add.ovf add.ovf.un mul.ovf mul.ovf.un sub.ovf sub.ovf.un "
    "endfinally leave:j leave.s:s stind.i conv.u";
// Behind 0xfe.
constexpr std::string_view kTwoByteOpcodes =
    "arglist ceq cgt cgt.un clt clt.un ldftn:t ldvirtftn:t - ldarg:w ldarga:w starg:w ldloc:w ldloca:w stloc:w "
    "localloc "
    "- endfilter unaligned.:b volatile. tail. initobj:t constrained.:t cpblk initblk no.:b rethrow - sizeof:t "
    "refanytype readonly.";
constexpr std::uint8_t kTwoBytes = 0xfe;
constexpr std::uint32_t kMostCases = 1 << 20;

struct IlOpcode {
  std::string_view name;
  char operand = 0;
};

using IlOpcodes = std::array<IlOpcode, 256>;

IlOpcodes parseOpcodes(std::string_view list) {
  IlOpcodes opcodes;
  for (std::size_t number = 0; !list.empty() && number < opcodes.size(); ++number) {
    const std::string_view word = list.substr(0, list.find(' '));
    list.remove_prefix(std::min(word.size() + 1, list.size()));
    if (word == "-") continue;
    const std::size_t colon = word.find(':');
    opcodes[number] = {word.substr(0, colon), colon == std::string_view::npos ? '\0' : word[colon + 1]};
  }
  return opcodes;
}

void readOperand(BoundedReader& reader, char kind, IlInstruction& instruction) {
  using Operand = IlOperand;
  const auto integer = [&](Operand operand, std::int64_t number) {
    instruction.operand = operand;
    instruction.number = number;
  };
  const auto behind = [&] { return static_cast<std::int64_t>(reader.position()); };
  switch (kind) {
    case 'v':
      return integer(Operand::Variable, reader.read<std::uint8_t>());
    case 'w':
      return integer(Operand::Variable, reader.read<std::uint16_t>());
    case 'b':
      return integer(Operand::Integer, reader.read<std::int8_t>());
    case 'i':
      return integer(Operand::Integer, reader.read<std::int32_t>());
    case 'l':
      return integer(Operand::Integer, reader.read<std::int64_t>());
    case 'f':
      instruction.operand = Operand::Real;
      instruction.real = reader.read<float>();
      return;
    case 'd':
      instruction.operand = Operand::Real;
      instruction.real = reader.read<double>();
      return;
    case 't':
      return integer(Operand::Token, reader.read<std::uint32_t>());
    case 's': {
      const std::int64_t distance = reader.read<std::int8_t>();
      return integer(Operand::Branch, behind() + distance);
    }
    case 'j': {
      const std::int64_t distance = reader.read<std::int32_t>();
      return integer(Operand::Branch, behind() + distance);
    }
    case 'x': {
      instruction.operand = Operand::Switch;
      const auto count = reader.read<std::uint32_t>();
      for (std::uint32_t i = 0; i < count && i < kMostCases && !reader.failed(); ++i)
        instruction.targets.push_back(reader.read<std::int32_t>());
      for (std::int64_t& target : instruction.targets) target += behind();
      return;
    }
    default:
      return;
  }
}

}  // namespace

std::optional<IlInstruction> readIlInstruction(Bytes code, std::uint32_t offset) {
  static const IlOpcodes oneByte = parseOpcodes(kOneByteOpcodes);
  static const IlOpcodes twoBytes = parseOpcodes(kTwoByteOpcodes);
  if (offset >= code.size()) return std::nullopt;
  BoundedReader reader(code);
  reader.seek(offset);
  const auto first = reader.read<std::uint8_t>();
  const IlOpcode& opcode = first == kTwoBytes ? twoBytes[reader.read<std::uint8_t>()] : oneByte[first];
  IlInstruction instruction{.offset = offset, .name = opcode.name};
  readOperand(reader, opcode.operand, instruction);
  if (reader.failed()) return std::nullopt;
  instruction.end = static_cast<std::uint32_t>(reader.position());
  return instruction;
}

}  // namespace heapscape::engine
