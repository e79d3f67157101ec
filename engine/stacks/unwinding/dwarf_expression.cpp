// SPDX-License-Identifier: MIT
#include "stacks/unwinding/dwarf_expression.h"

#include <array>

#include "stacks/unwinding/leb128.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kMostValues = 64;

// DW_OP_*
enum class Operation : std::uint8_t {
  Address = 0x03,
  Dereference = 0x06,
  Constant1u = 0x08,
  Constant1s = 0x09,
  Constant2u = 0x0a,
  Constant2s = 0x0b,
  Constant4u = 0x0c,
  Constant4s = 0x0d,
  Constant8u = 0x0e,
  Constant8s = 0x0f,
  ConstantUnsigned = 0x10,
  ConstantSigned = 0x11,
  Duplicate = 0x12,
  Drop = 0x13,
  Over = 0x14,
  Swap = 0x16,
  And = 0x1a,
  Minus = 0x1c,
  Multiply = 0x1e,
  Negate = 0x1f,
  Not = 0x20,
  Or = 0x21,
  Plus = 0x22,
  PlusConstant = 0x23,
  ShiftLeft = 0x24,
  ShiftRight = 0x25,
  ShiftRightSigned = 0x26,
  ExclusiveOr = 0x27,
  Equal = 0x29,
  GreaterOrEqual = 0x2a,
  Greater = 0x2b,
  LessOrEqual = 0x2c,
  Less = 0x2d,
  NotEqual = 0x2e,
  Literal0 = 0x30,
  Literal31 = 0x4f,
  BaseRegister0 = 0x70,
  BaseRegister31 = 0x8f,
  BaseRegister = 0x92,
  Nop = 0x96,
};

bool isBetween(Operation operation, Operation first, Operation last) {
  return operation >= first && operation <= last;
}

std::uint64_t distance(Operation operation, Operation first) {
  return static_cast<std::uint64_t>(operation) - static_cast<std::uint64_t>(first);
}

template <class T>
std::uint64_t readExtended(BoundedReader& reader) {
  return static_cast<std::uint64_t>(std::int64_t{reader.read<T>()});
}

std::optional<std::uint64_t> combine(Operation operation, std::uint64_t left, std::uint64_t right) {
  const auto signedLeft = static_cast<std::int64_t>(left);
  const auto signedRight = static_cast<std::int64_t>(right);
  switch (operation) {
    case Operation::And:
      return left & right;
    case Operation::Minus:
      return left - right;
    case Operation::Multiply:
      return left * right;
    case Operation::Or:
      return left | right;
    case Operation::Plus:
      return left + right;
    case Operation::ShiftLeft:
      return right < 64 ? left << right : 0;
    case Operation::ShiftRight:
      return right < 64 ? left >> right : 0;
    case Operation::ShiftRightSigned:
      return static_cast<std::uint64_t>(signedLeft >> (right < 64 ? right : 63));
    case Operation::ExclusiveOr:
      return left ^ right;
    case Operation::Equal:
      return left == right;
    case Operation::NotEqual:
      return left != right;
    case Operation::GreaterOrEqual:
      return signedLeft >= signedRight;
    case Operation::Greater:
      return signedLeft > signedRight;
    case Operation::LessOrEqual:
      return signedLeft <= signedRight;
    case Operation::Less:
      return signedLeft < signedRight;
    default:
      return std::nullopt;
  }
}

/// There are no jumps, so the operations end with their bytes.
class StackMachine {
 public:
  StackMachine(const AddressSpace& memory, Bytes expression, std::span<const std::uint64_t> registers)
      : m_memory(memory), m_reader(expression), m_registers(registers) {}

  void push(std::uint64_t value) {
    if (m_count == kMostValues) {
      m_failed = true;
    } else {
      m_values[m_count++] = value;
    }
  }

  std::optional<std::uint64_t> run() {
    while (!m_reader.atEnd() && !hasFailed()) {
      const auto operation = static_cast<Operation>(m_reader.read<std::uint8_t>());
      if (!pushValue(operation) && !change(operation)) return std::nullopt;
    }
    const std::uint64_t result = pop();
    if (hasFailed()) return std::nullopt;
    return result;
  }

