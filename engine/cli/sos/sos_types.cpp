// SPDX-License-Identifier: MIT
#include <strings.h>

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>

#include "base/ascii.h"
#include "cli/sos/sos_command.h"
#include "cli/sos/sos_fields.h"
#include "cli/sos/sos_objects_walk.h"
#include "cli/sos/sos_text.h"
#include "runtime/methods/method_code.h"
#include "runtime/types/ee_class.h"
#include "session/details/object_details.h"
#include "session/snapshot/contents.h"
#include "session/snapshot/heap_presence.h"
#include "session/stacks/source_lines.h"
#include "session/types/debugger_names.h"
#include "session/types/type_details.h"

namespace heapscape::cli {
namespace {

using engine::Address;
using engine::ErrorCode;
using engine::failure;
using engine::MethodDesc;
using engine::MethodTable;
using engine::Module;
using engine::Outcome;
using engine::Result;
using engine::RuntimeReaders;
using engine::Snapshot;

constexpr std::uint32_t kTypeTable = 0x02000000;
constexpr std::uint32_t kMethodTable = 0x06000000;
constexpr std::uint32_t kFieldTable = 0x04000000;
constexpr std::uint32_t kRowMask = 0x00ffffff;
constexpr std::string_view kNoneInCompiled =
    "A Native AOT program has no EEClass, no module, no tokens and no MethodDescs: of its methods a type tells the "
    "virtual ones.";

bool hasCanonicalForClass(const Snapshot& snapshot) {
  const std::string& version = snapshot.summary().runtime.contractVersion;
  return !version.starts_with("8.");
}

std::string pathOf(const Module* module) {
  if (!module) return "Unknown Module";
  return module->path.empty() ? "Unknown Module" : module->path;
}

std::string fileNameOf(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

engine::Unfinished notFound(std::string what) {
  return engine::Error{ErrorCode::NotFound, std::move(what)};
}

// ---- dumpmt, dumpclass

/// The word that says how a method's code came about.
const char* jitWord(const engine::TypeMethod& method) {
  if (method.state == engine::MethodState::Jitted) return "JIT";
  if (method.state == engine::MethodState::ReadyToRun) return "PreJIT";
  return method.classification == "FCall" ? "FCALL" : "NONE";
}

class TypePrinter {
 public:
  TypePrinter(SosRun& run, const Snapshot& snapshot)
      : m_run(run), m_snapshot(snapshot), m_readers(*snapshot.contents().readers), m_names(m_readers) {}

  Outcome<void> printMethodTable(Address address) {
    HEAPSCAPE_TRY(const MethodTable type, read(address));
    HEAPSCAPE_TRY(const engine::TypeDetails details, engine::typeDetails(m_snapshot, type.address));
    if (!m_snapshot.hasAssemblies()) {
      printCompiled(type, details);
      return {};
    }
    m_run.print("Parent:              {}\n", lowerAddress(type.parent));
    if (!hasCanonicalForClass(m_snapshot))
      m_run.print("EEClass:             {}\n", upperAddress(type.eeClass));
    else if (type.canonical != type.address)
      m_run.print("Canonical:           {}\n", lowerAddress(type.canonical));
    const Module* module = m_readers.modules.definingModule(m_readers.methodTables, type);
    m_run.print(
        "Module:              {}\nName:                {}\nmdToken:             {:016X}\nFile:                {}\n",
        upperAddress(module ? module->address : Address{}), m_names.ofType(type.address), tokenOf(type),
        pathOf(module));
    if (const Address context = engine::loadContextObjectOf(m_readers, type))
      m_run.print("AssemblyLoadContext: {}\n", upperAddress(context));
    else
      m_run.print("AssemblyLoadContext: Default ALC - The managed instance of this context doesn't exist yet.\n");
    printSizes(type);
    const auto interfaces = engine::readInterfaceMap(m_readers.runtime, type);
    m_run.print("Has GC Pointers:     {}\nNumber of Methods:   {}\nNumber of IFaces in IFaceMap: {}\n",
                type.containsPointers, details.methods.size(),
                interfaces ? interfaces->interfaces.size() : details.interfaces.size());
    if (m_run.arguments().has("-md") || m_run.arguments().has("-all")) printMethods(details);
    if (m_run.arguments().has("-all")) {
      m_run.print("--------------------------------------\nAdditional Details\n");
      printDetails(type);
    }
    return {};
  }

  /// `address`: of the method table, or of the EEClass itself.
  Outcome<void> printClass(Address address) {
    const auto ofClass = m_readers.runtime.pointerAt(address, "EEClass", "MethodTable");
    const auto owner = ofClass ? m_readers.methodTables.read(*ofClass) : failure(ErrorCode::NotFound, {});
    const bool isClass = !m_readers.methodTables.isMethodTable(address) && owner && owner->eeClass == address;
    HEAPSCAPE_TRY(const MethodTable type, read(isClass ? *ofClass : address));
    if (!m_snapshot.hasAssemblies()) return printCompiledClass(type);
    const Module* module = m_readers.modules.definingModule(m_readers.methodTables, type);
    m_run.print("Class Name:      {}\nmdToken:         {:016X}\nFile:            {}\nParent:    {}\n",
                m_names.ofType(type.address), tokenOf(type), pathOf(module), lowerAddress(type.parent));
    m_run.print("Module:          {}\nMethod Table:    {}\n", lowerAddress(module ? module->address : Address{}),
                lowerAddress(type.address));
    if (hasCanonicalForClass(m_snapshot) && type.canonical != type.address)
      m_run.print("Canonical:    {}\n", lowerAddress(type.canonical));
    printDetails(type);
    return {};
  }

 private:
  // Of strings the runtime's interface leaves out the terminator.
  void printSizes(const MethodTable& type) {
    const bool isString = m_names.ofType(type.address) == "System.String";
    m_run.print("BaseSize:            {:#x}\n", type.baseSize - (isString ? sizeof(char16_t) : 0));
    if (type.componentSize != 0) m_run.print("ComponentSize:       {:#x}\n", type.componentSize);
  }

  /// The assembly that a type of a program compiled ahead of time was declared in, if that is told.
  std::string assemblyOfCompiled(const MethodTable& type) const {
    const auto told = m_readers.fields.toldDeclarationOf(type);
    return told && !told->assembly.empty() ? told->assembly : "not told";
  }

  void printCompiled(const MethodTable& type, const engine::TypeDetails& details) {
    m_run.print("Parent:              {}\nName:                {}\nAssembly:            {}\n",
                lowerAddress(type.parent), m_names.ofType(type.address), assemblyOfCompiled(type));
    printSizes(type);
    m_run.print("Has GC Pointers:     {}\nVtable Slots:        {}\nNumber of IFaces in IFaceMap: {}\n",
                type.containsPointers, details.vtableSlots, details.interfaces.size());
    if (m_run.arguments().has("-md") || m_run.arguments().has("-all")) printMethods(details);
    if (m_run.arguments().has("-all")) {
      m_run.print("--------------------------------------\nAdditional Details\n");
      printCompiledFields(type, details);
    }
    m_run.print("{}\n", kNoneInCompiled);
  }

  Outcome<void> printCompiledClass(const MethodTable& type) {
    HEAPSCAPE_TRY(const engine::TypeDetails details, engine::typeDetails(m_snapshot, type.address));
    m_run.print("Class Name:      {}\nAssembly:        {}\nParent:          {}\nMethod Table:    {}\n",
                m_names.ofType(type.address), assemblyOfCompiled(type), lowerAddress(type.parent),
                lowerAddress(type.address));
    m_run.print("Vtable Slots:    {}\n", details.vtableSlots);
    printCompiledFields(type, details);
    m_run.print("{}\n", kNoneInCompiled);
    return {};
  }

  void printCompiledFields(const MethodTable& type, const engine::TypeDetails& details) {
    if (!m_snapshot.hasFields()) {
      m_run.print("Fields:              not told. {}\n", engine::lackOfFields(m_snapshot).help);
      return;
    }
    m_run.print("NumInstanceFields:   {}\nNumStaticFields:     {}\n", details.instanceFieldCount,
                details.staticFieldCount);
    if (details.threadStaticFieldCount != 0) m_run.print("NumThreadStaticFields: {}\n", details.threadStaticFieldCount);
    if (!details.fields.empty() || details.staticFieldCount != 0)
      SosFields(m_run, m_readers, m_names).print(type, SosFieldsOf::Type, {});
  }

  Outcome<MethodTable> read(Address address) const {
    auto type = m_readers.methodTables.read({address.value & ~3ull});
    if (!type) return tl::unexpected(notFound(fmt::format("{} is not a MethodTable", lowerAddress(address))));
    return std::move(*type);
  }

  std::uint32_t tokenOf(const MethodTable& type) const {
    return kTypeTable | m_readers.methodTables.typeDefRow(type).value_or(0);
  }

  void printMethods(const engine::TypeDetails& details) {
    m_run.print("--------------------------------------\nMethodDesc Table\n{:>16} {:>16} {:>6} {:<16} Name\n", "Entry",
                "MethodDesc", "JIT", "Slot");
    for (const engine::TypeMethod& method : details.methods) {
      m_run.print("{} {} {:>6} {:016X} {}\n", upperAddress(method.entry), upperAddress(method.methodDesc),
                  jitWord(method), method.slot, m_names.ofMethod(method.methodDesc));
      if (!m_run.goesOn()) return;
    }
  }

  void printDetails(const MethodTable& type) {
    const auto details = engine::typeDetails(m_snapshot, type.address);
    const std::uint32_t attributes = details ? details->attributes : 0;
    std::string words;
    if (attributes & 0x20) words += "Interface ";
    if (attributes & 0x80) words += "Abstract ";
    if (attributes & 0x1000) words += "ComImport ";
    if (attributes & 0x100) words += "Sealed ";
    m_run.print("Class Attributes:    {:08x}  {}\n", attributes, words);
    if (const auto slots = m_readers.methodSlots.countsOf(type); slots && tellsSlots()) {
      if (slots->virtuals != 0) m_run.print("Vtable Slots:    {}\n", slots->virtuals);
      if (slots->total != 0) m_run.print("Total Method Slots:  {}\n", slots->total);
    }
    const auto counts = engine::readEEClassCounts(m_readers.runtime, type);
    if (!counts) return;
    m_run.print("NumInstanceFields:   {}\nNumStaticFields:     {}\n", counts->instanceFields, counts->staticFields);
    if (counts->threadStaticFields != 0) m_run.print("NumThreadStaticFields: {}\n", counts->threadStaticFields);
    if (counts->instanceFields + counts->staticFields == 0) return;
    SosFields(m_run, m_readers, m_names).print(type, SosFieldsOf::Type, {});
  }

  /// Until .NET 9 the runtime's interface tells them.
  bool tellsSlots() const { return !hasCanonicalForClass(m_snapshot); }

  SosRun& m_run;
  const Snapshot& m_snapshot;
  const RuntimeReaders& m_readers;
  engine::DebuggerNames m_names;
};

Outcome<void> dumpMethodTable(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.dump());
  HEAPSCAPE_TRY(const Address address, run.arguments().address(0));
  return TypePrinter(run, snapshot).printMethodTable(address);
}

Outcome<void> dumpClass(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.dump());
  HEAPSCAPE_TRY(const Address address, run.arguments().address(0));
  return TypePrinter(run, snapshot).printClass(address);
}

// ---- name2ee, token2ee

bool isModuleNamed(const Module& module, const std::string& name) {
  const std::string file = fileNameOf(module.path.empty() ? module.name : module.path);
  const std::string simple = file.substr(0, file.rfind('.'));
  return strcasecmp(file.c_str(), name.c_str()) == 0 || strcasecmp(simple.c_str(), name.c_str()) == 0 ||
         strcasecmp(module.path.c_str(), name.c_str()) == 0;
}

/// Finds types, methods and fields by parts of their names, module by module, as name2ee does.
class NameSearch {
 public:
  NameSearch(SosRun& run, const RuntimeReaders& readers) : m_run(run), m_readers(readers), m_names(readers) {}

