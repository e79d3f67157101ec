// SPDX-License-Identifier: MIT
#include "values/reading/exception_details.h"

#include <algorithm>

#include "base/limits.h"
#include "runtime/managed_objects.h"
#include "values/instance.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kTextUnits = 100'000;
constexpr std::uint64_t kEndOfEarlierTrace = 1;  // StackTraceHelper.SpecialMarkers.EdiSeparator of Native AOT

/// Reads exceptions by the fields of ExceptionObject (src/coreclr/vm/object.h).
class ExceptionReader {
 public:
  explicit ExceptionReader(const ValueReader& reader, ExceptionStack stack = ExceptionStack::All)
      : m_reader(reader), m_sources(reader.instances()), m_stack(stack) {}

  bool isException(const MethodTable& type) const {
    const auto base = runtime().globalPointer("ExceptionMethodTable");
    const TypeShape* level = m_sources.shapes.find(type.address);
    for (std::size_t depth = 0; base && level && depth < kLimits.parentDepth; ++depth) {
      if (level->type.address == *base) return true;
      level = level->type.parent ? m_sources.shapes.find(level->type.parent) : nullptr;
    }
    return false;
  }

  ExceptionDetails read(Address object) const {
    ExceptionDetails details;
    details.object = object;
    details.message = textOf(details, object, "_message");
    details.remoteStackText = textOf(details, object, "_remoteStackTraceString");
    details.hresult = runtime().valueAt<std::int32_t>(object, "Exception", "_HResult").value_or(0);
    details.inner = reference(object, "_innerException");
    if (details.inner) details.innerType = m_reader.readReference(details.inner).objectType;
    if (const auto instance = Instance::at(m_sources, object)) details.innerExceptions = innerExceptions(*instance);
    if (runtime().contract().has("Exception", "_corDbgStackTrace"))
      readAddresses(details, reference(object, "_corDbgStackTrace"), object);
    else
      readStack(details, reference(object, "_stackTrace"));
    return details;
  }

 private:
  const ClrRuntime& runtime() const { return m_sources.readers.runtime; }

  Address reference(Address object, std::string_view field) const {
    return runtime().pointerAt(object, "Exception", field).value_or(Address{});
  }

  std::string textOf(ExceptionDetails& details, Address object, std::string_view field) const {
    const Address reference = this->reference(object, field);
    if (!reference) return {};
    auto text = readManagedString(runtime(), reference, kTextUnits);
    if (!text) details.damage = text.error().what;
    return text.value_or("");
  }

