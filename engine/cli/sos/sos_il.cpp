// SPDX-License-Identifier: MIT
#include <fmt/printf.h>

#include "cli/sos/sos_command.h"
#include "cli/sos/sos_methods.h"
#include "cli/sos/sos_signatures.h"
#include "cli/sos/sos_text.h"
#include "memory/files/recorded_path.h"
#include "metadata/image/assembly_file.h"
#include "runtime/managed_objects.h"
#include "session/snapshot/contents.h"
#include "values/chain_lengths.h"
#include "values/instance.h"

namespace heapscape::cli {

using engine::Address;
using engine::ErrorCode;
using engine::failure;
using engine::IlClause;
using engine::IlInstruction;
using engine::IlOperand;
using engine::Instance;
using engine::Outcome;
using engine::Result;
using engine::RuntimeReaders;
using engine::Snapshot;

Result<SosIl> readSosIl(const RuntimeReaders& readers, const SosMethod& method) {
  const auto row =
      method.module && method.module->metadata ? method.module->metadata->methodDef(method.desc.row) : std::nullopt;
  if (!row || row->rva == 0)
    return failure(ErrorCode::NotFound,
                   "This method has no IL body (e.g. IL stubs generated for P/Invoke or Reverse P/Invoke marshaling).");
  HEAPSCAPE_TRY(const Address address, readers.modules.addressOfRva(*method.module, row->rva));
  const auto inDump = [&](std::uint64_t offset, std::span<std::byte> target) {
    return readers.runtime.memory().tryRead({offset}, target);
  };
  auto body = engine::readIlBody(inDump, address.value);
  if (!body && body.error().code == ErrorCode::NotInDump) {
    const std::filesystem::path path = engine::recordedPath(method.module->path);
    const auto file =
        path.empty() || method.module->mvid.empty() ? std::nullopt : engine::openAssembly(path, method.module->mvid);
    const auto offset = file ? engine::locateRva(*file, false, row->rva) : failure(ErrorCode::NotFound, {});
    if (offset) body = engine::readIlBody(*file, *offset);
  }
  if (!body) return tl::unexpected<engine::Error>(body.error());
  return SosIl{address, std::move(*body)};
}

std::string ilLine(const IlInstruction& instruction, const std::function<std::string(std::uint32_t)>& nameOf) {
  std::string line = fmt::format("IL_{:04x}: {} ", instruction.offset,
                                 instruction.name.empty() ? std::string_view("unused") : instruction.name);
  switch (instruction.operand) {
    case IlOperand::None:
      return line;
    case IlOperand::Variable:
      return line + fmt::format("VAR OR ARG {}", instruction.number);
    case IlOperand::Integer:
      return line + std::to_string(instruction.number);
    case IlOperand::Real:
      return line + fmt::sprintf("%f", instruction.real);
    case IlOperand::Token:
      return line + nameOf(static_cast<std::uint32_t>(instruction.number));
    case IlOperand::Branch:
      return line + fmt::format("IL_{:04x}", instruction.number);
    case IlOperand::Switch:
      break;
  }
  line += '(';
  for (std::size_t i = 0; i < instruction.targets.size(); ++i)
    line += fmt::format("{}IL_{:04x}", i > 0 ? ", " : "", instruction.targets[i]);
  return line + ')';
}

void IlPrinter::printMarks(std::uint32_t offset) {
  const auto open = [&](const char* word) {
    m_run.print("{0}{1}\n{0}{{\n", std::string(m_indentation, ' '), word);
    m_indentation += 2;
  };
  const auto close = [&](const char* word) {
    m_indentation -= std::min<std::size_t>(m_indentation, 2);
    m_run.print("{}}} // end {}\n", std::string(m_indentation, ' '), word);
  };
  for (const IlClause& clause : m_body.clauses) {
    const char* word = clause.flags == IlClause::kFinally ? ".finally" : ".catch";
    if (clause.tryStart == offset)
      open(".try");
    else if (std::uint64_t{clause.tryStart} + clause.tryBytes == offset)
      close(".try");
    if (clause.handlerStart == offset)
      open(word);
    else if (std::uint64_t{clause.handlerStart} + clause.handlerBytes == offset)
      close(word);
  }
}

std::optional<std::uint32_t> IlPrinter::print(std::uint32_t offset) {
  printMarks(offset);
  const auto instruction = engine::readIlInstruction(m_body.code, offset);
  if (!instruction) return std::nullopt;
  const auto nameOf = [&](std::uint32_t token) {
    return m_metadata ? IlNames(*m_metadata).ofToken(token) : fmt::format("TOKEN {:x}", token);
  };
  m_run.print("{}{}\n", std::string(m_indentation, ' '), ilLine(*instruction, nameOf));
  return instruction->end;
}

namespace {

void printIl(SosRun& run, const SosIl& il, const engine::Metadata* metadata) {
  run.print("ilAddr = {}\n", upperAddress(il.address));
  IlPrinter printer(run, il.body, metadata);
  for (auto offset = std::optional<std::uint32_t>(0); offset && run.goesOn();) offset = printer.print(*offset);
}

engine::Unfinished unfinished(ErrorCode code, std::string what) {
  return engine::Error{code, std::move(what)};
}

/// IL that a program has made at run time, which has no metadata: its tokens number the entries of a list.
class DynamicIlPrinter {
 public:
  DynamicIlPrinter(SosRun& run, const RuntimeReaders& readers)
      : m_run(run), m_readers(readers), m_names(readers), m_sources{readers, m_shapes, &m_chains} {}