  Outcome<void> run(const std::string& moduleName, std::string item) {
    std::ranges::replace(item, '/', '+');
    const bool isAll = moduleName == "*";
    std::size_t without = 0;
    for (const Module* module : m_readers.modules.all()) {
      if (!isAll && !isModuleNamed(*module, moduleName)) continue;
      if (m_run.stop().stop_requested()) return tl::unexpected(engine::Unfinished::cancelled());
      if (search(*module, item)) continue;
      if (isAll) {
        ++without;
      } else {
        beginModule(*module);
        ++m_modules;
      }
    }
    if (isAll && without > 0) {
      if (m_modules > 0) m_run.print("--------------------------------------\n");
      m_run.print("\nScanned {} module{} which had no matches.\n", without, without == 1 ? "" : "s");
    }
    if (m_modules == 0 && without == 0)
      return tl::unexpected(notFound(fmt::format("Failed to find module matching '{}'.", moduleName)));
    return {};
  }

 private:
  void beginModule(const Module& module) {
    if (m_modules > 0) m_run.print("--------------------------------------\n");
    const std::string file = fileNameOf(module.path);
    m_run.print("Module:      {}\nAssembly:    {}\n", lowerAddress(module.address),
                file.empty() ? module.isDynamic ? "<dynamic>" : "<unknown>" : file);
  }