 private:
  bool hasFailed() const { return m_failed || m_reader.failed(); }

  std::uint64_t pop() {
    if (m_count == 0) {
      m_failed = true;
      return 0;
    }
    return m_values[--m_count];
  }

  std::uint64_t registerValue(std::uint64_t number) {
    if (number < m_registers.size()) return m_registers[number];
    m_failed = true;
    return 0;
  }

  /// Operations that take nothing from the stack.
  bool pushValue(Operation operation) {
    if (isBetween(operation, Operation::Literal0, Operation::Literal31)) {
      push(distance(operation, Operation::Literal0));
      return true;
    }
    if (isBetween(operation, Operation::BaseRegister0, Operation::BaseRegister31)) {
      const std::uint64_t base = registerValue(distance(operation, Operation::BaseRegister0));
      push(base + static_cast<std::uint64_t>(readSleb128(m_reader)));
      return true;
    }
    if (operation == Operation::BaseRegister) {
      const std::uint64_t base = registerValue(readUleb128(m_reader));
      push(base + static_cast<std::uint64_t>(readSleb128(m_reader)));
      return true;
    }
    const auto constant = readConstant(operation);
    if (constant) push(*constant);
    return constant.has_value();
  }

  std::optional<std::uint64_t> readConstant(Operation operation) {
    switch (operation) {
      case Operation::Address:
      case Operation::Constant8u:
      case Operation::Constant8s:
        return m_reader.read<std::uint64_t>();
      case Operation::Constant1u:
        return m_reader.read<std::uint8_t>();
      case Operation::Constant1s:
        return readExtended<std::int8_t>(m_reader);
      case Operation::Constant2u:
        return m_reader.read<std::uint16_t>();
      case Operation::Constant2s:
        return readExtended<std::int16_t>(m_reader);
      case Operation::Constant4u:
        return m_reader.read<std::uint32_t>();
      case Operation::Constant4s:
        return readExtended<std::int32_t>(m_reader);
      case Operation::ConstantUnsigned:
        return readUleb128(m_reader);
      case Operation::ConstantSigned:
        return static_cast<std::uint64_t>(readSleb128(m_reader));
      default:
        return std::nullopt;
    }
  }

  bool change(Operation operation) {
    const std::uint64_t top = operation == Operation::Nop ? 0 : pop();
    switch (operation) {
      case Operation::Nop:
      case Operation::Drop:
        return true;
      case Operation::Dereference: {
        std::uint64_t value = 0;
        m_failed |= !m_memory.tryRead({top}, value);
        push(value);
        return true;
      }
      case Operation::Duplicate:
        push(top);
        push(top);
        return true;
      case Operation::Negate:
        push(0 - top);
        return true;
      case Operation::Not:
        push(~top);
        return true;
      case Operation::PlusConstant:
        push(top + readUleb128(m_reader));
        return true;
      default:
        return changeTwo(operation, top);
    }
  }

  bool changeTwo(Operation operation, std::uint64_t top) {
    const std::uint64_t below = pop();
    if (operation == Operation::Over || operation == Operation::Swap) {
      if (operation == Operation::Over) push(below);
      push(top);
      push(below);
      return true;
    }
    const auto combined = combine(operation, below, top);
    if (combined) push(*combined);
    return combined.has_value();
  }

  const AddressSpace& m_memory;
  BoundedReader m_reader;
  std::span<const std::uint64_t> m_registers;
  std::array<std::uint64_t, kMostValues> m_values{};
  std::size_t m_count = 0;
  bool m_failed = false;
};

}  // namespace

std::optional<std::uint64_t> evaluateExpression(const AddressSpace& memory, Bytes expression,
                                                std::span<const std::uint64_t> registers,
                                                std::optional<std::uint64_t> initial) {
  StackMachine machine(memory, expression, registers);
  if (initial) machine.push(*initial);
  return machine.run();
}

}  // namespace heapscape::engine
