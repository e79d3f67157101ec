// SPDX-License-Identifier: MIT
#include <algorithm>

#include "cli/sos/sos_command.h"
#include "cli/sos/sos_fields.h"
#include "cli/sos/sos_objects_walk.h"
#include "cli/sos/sos_text.h"
#include "heap/object_header.h"
#include "runtime/types/method_tables.h"
#include "session/details/object_details.h"
#include "session/references/reference_query.h"
#include "session/snapshot/contents.h"
#include "session/snapshot/heap_presence.h"
#include "session/threads/locks_query.h"
#include "session/threads/threads_query.h"
#include "session/types/debugger_names.h"

namespace heapscape::cli {
namespace {

using engine::Address;
using engine::ElementType;
using engine::ErrorCode;
using engine::failure;
using engine::MethodTable;
using engine::Outcome;
using engine::Result;
using engine::Snapshot;

constexpr std::uint32_t kMostContent = 128;  // elements of an array of bytes or characters that are shown as text

/// Where an object lies and what it is, by its own words; with a heap only what that has as an object.
struct SosObject {
  Address address;
  MethodTable type;
  std::uint64_t sizeBytes = 0;
  std::uint32_t components = 0;
};

Result<SosObject> objectFor(const Snapshot& snapshot, Address address) {
  const engine::RuntimeReaders& readers = *snapshot.contents().readers;
  const auto invalid = failure(ErrorCode::NotFound, fmt::format("Invalid object: {:x}.", address.value));
  if (snapshot.contents().heap) {
    const auto row = engine::objectAt(snapshot, address);
    if (!row || row->address != address) return invalid;
  }
  const auto methodTable = readers.runtime.memory().readPointer(address);
  const auto type = methodTable ? readers.methodTables.read(*methodTable) : failure(ErrorCode::NotFound, {});
  // The runtime's marker of free memory is no type as others are.
  if (!type) return invalid;
  SosObject object{address, *type, type->baseSize, 0};
  if (type->hasComponentSize) {
    HEAPSCAPE_TRY(object.components, readers.runtime.memory().read<std::uint32_t>(address + engine::kPointerBytes));
    object.sizeBytes += std::uint64_t{type->componentSize} * object.components;
  }
  return object;
}

/// Prints one object as dumpobj does.
class ObjectPrinter {
 public:
  ObjectPrinter(SosRun& run, const Snapshot& snapshot)
      : m_run(run),
        m_snapshot(snapshot),
        m_readers(*snapshot.contents().readers),
        m_names(m_readers),
        m_fields(run, m_readers, m_names) {}

  Outcome<void> print(Address address, bool hasFields) {
    if (const auto row = freeObjectAt(address)) {
      m_run.print("Free Object\nSize:        {} bytes\n", decimalAndHex(row->sizeBytes));
      return {};
    }
    HEAPSCAPE_TRY(const SosObject object, objectFor(m_snapshot, address));
    const std::string name = m_names.ofType(object.type.address);
    m_run.print("Name:        {}\nMethodTable: {}\n", name, lowerAddress(object.type.address));
    m_run.print("Size:        {} bytes\n", decimalAndHex(object.sizeBytes));
    if (name == "System.RuntimeType") printRuntimeType(address);
    if (object.type.isArray)
      printArrayLine(object);
    else
      printFile(object.type);
    if (name == "System.String") m_run.print("String:      {}\n", stringAt(address));
    if (hasFields) {
      m_run.print("Fields:\n");
      if (object.type.isArray)
        m_run.print("None\n");
      else if (!m_snapshot.hasFields())
        printReferenceWords(address);
      else
        m_fields.print(object.type, SosFieldsOf::Object, address);
    }
    return printThinLock(address);
  }