  bool search(const Module& module, const std::string& item) {
    if (!module.metadata) return false;
    bool isFound = false;
    const std::size_t dot = memberDotOf(item);
    const std::uint32_t rows = module.metadata->rowCount(engine::TableId::TypeDef);
    for (std::uint32_t row = 1; row <= rows; ++row) {
      const Address methodTable = m_readers.loadedTypes.definition(module, row);
      if (!methodTable) continue;
      const std::string name = m_readers.names.nameOf(methodTable);
      if (engine::holdsIgnoringCase(name, item)) {
        begin(module, isFound);
        printType(methodTable, kTypeTable | row, name);
      } else if (dot != std::string::npos && engine::holdsIgnoringCase(name, item.substr(0, dot))) {
        printMember(module, isFound, methodTable, item.substr(dot + 1));
      }
    }
    return isFound;
  }

  /// Where a member's name begins behind its type's: the last dot, but ".ctor" has one itself.
  static std::size_t memberDotOf(const std::string& item) {
    std::size_t dot = item.rfind('.');
    if (dot == std::string::npos || dot == 0) return std::string::npos;
    return item[dot - 1] == '.' ? dot - 1 : dot;
  }

  void begin(const Module& module, bool& isFound) {
    if (isFound)
      m_run.print("-----------------------\n");
    else
      beginModule(module);
    if (!isFound) ++m_modules;
    isFound = true;
  }

