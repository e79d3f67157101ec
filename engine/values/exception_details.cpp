// SPDX-License-Identifier: MIT
#include "values/exception_details.h"

#include <algorithm>

#include "base/limits.h"
#include "runtime/managed_string.h"
#include "values/array_shape.h"
#include "values/collections/instance.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kTextUnits = 100'000;

/// Reads exceptions by the fields of System.Exception (Exception.CoreCLR.cs).
class ExceptionReader {
 public:
  explicit ExceptionReader(const ValueReader& reader)
      : m_sources{.readers = reader.sources().readers, .shapes = reader.shapes(), .heap = reader.sources().heap} {}

  bool isException(const MethodTable& type) const {
    const auto base = m_sources.readers.runtime.globalPointer("ExceptionMethodTable");
    const TypeShape* level = m_sources.shapes.find(type.address);
    for (std::size_t depth = 0; base && level && depth < kLimits.parentDepth; ++depth) {
      if (level->type.address == *base) return true;
      level = level->type.parent ? m_sources.shapes.find(level->type.parent) : nullptr;
    }
    return false;
  }

  ExceptionDetails read(Address object) const {
    ExceptionDetails details;
    const auto instance = Instance::at(m_sources, object);
    if (!instance) {
      details.damage = instance.error().what;
      return details;
    }
    details.message = textOf(*instance, "_message");
    details.remoteStackText = textOf(*instance, "_remoteStackTraceString");
    details.hresult = instance->number<std::int32_t>("_HResult").value_or(0);
    details.inner = instance->reference("_innerException").value_or(Address{});
    if (details.inner) {
      const auto inner = Instance::at(m_sources, details.inner);
      if (inner) details.innerType = inner->shape().name;
    }
    details.innerExceptions = innerExceptions(*instance);
    readStack(details, instance->reference("_stackTrace").value_or(Address{}));
    return details;
  }

 private:
  const ClrRuntime& runtime() const { return m_sources.readers.runtime; }

  std::string textOf(const Instance& instance, std::string_view field) const {
    const auto text = instance.reference(field);
    return text && *text ? readManagedString(runtime(), *text, kTextUnits).value_or("") : std::string();
  }

  Result<ArrayShape> arrayAt(Address object) const {
    HEAPSCAPE_TRY(const Instance array, Instance::at(m_sources, object));
    if (!array.type().isSzArray) return failure(ErrorCode::Damaged, "An array was expected.");
    return readArrayShape(m_sources.readers, array.type(), object);
  }

  // Of an AggregateException only.
  std::vector<Address> innerExceptions(const Instance& instance) const {
    std::vector<Address> inner;
    const auto list = instance.reference("_innerExceptions");
    const auto array = list && *list ? arrayAt(*list) : failure(ErrorCode::NotFound, {});
    if (!array) return inner;
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(array->count, kLimits.innerExceptions); ++i) {
      const auto object = runtime().memory().readPointer(*list + array->elementOffset + i * array->elementSize);
      if (!object) break;
      if (*object) inner.push_back(*object);
    }
    return inner;
  }

  // StackTraceArray (src/coreclr/vm/object.h): a header, then the frames, all in an array of bytes. Since .NET 9 that
  // may be the first element of an array whose others only keep code alive.
  void readStack(ExceptionDetails& details, Address trace) const {
    if (!trace) return;
    auto array = arrayAt(trace);
    const Address firstElement = array ? trace + array->elementOffset : Address{};
    if (array && array->elementSize == sizeof(Address)) {
      const auto bytes = runtime().memory().readPointer(firstElement);
      trace = bytes.value_or(Address{});
      array = arrayAt(trace);
    }
    if (!array || array->elementSize != 1) {
      details.damage = "The exception's stack trace is not in the form that the runtime gives it.";
      return;
    }
    const Contract& contract = runtime().contract();
    const Address header = trace + array->elementOffset;
    const std::uint64_t headerBytes = contract.sizeOf("StackTraceArrayHeader");
    const std::uint64_t frameBytes = contract.sizeOf("StackTraceElement");
    const auto count = runtime().valueAt<std::uint32_t>(header, "StackTraceArrayHeader", "Size");
    if (!count || !frameBytes || array->count < headerBytes || *count > (array->count - headerBytes) / frameBytes ||
        *count > kLimits.stackFrames) {
      details.damage = "The exception's stack trace claims more frames than it has room for.";
      return;
    }
    for (std::uint32_t i = 0; i < *count; ++i) readFrame(details, header + headerBytes + i * frameBytes);
  }

  void readFrame(ExceptionDetails& details, Address frame) const {
    ExceptionDetails::Frame read;
    read.instruction = runtime().pointerAt(frame, "StackTraceElement", "IP").value_or(Address{});
    if (const auto code = m_sources.readers.code.find(read.instruction))
      read.offset = static_cast<std::uint32_t>(read.instruction - code->start);
    const auto method = runtime().pointerAt(frame, "StackTraceElement", "MethodDesc");
    if (method && m_sources.readers.methods.read(*method)) read.method = m_sources.readers.methodNames.nameOf(*method);
    details.stack.push_back(std::move(read));
  }

  const CollectionSources m_sources;
};

}  // namespace

std::optional<ExceptionDetails> readException(const ValueReader& reader, const MethodTable& type, Address object) {
  const ExceptionReader exceptions(reader);
  if (!exceptions.isException(type)) return std::nullopt;
  return exceptions.read(object);
}

}  // namespace heapscape::engine