  /// `object`: a DynamicMethod, or its resolver.
  Result<void> print(Address object) {
    HEAPSCAPE_TRY(const Instance given, Instance::at(m_sources, object));
    auto resolver = given.follow("_resolver");
    HEAPSCAPE_TRY(const Instance owner, resolver ? std::move(resolver) : Result<Instance>(given));
    HEAPSCAPE_TRY(const engine::ManagedArray code, readArray(owner, "m_code"));
    HEAPSCAPE_TRY(const Instance scope, owner.follow("m_scope"));
    HEAPSCAPE_TRY(const Instance tokens, scope.follow("m_tokens"));
    HEAPSCAPE_TRY(const Address list, tokens.reference("_items"));
    HEAPSCAPE_TRY(m_tokens, readArray(tokens, "_items"));
    m_run.print(
        "This is dynamic IL. Exception info is not reported at this time.\n"
        "If a token is unresolved, run \"dumpobj <addr>\" on the addr given\n"
        "in parenthesis. You can also look at the token table yourself, by\nrunning \"dumparray {}\".\n\n",
        upperAddress(list));
    constexpr std::uint32_t kMostBytes = 16u << 20;
    if (code.elementSize != 1 || code.count > kMostBytes)
      return failure(ErrorCode::Damaged, "The IL of the method is no array of bytes.");
    std::vector<std::byte> bytes(code.count);
    if (!bytes.empty() && !m_readers.runtime.memory().tryRead(code.data, bytes))
      return failure(ErrorCode::NotInDump, "Failed to read memory");
    std::uint32_t offset = 0;
    while (const auto instruction = engine::readIlInstruction(bytes, offset)) {
      m_run.print("{}\n", ilLine(*instruction, [&](std::uint32_t token) { return nameOf(token); }));
      offset = instruction->end;
      if (!m_run.goesOn()) break;
    }
    return {};
  }

 private:
  Address entryOf(std::uint32_t row) const {
    if (row >= m_tokens.count) return {};
    return m_readers.runtime.memory().readPointer(m_tokens.element(row)).value_or(Address{});
  }

  std::string nameOf(std::uint32_t token) {
    const Address entry = entryOf(token & 0xffffff);
    const auto kind = static_cast<engine::TableId>(token >> 24);
    constexpr std::uint32_t kText = 0x70;
    if (token >> 24 == kText) {
      const auto text = engine::readManagedString(m_readers.runtime, entry, kMostText);
      return fmt::format("{:x} \"{}\"", token, text.value_or(std::string()));
    }
    const auto instance = Instance::at(m_sources, entry);
    if (kind == engine::TableId::TypeDef) {
      const auto type = instance ? instance->follow("m_type") : failure(ErrorCode::NotFound, {});
      const auto handle = type ? type->number<std::uint64_t>("m_handle") : failure(ErrorCode::NotFound, {});
      return handle ? fmt::format("{:x} \"{}\"", token, m_names.ofType({*handle})) : "<invalid MethodTable>";
    }
    if (kind == engine::TableId::MethodDef) {
      const auto method = instance ? instance->follow("m_value") : failure(ErrorCode::NotFound, {});
      const auto desc = method ? method->number<std::uint64_t>("m_handle") : failure(ErrorCode::NotFound, {});
      if (desc) return fmt::format("{:x} {}", token, m_names.ofMethod({*desc}));
    }
    return fmt::format("{:x} ({})", token, upperAddress(entry));
  }

  static constexpr std::size_t kMostText = 40;