  void printType(Address methodTable, std::uint32_t token, const std::string& name) {
    m_run.print("Token:       {:016x}\nMethodTable: {}\nName:        {}\n", token, lowerAddress(methodTable), name);
  }

  void printMember(const Module& module, bool& isFound, Address methodTable, const std::string& member) {
    const auto type = m_readers.methodTables.read(methodTable);
    if (!type) return;
    engine::FindingList findings;
    for (const engine::MethodDescChunk& chunk : m_readers.methods.chunksOf(*type, findings)) {
      for (const MethodDesc& method : chunk.methods) {
        if (m_readers.methodNames.bareName(method) != member) continue;
        begin(module, isFound);
        m_run.print("Token:       {:016x}\n", kMethodTable | method.row);
        printCode(method);
        return;
      }
    }
    const auto fields = m_readers.fields.declaredBy(*type);
    if (!fields || std::ranges::find(*fields, member, &engine::FieldDesc::name) == fields->end()) return;
    begin(module, isFound);
    m_run.print("Field {} (mdToken token) of\n", member);
    printType(methodTable, kTypeTable | m_readers.methodTables.typeDefRow(*type).value_or(0),
              m_readers.names.nameOf(methodTable));
  }

 public:
  void printCode(const MethodDesc& method) {
    m_run.print("MethodDesc:  {}\nName:        {}\n", lowerAddress(method.address), m_names.ofMethod(method.address));
    const std::vector<engine::MethodCode> versions = m_readers.methodCodes.of(method);
    if (const engine::MethodCode* active = engine::activeOf(versions)) {
      m_run.print("JITTED Code Address: {}\n", lowerAddress(active->start));
    } else {
      m_run.print("Not JITTED yet. Use !bpmd -md {} to break on run.\n", lowerAddress(method.address));
    }
  }