  Outcome<void> printArray(Address address) {
    HEAPSCAPE_TRY(const SosObject object, objectFor(m_snapshot, address));
    if (!object.type.isArray)
      return tl::unexpected(
          engine::Unfinished(engine::Error{ErrorCode::BadQuery, "Not an array, please use dumpobj instead."}));
    const auto element = m_readers.methodTables.arrayElementType(object.type);
    const auto rank = m_readers.methodTables.arrayRank(object.type).value_or(1);
    const SosArguments& arguments = m_run.arguments();
    HEAPSCAPE_TRY(const std::uint64_t start, arguments.number("-start", 0));
    HEAPSCAPE_TRY(const std::uint64_t length, arguments.number("-length", UINT64_MAX));
    m_run.print("Name:        {}[{}]\nMethodTable: {}\n", element ? m_names.ofType(*element) : std::string(),
                std::string(rank - 1, ','), lowerAddress(object.type.address));
    if (m_snapshot.hasAssemblies()) m_run.print("EEClass:     {}\n", lowerAddress(classOf(object.type)));
    m_run.print("Size:        {} bytes\n", decimalAndHex(object.sizeBytes));
    m_run.print("Array:       Rank {}, Number of elements {}, Type {}\nElement Methodtable: {}\n", rank,
                object.components, elementWord(object.type), lowerAddress(element.value_or(Address{})));
    HEAPSCAPE_TRY(const engine::ObjectDetails details, engine::objectDetails(m_snapshot, address, kNoElements));
    if (!details.array) return {};
    return printElements(object, *details.array, start, length, element.value_or(Address{}));
  }

  Outcome<void> printValue(Address methodTable, Address address) {
    HEAPSCAPE_TRY(const MethodTable type, m_readers.methodTables.read(methodTable));
    if (!type.isValueType)
      return tl::unexpected(
          engine::Unfinished(engine::Error{ErrorCode::BadQuery, "That method table is not of a value class."}));
    m_run.print("Name:        {}\nMethodTable: {}\n", m_names.ofType(methodTable), lowerAddress(methodTable));
    printClass(type);
    m_run.print("Size:        {} bytes\n", decimalAndHex(type.baseSize));
    printFile(type);
    m_run.print("Fields:\n");
    if (m_snapshot.hasFields())
      m_fields.print(type, SosFieldsOf::Value, address);
    else
      m_run.print("Not told. {}\n", engine::lackOfFields(m_snapshot).help);
    return {};
  }

 private:
  std::optional<engine::ObjectRow> freeObjectAt(Address address) const {
    if (!m_snapshot.contents().heap) return std::nullopt;
    const auto row = engine::objectAt(m_snapshot, address);
    if (!row || row->address != address || !m_snapshot.types()[row->type.value].isFree) return std::nullopt;
    return row;
  }

  bool hasCanonicalForClass() const { return !m_snapshot.summary().runtime.contractVersion.starts_with("8."); }
  /// What the runtime's interface gives as the class: since .NET 9 the canonical method table.
  Address classOf(const MethodTable& type) const { return hasCanonicalForClass() ? type.canonical : type.eeClass; }
  void printClass(const MethodTable& type) {
    if (!m_snapshot.hasAssemblies()) return;
    if (!hasCanonicalForClass())
      m_run.print("EEClass:     {}\n", lowerAddress(type.eeClass));
    else if (type.canonical != type.address)
      m_run.print("Canonical: {}\n", lowerAddress(type.canonical));
  }

  /// The assembly; of a program compiled ahead of time, which has none, only its name if that is told.
  void printFile(const MethodTable& type) {
    if (m_snapshot.hasAssemblies()) {
      m_run.print("File:        {}\n", fileOf(type));
      return;
    }
    const auto told = m_readers.fields.toldDeclarationOf(type);
    if (told && !told->assembly.empty()) m_run.print("Assembly:    {}\n", told->assembly);
  }

  /// Where nothing tells of fields: the words that the type says are references.
  void printReferenceWords(Address address) {
    const auto details = engine::objectDetails(m_snapshot, address, kNoElements);
    if (!details) return;
    for (const engine::FieldValue& field : details->fields) {
      const auto word = m_readers.runtime.memory().readPointer(field.address);
      m_run.print("{:>8x} {} {}\n", field.offset, lowerAddress(word.value_or(Address{})), field.typeName);
    }
    m_run.print("Names and values are not told. {}\n", engine::lackOfFields(m_snapshot).help);
  }

