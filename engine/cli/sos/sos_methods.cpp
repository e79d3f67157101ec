// SPDX-License-Identifier: MIT
#include "cli/sos/sos_methods.h"

#include "cli/sos/sos_text.h"
#include "runtime/methods/method_code.h"
#include "session/snapshot/contents.h"
#include "session/stacks/source_lines.h"

namespace heapscape::cli {

using engine::Address;
using engine::ErrorCode;
using engine::MethodDesc;
using engine::Module;
using engine::Outcome;
using engine::RuntimeReaders;
using engine::Snapshot;

std::optional<SosMethod> sosMethodAt(const RuntimeReaders& readers, Address address) {
  const auto desc = readers.methods.read(address);
  auto code = readers.code.find(address);
  const auto ofCode = !desc && code ? readers.methods.read(code->methodDesc) : engine::failure(ErrorCode::NotFound, {});
  if (!desc && !ofCode) return std::nullopt;
  SosMethod method{desc ? *desc : *ofCode, nullptr, std::move(code)};
  method.module = readers.methodNames.moduleOf(method.desc);
  if (desc) {
    const std::vector<engine::MethodCode> versions = readers.methodCodes.of(method.desc);
    const engine::MethodCode* active = engine::activeOf(versions);
    method.code = active ? readers.code.find(active->start) : std::nullopt;
  }
  return method;
}

namespace {

constexpr std::uint32_t kMethodTokens = 0x06000000;

const char* tierWord(const std::string& tier, engine::MethodState state) {
  if (state == engine::MethodState::ReadyToRun) return "ReadyToRun";
  if (tier == "tier-0") return "QuickJitted";
  if (tier == "tier-1") return "OptimizedTier1";
  if (tier == "tier-1 OSR") return "OptimizedTier1OSR";
  if (tier == "optimized") return "Optimized";
  if (tier == "unoptimized") return "MinOptJitted";
  if (tier == "tier-0 instrumented") return "QuickJitted + Instrumented";
  if (tier == "tier-1 instrumented") return "OptimizedTier1 + Instrumented";
  return "Unknown Tier";
}

/// Where a method's IL begins, with its head; 0 if there is none, or its image is not in the dump.
Address ilOf(const RuntimeReaders& readers, const MethodDesc& method, const Module* module) {
  const auto row = module && module->metadata ? module->metadata->methodDef(method.row) : std::nullopt;
  if (!row || row->rva == 0) return {};
  return readers.modules.addressOfRva(*module, row->rva).value_or(Address{});
}

}  // namespace

void printSosMethod(SosRun& run, const RuntimeReaders& readers, engine::DebuggerNames& names,
                    const MethodDesc& method) {
  const Module* module = readers.methodNames.moduleOf(method);
  const auto type = readers.methodTables.read(method.methodTable);
  const std::vector<engine::MethodCode> versions = readers.methodCodes.of(method);
  const engine::MethodCode* active = engine::activeOf(versions);
  // SOS has the EEClass there on .NET 8, the method table that shares it from .NET 9 on.
  const bool hasEeClass = readers.runtime.library().version().starts_with("8.");
  const Address shown = !type ? method.methodTable : hasEeClass ? type->eeClass : type->canonical;
  run.print("Method Name:          {}\nClass:                {}\nMethodTable:          {}\n",
            names.ofMethod(method.address), lowerAddress(shown), lowerAddress(method.methodTable));
  run.print("mdToken:              {:016X}\nModule:               {}\nIsJitted:             {}\n",
            kMethodTokens | method.row, lowerAddress(module ? module->address : Address{}), active ? "yes" : "no");
  run.print(
      "Current CodeAddr:     {}\nVersion History:\n  ILCodeVersion:      0000000000000000\n  ReJIT ID:           0\n",
      lowerAddress(active ? active->start : Address{UINT64_MAX}));
  run.print("  IL Addr:            {}\n", lowerAddress(ilOf(readers, method, module)));
  for (auto version = versions.rbegin(); version != versions.rend(); ++version)
    run.print("     CodeAddr:           {}  ({})\n     NativeCodeVersion:  {}\n", lowerAddress(version->start),
              tierWord(version->tier, version->state), upperAddress(version->node));
  if (versions.empty())
    run.print("     CodeAddr:           0000000000000000  (Unknown Tier)\n     NativeCodeVersion:  0000000000000000\n");
}

namespace {

Outcome<void> dumpMethodDesc(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.dump());
  HEAPSCAPE_TRY(const Address address, run.arguments().address(0));
  const RuntimeReaders& readers = *snapshot.contents().readers;
  const auto method = readers.methods.read(address);
  if (!method)
    return tl::unexpected(engine::Unfinished(
        engine::Error{ErrorCode::NotFound, fmt::format("{} is not a MethodDesc", lowerAddress(address))}));
  engine::DebuggerNames names(readers);
  printSosMethod(run, readers, names, *method);
  return {};
}

Outcome<void> ipToMethod(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.dump());
  HEAPSCAPE_TRY(const Address address, run.arguments().address(0));
  const RuntimeReaders& readers = *snapshot.contents().readers;
  const auto code = readers.code.find(address);
  const auto method = code ? readers.methods.read(code->methodDesc) : engine::failure(ErrorCode::NotFound, {});
  if (!method)
    return tl::unexpected(
        engine::Unfinished(engine::Error{ErrorCode::NotFound, "Failed to request MethodData, not in JIT code range"}));
  engine::DebuggerNames names(readers);
  run.print("MethodDesc:   {}\n", lowerAddress(method->address));
  printSosMethod(run, readers, names, *method);
  const engine::FrameSources sources(readers, snapshot.contents().file->path());
  const auto source = sources.of(*code, address, readers.methodNames.moduleOf(*method), method->row);
  if (source.line) run.print("Source file:  {} @ {}\n", source.line->file, source.line->line);
  return {};
}

}  // namespace

void addSosMethodCommands(std::vector<SosCommand>& commands) {
  commands.push_back({.names = "dumpmd",
                      .arguments = "MD",
                      .summary = "A method, and its code",
                      .flags = "/d",
                      .leastArguments = 1,
                      .mostArguments = 1,
                      .needsMetadata = true,
                      .run = dumpMethodDesc,
                      .more = "type --method {}"});
  commands.push_back({.names = "ip2md",
                      .arguments = "ADDRESS",
                      .summary = "The method that an address of code belongs to",
                      .flags = "/d",
                      .leastArguments = 1,
                      .mostArguments = 1,
                      .needsMetadata = true,
                      .run = ipToMethod,
                      .more = "address {}"});
}

}  // namespace heapscape::cli