 private:
  SosRun& m_run;
  const RuntimeReaders& m_readers;
  engine::DebuggerNames m_names;
  std::size_t m_modules = 0;
};

Outcome<void> nameToType(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.dump());
  std::string module = run.arguments().words().front();
  std::string item = run.arguments().words().size() > 1 ? run.arguments().words()[1] : std::string();
  if (item.empty()) {
    const std::size_t mark = module.find('!');
    if (mark == std::string::npos || mark == 0 || mark + 1 == module.size())
      return tl::unexpected(engine::Unfinished(
          engine::Error{ErrorCode::BadQuery, "It needs a module and a name.",
                        "Usage: name2ee MODULE NAME, or name2ee MODULE!NAME; * stands for all modules."}));
    item = module.substr(mark + 1);
    module.resize(mark);
  }
  return NameSearch(run, *snapshot.contents().readers).run(module, item);
}

/// The MethodDesc of a MethodDef row: of its declaring type's open form, if that is generic. 0 if it is not loaded.
Address methodOfRow(const RuntimeReaders& readers, const Module& module, std::uint32_t row) {
  const std::uint32_t declaring = module.metadata->typeDefOfMethod(row);
  const auto type = readers.methodTables.read(readers.loadedTypes.definition(module, declaring));
  if (!type) return {};
  engine::FindingList findings;
  for (const engine::MethodDescChunk& chunk : readers.methods.chunksOf(*type, findings)) {
    const auto found = std::ranges::find(chunk.methods, row, &MethodDesc::row);
    if (found != chunk.methods.end()) return found->address;
  }
  return {};
}

Outcome<void> tokenToType(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.dump());
  HEAPSCAPE_TRY(const Address token, run.arguments().address(1));
  const RuntimeReaders& readers = *snapshot.contents().readers;
  const std::string& moduleName = run.arguments().words().front();
  const auto table = static_cast<std::uint32_t>(token.value) & ~kRowMask;
  const std::uint32_t row = static_cast<std::uint32_t>(token.value) & kRowMask;
  if (table != kTypeTable && table != kMethodTable && table != kFieldTable)
    return tl::unexpected(engine::Unfinished(engine::Error{ErrorCode::BadQuery, "This token type is not supported."}));
  NameSearch printer(run, readers);
  std::size_t found = 0;
  std::size_t without = 0;
  for (const Module* module : readers.modules.all()) {
    const bool isAll = moduleName == "*";
    if (!module->metadata || (!isAll && !isModuleNamed(*module, moduleName))) continue;
    const Address type = table == kTypeTable ? readers.loadedTypes.definition(*module, row) : Address{};
    const Address method = table == kMethodTable ? methodOfRow(readers, *module, row) : Address{};
    const auto field = table == kFieldTable ? module->metadata->field(row) : std::nullopt;
    if (isAll && !type && !method && !field) {
      ++without;
      continue;
    }
    if (found++ > 0) run.print("--------------------------------------\n");
    run.print("Module:      {}\nAssembly:    {}\nToken:       {:08x}\n", lowerAddress(module->address),
              fileNameOf(module->path), static_cast<std::uint32_t>(token.value));
    if (type)
      run.print("MethodTable: {}\nName:        {}\n", lowerAddress(type), readers.names.nameOf(type));
    else if (method)
      printer.printCode(readers.methods.read(method).value_or(MethodDesc{}));
    else if (field)
      run.print("Field name:  {}\n", field->name);
    else
      run.print("{}\n", table == kTypeTable ? "MethodTable: <not loaded yet>" : "MethodDesc:  <not loaded yet>");
  }
  if (without > 0)
    run.print("{}\nScanned {} module{} which had no matches.\n",
              found > 0 ? "--------------------------------------\n" : "", without, without == 1 ? "" : "s");
  if (found + without == 0)
    return tl::unexpected(notFound(fmt::format("Failed to find module matching '{}'.", moduleName)));
  return {};
}

// ---- dumpruntimetypes

/// Where objects that stand for types keep the type.
class TypeObjects {
 public:
  explicit TypeObjects(const RuntimeReaders& readers)
      : m_readers(readers), m_type(readers.runtime.globalPointer("RuntimeTypeMethodTable").value_or(Address{})) {}