  // Exceptions inside an AggregateException.
  std::vector<Address> innerExceptions(const Instance& instance) const {
    std::vector<Address> inner;
    const auto array = readArray(instance, "_innerExceptions");
    if (!array || array->elementSize != sizeof(Address)) return inner;
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(array->count, kLimits.innerExceptions); ++i) {
      const auto object = runtime().memory().readPointer(array->element(i));
      if (!object) break;
      if (*object) inner.push_back(*object);
    }
    return inner;
  }

  ExceptionDetails::Frame frameAt(Address returnAddress) const {
    ExceptionDetails::Frame frame{.instruction = returnAddress - 1, .method = {}};
    const auto code = m_sources.readers.code.find(frame.instruction);
    if (!code) return frame;
    frame.offset = static_cast<std::uint32_t>(frame.instruction - code->start);
    frame.methodDesc = code->methodDesc;
    if (m_stack == ExceptionStack::All) frame.method = m_sources.readers.methodNames.nameOf(code->methodDesc);
    return frame;
  }

  // A program compiled ahead of time keeps return addresses alone, and between two traces a mark.
  void readAddresses(ExceptionDetails& details, Address trace, Address object) const {
    if (!trace) return;
    const auto array = readArray(m_sources, trace);
    const auto count = runtime().valueAt<std::uint32_t>(object, "Exception", "_idxFirstFreeStackTraceEntry");
    if (!array || array->elementSize != sizeof(Address) || !count || *count > array->count) {
      details.damage = "The exception's stack trace is not in the form that the runtime gives it.";
      return;
    }
    const std::uint32_t wanted =
        std::min<std::uint32_t>(*count, m_stack == ExceptionStack::All ? kLimits.stackFrames : 1);
    for (std::uint32_t i = 0; i < *count; ++i) {
      const auto address = runtime().memory().readPointer(array->element(i));
      if (!address) break;
      if (address->value == kEndOfEarlierTrace) {
        if (!details.stack.empty()) details.stack.back().isLastOfEarlier = true;
        continue;
      }
      ++details.frameCount;
      if (details.stack.size() < wanted) details.stack.push_back(frameAt(*address));
    }
  }

  // StackTraceArray (src/coreclr/vm/object.h): a header, then the frames, all in an array of bytes. Since .NET 9 that
  // may be the first element of an array whose others only keep code alive.
  void readStack(ExceptionDetails& details, Address trace) const {
    if (!trace) return;
    auto array = readArray(m_sources, trace);
    if (array && array->elementSize == sizeof(Address) && array->count > 0) {
      const auto bytes = runtime().memory().readPointer(array->data);
      array = bytes ? readArray(m_sources, *bytes) : failure(bytes.error().code, bytes.error().what);
    }
    if (!array || array->elementSize != 1) {
      details.damage = "The exception's stack trace is not in the form that the runtime gives it.";
      return;
    }
    const Contract& contract = runtime().contract();
    const std::uint64_t headerBytes = contract.sizeOf("StackTraceArrayHeader");
    const std::uint64_t frameBytes = contract.sizeOf("StackTraceElement");
    const auto count = runtime().valueAt<std::uint32_t>(array->data, "StackTraceArrayHeader", "Size");
    if (!count || !frameBytes || array->count < headerBytes || *count > (array->count - headerBytes) / frameBytes) {
      details.damage = "The exception's stack trace claims more frames than it has room for.";
      return;
    }
    details.frameCount = *count;
    const std::uint32_t wanted =
        std::min<std::uint32_t>(*count, m_stack == ExceptionStack::All ? kLimits.stackFrames : 1);
    for (std::uint32_t i = 0; i < wanted; ++i) readFrame(details, array->data + headerBytes + i * frameBytes);
  }

  void readFrame(ExceptionDetails& details, Address frame) const {
    ExceptionDetails::Frame read;
    read.instruction = runtime().pointerAt(frame, "StackTraceElement", "IP").value_or(Address{});
    if (const auto code = m_sources.readers.code.find(read.instruction))
      read.offset = static_cast<std::uint32_t>(read.instruction - code->start);
    read.stackPointer = runtime().pointerAt(frame, "StackTraceElement", "StackPointer").value_or(Address{});
    const auto flags = runtime().valueAt<std::uint32_t>(frame, "StackTraceElement", "Flags");
    const std::uint64_t lastOfEarlier = runtime().contract().constant("StackTraceElement.LastOfEarlierTrace");
    read.isLastOfEarlier = flags && (*flags & lastOfEarlier) != 0;
    const auto method = runtime().pointerAt(frame, "StackTraceElement", "MethodDesc");
    if (method && m_sources.readers.methods.read(*method)) {
      read.methodDesc = *method;
      if (m_stack == ExceptionStack::All) read.method = m_sources.readers.methodNames.nameOf(*method);
    }
    details.stack.push_back(std::move(read));
  }

  const ValueReader& m_reader;
  const InstanceSources m_sources;
  const ExceptionStack m_stack;
};

}  // namespace

bool isExceptionType(const ValueReader& reader, const MethodTable& type) {
  return ExceptionReader(reader).isException(type);
}

std::optional<ExceptionDetails> readException(const ValueReader& reader, const MethodTable& type, Address object,
                                              ExceptionStack stack) {
  const ExceptionReader exceptions(reader, stack);
  if (!exceptions.isException(type)) return std::nullopt;
  return exceptions.read(object);
}

}  // namespace heapscape::engine