  std::string fileOf(const MethodTable& type) const {
    const engine::Module* module = m_readers.modules.definingModule(m_readers.methodTables, type);
    if (!module) return "Unknown Module";
    return module->path.empty() ? module->isDynamic ? std::string("Dynamic Module") : std::string("Unknown Module")
                                : module->path;
  }

  ElementType elementOf(const MethodTable& array) const {
    const auto element = m_readers.methodTables.arrayElementType(array);
    if (!element) return ElementType::Class;
    if (m_readers.methodTables.isTypeDesc(*element)) return ElementType::Ptr;
    const auto type = m_readers.methodTables.read(*element);
    if (!type || !type->isValueType) return ElementType::Class;
    const auto normalised = m_readers.methodTables.normalisedElementType(*type);
    const bool isPrimitive = normalised && m_names.ofType(*element) == engine::primitiveName(*normalised);
    return normalised && (isPrimitive || isEnum(*type)) ? *normalised : ElementType::ValueType;
  }
  bool isEnum(const MethodTable& type) const {
    const auto parent = m_readers.methodTables.read(type.parent);
    return parent && m_names.ofType(parent->address) == "System.Enum";
  }
  /// "CLASS", "Int32".
  std::string elementWord(const MethodTable& array) const {
    const std::string name = sosElementName(elementOf(array));
    constexpr std::string_view kSystem = "System.";
    return name.starts_with(kSystem) ? name.substr(kSystem.size()) : name;
  }

  void printArrayLine(const SosObject& object) {
    const auto rank = m_readers.methodTables.arrayRank(object.type).value_or(1);
    m_run.print("Array:       Rank {}, Number of elements {}, Type {}\n", rank, object.components,
                elementWord(object.type));
    const ElementType element = elementOf(object.type);
    const std::uint32_t width = element == ElementType::Char ? 2 : 1;
    if (element != ElementType::I1 && element != ElementType::U1 && element != ElementType::Char) return;
    std::string text;
    for (std::uint32_t i = 0; i < std::min(object.components, kMostContent); ++i) {
      std::uint16_t unit = 0;
      const Address at = object.address + engine::kElementsOffset + i * width;
      if (!m_readers.runtime.memory().tryRead(at, std::as_writable_bytes(std::span(&unit, 1)).first(width))) break;
      text += unit >= 0x20 && unit <= 0x7e ? static_cast<char>(unit) : '.';
    }
    m_run.print("Content:     {}\n", text);
  }

  std::string stringAt(Address address) const {
    const auto details = engine::objectDetails(m_snapshot, address, kNoElements);
    return details && details->string ? details->string->text : std::string();
  }

  /// The type that a RuntimeType object stands for.
  void printRuntimeType(Address address) {
    const auto details = engine::objectDetails(m_snapshot, address, kNoElements);
    if (!details) return;
    const auto handle = std::ranges::find(details->fields, std::string_view("m_handle"), &engine::FieldValue::name);
    if (handle == details->fields.end()) return;
    const auto type = m_readers.runtime.memory().readPointer(handle->address);
    if (!type || !*type) return;
    if (m_readers.methodTables.isTypeDesc(*type)) {
      m_run.print("TypeDesc:    {}\n",
                  upperAddress(*type - m_readers.runtime.contract().constant("TypeHandle.TypeDescBit")));
    } else {
      m_run.print("Type Name:   {}\nType MT:     {}\n", m_names.ofType(*type), lowerAddress(*type));
    }
  }

  Outcome<void> printThinLock(Address address) {
    if (!m_snapshot.contents().heap) return {};
    const auto lock = engine::lockOf(m_snapshot, address);
    if (!lock || lock->kind != engine::LockKind::Thin || !lock->isHeld) return {};
    HEAPSCAPE_TRY(const engine::ThreadList threads, engine::listThreads(m_snapshot, m_run.stop()));
    const auto owner = std::ranges::find(threads.threads, lock->ownerManagedId, &engine::ThreadRow::managedId);
    m_run.print("ThinLock owner {:x} ({}), Recursive {:x}\n", lock->ownerManagedId,
                upperAddress(owner == threads.threads.end() ? Address{} : owner->address), lock->recursion);
    return {};
  }

