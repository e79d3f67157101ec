// SPDX-License-Identifier: MIT
#include "runtime/aot/aot_selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "memory/files/recorded_path.h"
#include "runtime/aot/aot_description.h"
#include "runtime/aot/aot_program.h"
#include "runtime/aot/aot_silent_program.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kLeastMatches = 5;  // members of GcDacVars that have to lead where the descriptor says

/// The constants of the program are in no dump but createdump's; of others its file has them.
Error programFileMissing(const RuntimeLibrary& library) {
  return {ErrorCode::NoRuntime,
          fmt::format("This is a core dump of a Native AOT program without the program's own data: cores of the kernel "
                      "and of gcore leave that to its file, {}, which is not there.",
                      library.path),
          library.buildId.empty()
              ? std::string("Put the program beside the dump, or name its folder with --search.")
              : fmt::format("Put the {} of that process beside the dump, or name its folder with --search; its "
                            "build-id is {}.",
                            fileNameOf(library.path), library.buildId)};
}

const Contract* contractFor(const AotDescription& description) {
  const std::string version = fmt::format("{}.0", description.release);
  const auto& all = Contract::shippedForNativeAot();
  const auto found = std::ranges::find(all, version, &Contract::runtimeVersion);
  return found == all.end() ? nullptr : &*found;
}

/// Finds GcDacVars, which the descriptor of .NET 11 does not name: the only place among the program's variables whose
/// members lead to the very variables that the descriptor tells of.
class GcDacVarsFinder {
 public:
  GcDacVarsFinder(const AddressSpace& space, const Contract& contract, const AotDescription& description)
      : m_space(space) {
    for (const auto& [member, name] : contract.gcVariables()) {
      const auto told = description.gcVariables.find(name);
      if (told != description.gcVariables.end() && told->second)
        m_members.emplace_back(contract.offset("GcDacVars", member), told->second);
    }
  }

  Address find(const std::vector<AddressRange>& data) const {
    if (m_members.size() < kLeastMatches) return {};
    const auto& [offset, first] = m_members.front();
    std::vector<Address> found;
    for (const AddressRange& range : data) {
      for (const AddressRange& part : m_space.present(range)) {
        for (Address at{alignUp(part.start.value, kPointerBytes)}; at + kPointerBytes <= part.end;
             at += kPointerBytes) {
          Address word;
          if (m_space.tryRead(at, word) && word == first && areMembersAt(at - offset)) found.push_back(at - offset);
        }
      }
    }
    return found.size() == 1 ? found.front() : Address{};
  }

 private:
  bool areMembersAt(Address structure) const {
    return std::ranges::all_of(m_members, [&](const auto& member) {
      Address word;
      return m_space.tryRead(structure + member.first, word) && word == member.second;
    });
  }

  const AddressSpace& m_space;
  std::vector<std::pair<std::uint64_t, Address>> m_members;  // offset, and what lies there
};

class NativeAotSelection {
 public:
  NativeAotSelection(const AddressSpace& space, const RuntimeLibrary& library, const AotDescription& description,
                     const Contract& contract)
      : m_space(space), m_library(library), m_description(description), m_selected{contract, {}} {}

  Result<SelectedContract> select() {
    applyMembers(m_description.members);
    applyMembers(m_description.membersOfGc);
    m_selected.isVerified = true;
    m_selected.source = ContractSource::Dump;
    addPointers();
    if (m_description.isSilent && !isFound("RuntimeInstance")) return tl::unexpected<Error>(variablesNotFound());
    if (!areGcVariablesThere()) {
      return failure(ErrorCode::Damaged,
                     "The variables of the garbage collector of this Native AOT program cannot be "
                     "found in this dump.");
    }
    const AotLayout* layout = findAotLayout(m_description.release);
    const auto instance = m_selected.pointers.find("RuntimeInstance");
    if (!layout || instance == m_selected.pointers.end())
      return tl::unexpected<Error>(unsupportedRuntime(m_description.version));
    m_selected.version = !m_description.version.empty()
                             ? m_description.version
                             : versionAmongConstants(m_space, m_library.range, m_description.release);
    if (m_description.isSilent) m_selected.isVerified = m_selected.contract.isVerifiedOn(m_selected.version);
    m_selected.aot = std::make_shared<const AotProgram>(
        m_space, *layout, m_library.range, instance->second,
        AotDebugFile::Program{.path = m_library.path, .buildId = m_library.buildId, .base = m_library.base});
    addWellKnownTypes();
    return std::move(m_selected);
  }