  SosRun& m_run;
  const RuntimeReaders& m_readers;
  engine::DebuggerNames m_names;
  engine::TypeShapes m_shapes{m_readers};
  engine::ChainLengths m_chains;
  engine::InstanceSources m_sources;
  engine::ManagedArray m_tokens;
};

/// The object that keeps the IL of a method that a program has made itself; 0 if there is none.
Address resolverOf(const RuntimeReaders& readers, Address methodDesc) {
  const engine::ClrRuntime& runtime = readers.runtime;
  const auto resolver = runtime.pointerAt(methodDesc, "DynamicMethodDesc", "Resolver");
  if (!resolver || !*resolver) return {};
  const auto handle = runtime.pointerAt(*resolver, "LCGMethodResolver", "ManagedResolver");
  if (!handle || !*handle) return {};
  return runtime.memory().readPointer(*handle).value_or(Address{});
}

Outcome<void> dumpIl(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.dump());
  HEAPSCAPE_TRY(const Address address, run.arguments().address(0));
  const RuntimeReaders& readers = *snapshot.contents().readers;
  if (run.arguments().has("-i") || run.arguments().has("/i")) {
    const auto read = [&](std::uint64_t offset, std::span<std::byte> target) {
      return readers.runtime.memory().tryRead({offset}, target);
    };
    HEAPSCAPE_TRY(engine::IlBody body, engine::readIlBody(read, address.value));
    printIl(run, {address, std::move(body)}, nullptr);
    return {};
  }
  // An object first: what follows it in memory can look like a MethodDesc.
  const auto type = readers.runtime.memory().readPointer(address);
  if (type && readers.methodTables.isMethodTable({type->value & ~7ull})) {
    HEAPSCAPE_CHECK(DynamicIlPrinter(run, readers).print(address));
    return {};
  }
  const auto desc = readers.methods.read(address);
  if (!desc)
    return tl::unexpected(
        unfinished(ErrorCode::NotFound, fmt::format("{} is not a MethodDesc", upperAddress(address))));
  if (desc->classification == engine::MethodClassification::Dynamic) {
    if (const Address resolver = resolverOf(readers, address)) {
      HEAPSCAPE_CHECK(DynamicIlPrinter(run, readers).print(resolver));
      return {};
    }
  }
  const SosMethod method{*desc, readers.methodNames.moduleOf(*desc)};
  HEAPSCAPE_TRY(const SosIl il, readSosIl(readers, method));
  run.print("ilAddr is {}\n", upperAddress(il.address));
  printIl(run, il, method.module->metadata.get());
  return {};
}

// ---- dumpsig, dumpsigelem

constexpr std::size_t kLongestSignature = 4096;

Outcome<void> dumpSignature(SosRun& run, bool isWhole) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.dump());
  HEAPSCAPE_TRY(const Address address, run.arguments().address(0));
  const RuntimeReaders& readers = *snapshot.contents().readers;
  const engine::Module* module = nullptr;
  if (run.arguments().words().size() > 1) {
    HEAPSCAPE_TRY(const Address moduleAddress, run.arguments().address(1));
    module = readers.modules.find(moduleAddress);
    if (!module || !module->metadata)
      return tl::unexpected(unfinished(
          ErrorCode::NotFound, fmt::format("There is no module with metadata at {}.", lowerAddress(moduleAddress))));
  }
  engine::DebuggerNames names(readers);
  const SosSignatures signatures(module ? module->metadata.get() : nullptr,
                                 [&](Address type) { return names.ofType(type); });
  // How long it is, only its bytes tell; they lie in metadata, of which there is most often more.
  engine::Bytes bytes = readers.runtime.memory().prefix(address, kLongestSignature);
  const auto text = isWhole ? signatures.ofMember(bytes, {}) : signatures.ofType(bytes);
  if (!text) return tl::unexpected(unfinished(ErrorCode::Damaged, "Invalid signature"));
  run.print("{}\n", *text);
  return {};
}

Outcome<void> dumpWholeSignature(SosRun& run) {
  return dumpSignature(run, true);
}
Outcome<void> dumpSignatureElement(SosRun& run) {
  return dumpSignature(run, false);
}

}  // namespace

void addSosIlCommands(std::vector<SosCommand>& commands) {
  commands.push_back({.names = "dumpil",
                      .arguments = "MD | DYNAMICMETHOD | -i ADDRESS",
                      .summary = "The IL of a method",
                      .flags = "-i /i /d",
                      .leastArguments = 1,
                      .mostArguments = 1,
                      .needsMetadata = true,
                      .run = dumpIl,
                      .more = "type --method {}"});
  commands.push_back({.names = "dumpsig",
                      .arguments = "ADDRESS [MODULE]",
                      .summary = "The signature of a method or field at an address",
                      .leastArguments = 1,
                      .mostArguments = 2,
                      .needsMetadata = true,
                      .run = dumpWholeSignature});
  commands.push_back({.names = "dumpsigelem",
                      .arguments = "ADDRESS [MODULE]",
                      .summary = "One type of a signature at an address",
                      .leastArguments = 1,
                      .mostArguments = 2,
                      .needsMetadata = true,
                      .run = dumpSignatureElement});
}

}  // namespace heapscape::cli