  Outcome<void> printElements(const SosObject& object, const engine::ArrayDetails& array, std::uint64_t start,
                              std::uint64_t length, Address elementType) {
    constexpr std::size_t kAtOnce = 4096;
    const SosArguments& arguments = m_run.arguments();
    const bool isValue = elementOf(object.type) != ElementType::Class;
    const std::uint64_t end = length > array.count - std::min(start, array.count) ? array.count : start + length;
    for (std::uint64_t first = start; first < end && m_run.goesOn(); first += kAtOnce) {
      HEAPSCAPE_TRY(const std::vector<engine::FieldValue> elements,
                    engine::arrayElements(m_snapshot, object.address, first,
                                          static_cast<std::size_t>(std::min<std::uint64_t>(kAtOnce, end - first))));
      if (elements.empty()) break;
      for (const engine::FieldValue& element : elements) {
        const auto word = m_readers.runtime.memory().readPointer(element.address);
        const Address shown = isValue ? element.address : word.value_or(Address{});
        std::string index = element.name;
        if (const std::size_t blank = index.find(", "); blank != std::string::npos) {
          std::string parts;
          for (const char c : index) {
            if (c == ' ') continue;
            parts += c == ',' ? "][" : std::string(1, c);
          }
          index = parts;
        }
        m_run.print("{} {}\n", index, shown ? lowerAddress(shown) : std::string("null"));
        if (!arguments.has("-details") || !shown) continue;
        printDetails(isValue ? elementType : Address{}, shown, !arguments.has("-nofields"));
        if (!m_run.goesOn()) return {};
      }
    }
    return {};
  }

  void printDetails(Address valueType, Address at, bool hasFields) {
    const std::string indentation(4, ' ');
    std::optional<MethodTable> type;
    std::uint64_t size = 0;
    if (valueType) {
      if (const auto read = m_readers.methodTables.read(valueType)) type = *read;
      size = type ? type->baseSize : 0;
    } else if (const auto object = objectFor(m_snapshot, at)) {
      type = object->type;
      size = object->sizeBytes;
    }
    if (!type) return;
    m_run.print("{0}Name:        {1}\n{0}MethodTable: {2}\n", indentation, m_names.ofType(type->address),
                lowerAddress(type->address));
    m_run.print("{0}Size:        {1} bytes\n{0}File:        {2}\n", indentation, decimalAndHex(size), fileOf(*type));
    if (!hasFields) return;
    m_run.print("{}Fields:\n", indentation);
    m_fields.print(*type, valueType ? SosFieldsOf::Value : SosFieldsOf::Object, at, indentation);
  }

  SosRun& m_run;
  const Snapshot& m_snapshot;
  const engine::RuntimeReaders& m_readers;
  mutable engine::DebuggerNames m_names;
  SosFields m_fields;
};

constexpr std::size_t kMostReferences = 1'000'000;

Outcome<void> printReferences(SosRun& run, const Snapshot& snapshot, Address address) {
  HEAPSCAPE_TRY(const auto references, engine::referencesOf(snapshot, address, kMostReferences));
  bool isFirst = true;
  for (const engine::NamedEdge& reference : references) {
    if (reference.edge.kind != engine::EdgeKind::Field && reference.edge.kind != engine::EdgeKind::Element) continue;
    if (isFirst) run.print("GC Refs:\n{:<25} {:>8} {:>16} Type\n", "Field", "Offset", "Object");
    isFirst = false;
    const bool isElement = reference.edge.kind == engine::EdgeKind::Element;
    run.print("{:<25} {:>8} {:>16} {}\n", isElement ? std::string() : reference.name,
              fmt::format("{:#04x}", reference.edge.offset - engine::kFieldsStart), shortAddress(reference.edge.to),
              reference.toType);
  }
  if (isFirst) run.print("GC Refs: none\n");
  return {};
}

Outcome<void> dumpReferences(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.heap());
  HEAPSCAPE_TRY(const Address address, run.arguments().address(0));
  return printReferences(run, snapshot, address);
}

/// The object that stands for the load context of an object's type.
Outcome<void> dumpLoadContext(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.dump());
  HEAPSCAPE_TRY(const Address address, run.arguments().address(0));
  HEAPSCAPE_TRY(const SosObject object, objectFor(snapshot, address));
  const Address context = engine::loadContextObjectOf(*snapshot.contents().readers, object.type);
  if (!context) {
    run.print("The managed instance of this context doesn't exist yet.\n");
    return {};
  }
  return ObjectPrinter(run, snapshot).print(context, true);
}