 private:
  void applyMembers(const std::string& json) {
    if (json.empty()) return;
    if (const auto agreement = m_selected.contract.applyDescriptor(json)) m_selected.agreement += *agreement;
  }

  void addPointers() {
    for (const std::string_view name : {"GcDacVars", "FreeObjectMethodTable", "RuntimeInstance", "ThreadStore",
                                        "CrashInfo", "LowestAddress", "HighestAddress"}) {
      const auto told = m_description.globals.find(m_selected.contract.describedName(name));
      if (told != m_description.globals.end() && told->second) m_selected.pointers[std::string(name)] = told->second;
    }
    const Contract& contract = m_selected.contract;
    if (m_description.isSilent) {
      m_selected.source = ContractSource::Shipped;
      m_selected.pointers = findAotVariables(m_space, m_library.description, m_library.range, m_library.data, contract);
    }
    if (const auto instance = m_selected.pointers.find("RuntimeInstance");
        instance != m_selected.pointers.end() && contract.has("RuntimeInstance", "ThreadStore")) {
      m_space.tryRead(instance->second + contract.offset("RuntimeInstance", "ThreadStore"),
                      m_selected.pointers["ThreadStore"]);
    }
    if (!m_selected.pointers.contains("GcDacVars")) {
      if (const Address found = GcDacVarsFinder(m_space, contract, m_description).find(m_library.data))
        m_selected.pointers["GcDacVars"] = found;
    }
  }

  bool isFound(std::string_view name) const { return m_selected.pointers.find(name) != m_selected.pointers.end(); }

  Error variablesNotFound() const {
    return {ErrorCode::NoRuntime,
            fmt::format("This is a core dump of what is most likely a Native AOT program of .NET {}, linked so that it "
                        "tells debuggers nothing of its runtime, whose variables were not found by their look.",
                        m_description.release),
            "Publish it without DebuggerSupport=false, which puts out what describes the runtime."};
  }

  // GcDacVars describes itself by a version.
  bool areGcVariablesThere() const {
    const auto variables = m_selected.pointers.find("GcDacVars");
    std::uint8_t major = 0;
    return variables != m_selected.pointers.end() &&
           m_space.tryRead(variables->second + m_selected.contract.offset("GcDacVars", "MajorVersion"), major) &&
           major == m_selected.contract.constant("GcDacVars.MajorVersion");
  }

  void addWellKnownTypes() {
    for (const auto& [global, name] : m_selected.contract.wellKnownTypes())
      if (const Address type = m_selected.aot->modules.methodTableNamed(name)) m_selected.pointers[global] = type;
  }

  const AddressSpace& m_space;
  const RuntimeLibrary& m_library;
  const AotDescription& m_description;
  SelectedContract m_selected;
};

}  // namespace

Result<SelectedContract> selectNativeAot(const AddressSpace& space, const RuntimeLibrary& library) {
  const auto description = readAotDescription(space, library.description);
  if (!description && description.error().code == ErrorCode::NotInDump)
    return tl::unexpected<Error>(programFileMissing(library));
  if (!description) return tl::unexpected<Error>(description.error());
  if (description->release == 0) {
    return failure(ErrorCode::UnsupportedRuntime,
                   "This is a core dump of what is most likely a Native AOT program, of a version of .NET that this "
                   "program does not know; it reads those of .NET 8 to 11 on Linux x64.",
                   "Look for a newer Heapscape.");
  }
  const Contract* contract = contractFor(*description);
  if (!contract || library.architecture != contract->architecture()) {
    return failure(
        ErrorCode::UnsupportedRuntime,
        fmt::format("This is a core dump of a Native AOT program of .NET {} on {}, which this program "
                    "cannot read; it reads those of .NET 8 to 11 on Linux x64.",
                    description->version.empty() ? std::to_string(description->release) : description->version,
                    toString(library.architecture)),
        "Look for a newer Heapscape.");
  }
  return NativeAotSelection(space, library, *description, *contract).select();
}

}  // namespace heapscape::engine