  bool areKnown() const { return static_cast<bool>(m_type); }
  /// The type that an object of a type stands for; 0 if it stands for none.
  Address targetOf(Address object, Address methodTable) {
    const auto [known, isNew] = m_offsets.try_emplace(methodTable);
    if (isNew) known->second = offsetIn(methodTable);
    Address target;
    if (known->second) m_readers.runtime.memory().tryRead(object + *known->second, target);
    return target;
  }

 private:
  std::optional<std::uint64_t> offsetIn(Address methodTable) const {
    const engine::Contract& contract = m_readers.runtime.contract();
    if (!isOrDerivesFrom(methodTable)) return std::nullopt;
    if (contract.has("RuntimeType", "Handle")) return contract.offset("RuntimeType", "Handle");
    // Of CoreCLR the type itself has the field; .NET 8 compiled ahead of time has it in types that derive from this.
    for (Address at = methodTable; at;) {
      const auto type = m_readers.methodTables.read(at);
      const auto fields = type ? m_readers.fields.declaredBy(*type) : failure(ErrorCode::NotFound, {});
      if (!fields) return std::nullopt;
      for (const engine::FieldDesc& field : *fields)
        if (field.name == "m_handle" || field.name == "_typeHandle") return engine::kFieldsStart + field.offset;
      if (at == m_type) break;
      at = type->parent;
    }
    return std::nullopt;
  }

  bool isOrDerivesFrom(Address methodTable) const {
    for (std::size_t i = 0; methodTable && i < kMostTypeParents; ++i) {
      if (methodTable == m_type) return true;
      const auto type = m_readers.methodTables.read(methodTable);
      methodTable = type ? type->parent : Address{};
    }
    return false;
  }

  static constexpr std::size_t kMostTypeParents = 100;  // a handful are usual

  const RuntimeReaders& m_readers;
  const Address m_type;
  std::unordered_map<Address, std::optional<std::uint64_t>> m_offsets;
};

Outcome<void> dumpRuntimeTypes(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.heap());
  const RuntimeReaders& readers = *snapshot.contents().readers;
  TypeObjects objects(readers);
  if (!objects.areKnown()) return tl::unexpected(notFound("The type System.RuntimeType is not known."));
  const Address domain = readers.runtime.globalPointer("AppDomain").value_or(Address{});
  bool isFirst = true;
  forEachInSosOrder(snapshot, {}, run.stop(), [&](const engine::ObjectRow& row) {
    const Address target = objects.targetOf(row.address, snapshot.types()[row.type.value].methodTable);
    if (!target) return true;
    if (isFirst) run.print("{:>16} {:>16} {:>16} Type Name\n", "Address", "Domain", "MT");
    isFirst = false;
    const bool isInDomain = domain && !readers.methodTables.isTypeDesc(target);
    run.print("{:>16} {:>16} {:>16} {}\n", shortAddress(row.address), isInDomain ? shortAddress(domain) : "",
              shortAddress(target), readers.names.nameOf(target));
    return run.goesOn();
  });
  if (isFirst) run.print("No System.RuntimeType objects found.\n");
  return {};
}

}  // namespace

void addSosTypeCommands(std::vector<SosCommand>& commands) {
  SosCommand like{.flags = "-md -all /d", .leastArguments = 1, .mostArguments = 1, .more = "type {}"};
  addLike(commands, like, "dumpmt", "[-md] [-all] MT", "A method table, and its methods", dumpMethodTable);
  like.flags = "/d";
  addLike(commands, like, "dumpclass", "MT", "Fields of a type, with its statics", dumpClass);
  like.more = "";
  like.mostArguments = 2;
  like.needsMetadata = true;
  addLike(commands, like, "name2ee", "MODULE NAME | MODULE!NAME", "Types, methods and fields by their names",
          nameToType);
  like.leastArguments = 2;
  addLike(commands, like, "token2ee", "MODULE TOKEN", "The type, method or field of a token", tokenToType);
  addLike(commands, {}, "dumpruntimetypes", "", "Objects that stand for types, and which", dumpRuntimeTypes);
}

}  // namespace heapscape::cli