Outcome<void> dumpObject(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.dump());
  HEAPSCAPE_TRY(const Address address, run.arguments().address(0));
  HEAPSCAPE_CHECK(ObjectPrinter(run, snapshot).print(address, !run.arguments().has("-nofields")));
  return run.arguments().has("-refs") ? printReferences(run, snapshot, address) : Outcome<void>();
}

Outcome<void> dumpArray(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.heap());
  HEAPSCAPE_TRY(const Address address, run.arguments().address(0));
  return ObjectPrinter(run, snapshot).printArray(address);
}

Outcome<void> dumpValue(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.dump());
  HEAPSCAPE_TRY(const Address methodTable, run.arguments().address(0));
  HEAPSCAPE_TRY(const Address address, run.arguments().address(1));
  return ObjectPrinter(run, snapshot).printValue(methodTable, address);
}

Outcome<void> dumpDelegate(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.dump());
  HEAPSCAPE_TRY(const Address address, run.arguments().address(0));
  HEAPSCAPE_TRY(const engine::ObjectDetails details, engine::objectDetails(snapshot, address, kNoElements));
  if (details.delegate.empty())
    return tl::unexpected(engine::Unfinished(
        engine::Error{ErrorCode::BadQuery, fmt::format("Object of type '{}' is not a delegate.", details.typeName)}));
  engine::DebuggerNames names(*snapshot.contents().readers);
  run.print("Target           Method           Name\n");
  // SOS takes those of a multicast delegate from the last to the first.
  for (auto target = details.delegate.rbegin(); target != details.delegate.rend(); ++target) {
    const std::string& name = names.ofMethod(target->methodDesc);
    run.print("{} {} {}\n", lowerAddress(target->target ? target->target : address), lowerAddress(target->methodDesc),
              name.empty() ? target->method : name);
  }
  return {};
}

}  // namespace

void addSosObjectCommands(std::vector<SosCommand>& commands) {
  commands.push_back({.names = "dumpobj do",
                      .arguments = "[-nofields] [-refs] ADDRESS",
                      .summary = "An object: type, size and fields",
                      .flags = "-nofields -refs /d",
                      .leastArguments = 1,
                      .mostArguments = 1,
                      .run = dumpObject,
                      .more = "object {}"});
  commands.push_back({.names = "dumpobjgcrefs",
                      .arguments = "ADDRESS",
                      .summary = "What an object refers to",
                      .leastArguments = 1,
                      .mostArguments = 1,
                      .run = dumpReferences,
                      .more = "object {}"});
  commands.push_back({.names = "dumpalc",
                      .arguments = "ADDRESS",
                      .summary = "The AssemblyLoadContext that an object's type was loaded into",
                      .leastArguments = 1,
                      .mostArguments = 1,
                      .needsMetadata = true,
                      .run = dumpLoadContext,
                      .more = "modules"});
  commands.push_back({.names = "dumparray",
                      .arguments = "[-start N] [-length N] [-details] [-nofields] ADDRESS",
                      .summary = "Elements of an array",
                      .flags = "-details -nofields /d",
                      .values = "-start -length",
                      .leastArguments = 1,
                      .mostArguments = 1,
                      .run = dumpArray,
                      .more = "object {}"});
  commands.push_back({.names = "dumpvc",
                      .arguments = "MT ADDRESS",
                      .summary = "Fields of a value type that lies at an address",
                      .flags = "-nofields /d",
                      .leastArguments = 2,
                      .mostArguments = 2,
                      .run = dumpValue});
  commands.push_back({.names = "dumpdelegate",
                      .arguments = "ADDRESS",
                      .summary = "Methods that a delegate calls",
                      .flags = "/d",
                      .leastArguments = 1,
                      .mostArguments = 1,
                      .run = dumpDelegate,
                      .more = "object {}"});
}

}  // namespace heapscape::cli
