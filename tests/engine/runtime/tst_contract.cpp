// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "runtime/contract/contract.h"

namespace heapscape::engine {
namespace {

using Member = std::pair<std::string, std::string>;

std::string textOf(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::filesystem::path> sources() {
  std::vector<std::filesystem::path> files;
  for (const char* folder : {"runtime", "stacks", "heap", "graph", "layout", "values", "session"}) {
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(std::filesystem::path(ENGINE_SOURCES) / folder)) {
      if (entry.path().extension() == ".cpp" || entry.path().extension() == ".h") files.push_back(entry.path());
    }
  }
  return files;
}

/// Members of the runtime's structures that the engine's sources name: ("Thread", "OSId").
std::set<Member> membersReadBySources() {
  static const std::regex kMember(R"re((?:pointerAt|valueAt<[^>]*>|member|offset|has)\([^"();]*"(\w+)", "(\w+)"\))re");
  std::set<Member> members;
  for (const auto& file : sources()) {
    const std::string text = textOf(file);
    for (std::sregex_iterator match(text.begin(), text.end(), kMember), end; match != end; ++match) {
      members.emplace((*match)[1], (*match)[2]);
    }
  }
  return members;
}

std::set<std::string> namesReadBySources(const std::regex& pattern) {
  std::set<std::string> names;
  for (const auto& file : sources()) {
    const std::string text = textOf(file);
    for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match)
      names.insert((*match)[1]);
  }
  return names;
}

/// Members that only some versions have; the readers ask which.
const std::set<Member> kOnlyIn8{{"EEClass", "FieldsArePacked"},
                                {"EEClass", "CbFixedFields"},
                                {"Thread", "AllocContext"},
                                {"MethodTable", "LoaderModule"},
                                {"MethodTable", "Flags2"},
                                {"Module", "DynamicMetadataSBuffer"},
                                {"SBuffer", "Size"},
                                {"SBuffer", "Buffer"},
                                {"MethodTable", "NumVirtuals"},
                                {"AppDomain", "MethodDescVersioningStates"},
                                {"SHash", "Table"},
                                {"SHash", "TableSize"},
                                {"DomainLocalModule", "GCStatics"},
                                {"DynamicClassInfo", "Entry"},
                                {"DynamicClassInfo", "Flags"},
                                {"EEClassOptionalFields", "ModuleDynamicID"},
                                {"EEClassLayoutInfo", "ManagedSize"},  // in 9, too
                                {"GenericsStaticsInfo", "DynamicTypeID"},
                                {"MulticastFrame", "MethodDesc"},
                                {"MulticastFrame", "TransitionBlock"},
                                {"Module", "DomainLocalModule"},
                                {"Module", "ModuleIndex"},
                                {"Thread", "ThreadLocalModuleTable"},
                                {"Thread", "ThreadLocalModuleTableSize"},
                                {"ThreadLocalModule", "GCStaticsHandle"}};
const std::set<Member> kSince9{{"ExceptionInfo", "Kind"},
                               {"EEClass", "NumInstanceFields"},
                               {"ExceptionInfo", "PassNumber"},
                               {"EEClass", "NumStaticFields"},
                               {"Thread", "RuntimeThreadLocals"},
                               {"RuntimeThreadLocals", "AllocContextPointer"},
                               {"MethodTable", "Module"},
                               {"MethodTableAuxiliaryData", "LoaderModule"},
                               {"Module", "DynamicMetadata"},
                               {"DynamicMetadata", "Size"},
                               {"DynamicMetadata", "Data"},
                               {"MethodDesc", "CodeData"},
                               {"MethodDescCodeData", "VersioningState"},
                               {"MethodTableAuxiliaryData", "OffsetToNonVirtualSlots"},
                               {"DynamicStaticsInfo", "GCStatics"},
                               {"DynamicStaticsInfo", "NonGCStatics"},
                               {"Thread", "ThreadLocalDataPtr"},
                               {"ThreadLocalData", "InFlightData"},
                               {"InFlightTLSData", "Next"},
                               {"InFlightTLSData", "TLSData"},
                               {"InFlightTLSData", "TlsIndex"},
                               {"ThreadStaticsInfo", "GCTlsIndex"},
                               {"ThreadStaticsInfo", "NonGCTlsIndex"}};
const std::set<Member> kSince10{{"GcDacVars", "DynamicAdaptationMode"},
                                {"ManagedObjectWrapperHolder", "Wrapper"},
                                {"SoftwareExceptionFrame", "TargetContext"}};
// Frames of helpers are gone, and wrappers of COM are objects.
const std::set<Member> kUntil9{{"FCallHashEntry", "MethodDesc"},
                               {"FCallHashEntry", "Next"},
                               {"FCallHashEntry", "Target"},
                               {"HelperMethodFrame", "Attributes"},
                               {"HelperMethodFrame", "FCallEntry"},
                               {"HelperMethodFrame", "MachState"},
                               {"HelperMethodFrame", "MethodDesc"},
                               {"HelperMethodFrame_1OBJ", "ObjectPointers"},
                               {"HelperMethodFrame_PROTECTOBJ", "Count"},
                               {"HelperMethodFrame_PROTECTOBJ", "ObjectRefs"},
                               {"InteropSyncBlockInfo", "ManagedObjectComWrapperMap"},
                               {"MachState", "IsValid"},
                               {"MachState", "ReturnAddress"},
                               {"ManagedObjectWrapperEntry", "Dispatch"},
                               {"ManagedObjectWrapperMap", "Table"},
                               {"ManagedObjectWrapperMap", "TableSize"}};
const std::set<Member> kUntil10{{"AppDomain", "DomainAssemblyList"},
                                {"ArrayClass", "Rank"},
                                {"DebugBlockingItem", "Monitor"},
                                {"DebugBlockingItem", "Type"},
                                {"DomainAssembly", "Assembly"},
                                {"EEClassOptionalFields", "RequiredFieldAlignment"},
                                {"GcMemorySettings", "TotalPhysical"},
                                {"SyncBlock", "HoldingOSThreadId"},
                                {"SyncBlock", "HoldingThread"},
                                {"SyncBlock", "LockState"},
                                {"SyncBlock", "Recursion"},
                                {"Thread", "DebugBlockingInfo"},
                                {"Thread", "HijackedFunction"}};
// Monitors are objects, and so is what suspended methods keep.
const std::set<Member> kSince11{
    {"AppDomain", "AssemblyList"},     {"AsyncMethodData", "Flags"},   {"AsyncResumeInfo", "DiagnosticIP"},
    {"ContinuationObject", "Flags"},   {"ContinuationObject", "Next"}, {"ManagedLock", "OwningThreadId"},
    {"ManagedLock", "RecursionCount"}, {"ManagedLock", "State"},       {"SyncBlock", "Lock"},
    {"SyncBlock", "ThinLock"}};
const std::set<std::string> kGlobalsUntil9{"FCallMethods"};
const std::set<std::string> kGlobalsSince11{"ContinuationEEClass"};

// Of one processor only.
const std::set<Member> kOnlyOfX64{{"EEClassOptionalFields", "EightByteClassifications"},
                                  {"EEClassOptionalFields", "EightByteSizes"},
                                  {"EEClassOptionalFields", "NumEightBytes"},
                                  {"RuntimeFunction", "EndAddress"}};
const std::set<Member> kOnlyOfArm64{
    {"MachState", "IsValid"}, {"MachState", "ReturnAddress"}, {"TransitionBlock", "ReturnBuffer"}};

/// The contracts of all processors.
std::vector<const Contract*> allContracts() {
  std::vector<const Contract*> all;
  for (const auto architecture : {Architecture::X64, Architecture::Arm64})
    for (const Contract& contract : Contract::shipped(architecture)) all.push_back(&contract);
  return all;
}

/// Since which major version, 8 to 11, a contract's runtime is.
int versionOf(const Contract& contract) {
  return std::stoi(contract.runtimeVersion());
}

/// Whether a version has what is listed for some versions only.
template <class Name, class Sets>
bool isOf(int version, const Name& name, const Sets& sets) {
  for (const auto& [first, last, names] : sets) {
    if (names->contains(name)) return version >= first && version <= last;
  }
  return true;
}
template <class Name>
struct Span {
  int first = 8;
  int last = 99;
  const std::set<Name>* names = nullptr;
};

TEST(Contract, FindsEachMemberAndConstantByItsName) {
  for (std::size_t i = 0; i < kShippedContracts.size(); ++i) {
    const auto json = nlohmann::json::parse(kShippedContracts[i]);
    const Contract& contract = Contract::shipped()[i];
    const auto numberOf = [](const nlohmann::json& value) {
      return value.is_string() ? std::strtoull(value.get<std::string>().c_str(), nullptr, 0)
                               : value.get<std::uint64_t>();
    };
    for (const auto& [type, members] : json["types"].items()) {
      for (const auto& [member, value] : members.items()) {
        if (!value.is_null()) {
          EXPECT_EQ(contract.offset(type, member), numberOf(value)) << type << "." << member;
        }
      }
      EXPECT_EQ(contract.offset(type, "NoSuchMember"), Contract::kAbsentOffset);
    }
    for (const auto& [name, value] : json["constants"].items()) {
      if (value.is_array()) continue;
      EXPECT_EQ(contract.constant(name), numberOf(value)) << name;
    }
    EXPECT_EQ(contract.constant("NoSuchConstant"), 0u);
  }
}

TEST(ShippedContracts, AreAllReadable) {
  ASSERT_EQ(Contract::shipped().size(), kShippedContracts.size());
  std::vector<std::string> versions;
  for (const Contract& contract : Contract::shipped()) {
    versions.push_back(contract.runtimeVersion());
    EXPECT_FALSE(contract.verifiedOn().empty());
    EXPECT_FALSE(contract.globalTables().empty());
  }
  EXPECT_EQ(versions, (std::vector<std::string>{"8.0", "9.0", "10.0", "11.0"}));
}

TEST(ShippedContracts, AreFoundByTheReleaseTheyAreFor) {
  for (const Architecture architecture : {Architecture::X64, Architecture::Arm64}) {
    const auto& all = Contract::shipped(architecture);
    for (const Contract& contract : all) {
      const auto found = Contract::shippedFor(contract.runtimeVersion() + ".3", architecture);
      ASSERT_EQ(found.size(), 1u);
      EXPECT_EQ(found.front().runtimeVersion(), contract.runtimeVersion());
      EXPECT_EQ(found.front().architecture(), architecture);
    }
    EXPECT_TRUE(Contract::shippedFor("7.0.3", architecture).empty());
    EXPECT_TRUE(Contract::shippedFor("1", architecture).empty());
    EXPECT_EQ(Contract::shippedFor("", architecture).size(), all.size());
  }
}

TEST(ShippedContracts, HaveEveryMemberThatTheReadersAskFor) {
  const auto members = membersReadBySources();
  EXPECT_GT(members.size(), 50u);
  const std::vector<Span<Member>> spans{{.last = 8, .names = &kOnlyIn8},  {.first = 9, .names = &kSince9},
                                        {.last = 9, .names = &kUntil9},   {.first = 10, .names = &kSince10},
                                        {.last = 10, .names = &kUntil10}, {.first = 11, .names = &kSince11}};
  // What only programs compiled ahead of time have.
  const auto isOfNativeAot = [](const Member& member) {
    const auto hasIt = [&](const Contract& contract) { return contract.has(member.first, member.second); };
    return std::ranges::none_of(Contract::shipped(), hasIt) &&
           std::ranges::any_of(Contract::shippedForNativeAot(), hasIt);
  };
  for (const Contract* contract : allContracts()) {
    const bool isX64 = contract->architecture() == Architecture::X64;
    for (const auto& member : members) {
      const auto& [type, field] = member;
      if (isOfNativeAot(member)) continue;
      if (!isOf(versionOf(*contract), member, spans) || (isX64 ? kOnlyOfArm64 : kOnlyOfX64).contains(member)) continue;
      EXPECT_TRUE(contract->has(type, field))
          << contract->runtimeVersion() << ": " << type << "." << field << (isX64 ? " of x64" : " of arm64");
    }
  }
}

TEST(ShippedContracts, HaveEveryGlobalThatTheReadersAskFor) {
  const auto globals = namesReadBySources(
      std::regex(R"re((?:globalPointer|globalVariable|isGlobal\([^"]*|tryValue|methodTableIs)\(?"(\w+)")re"));
  EXPECT_GT(globals.size(), 8u);
  const std::vector<Span<std::string>> spans{{.last = 9, .names = &kGlobalsUntil9},
                                             {.first = 11, .names = &kGlobalsSince11}};
  for (const Contract& contract : Contract::shipped()) {
    for (const auto& table : contract.globalTables()) {
      for (const std::string& name : globals) {
        const bool isOfNativeAot = std::ranges::any_of(
            Contract::shippedForNativeAot(), [&](const Contract& each) { return !each.describedName(name).empty(); });
        if (!isOf(versionOf(contract), name, spans) || (isOfNativeAot && !table.indexOf.contains(name))) continue;
        ASSERT_TRUE(table.indexOf.contains(name)) << contract.runtimeVersion() << ": " << name;
        EXPECT_LT(table.indexOf.find(name)->second, table.entryCount) << name;
      }
    }
  }
}

TEST(ShippedContracts, HaveEveryConstantThatTheReadersAskFor) {
  const auto names = namesReadBySources(std::regex(R"re(constant\("([\w.]+)"\))re"));
  EXPECT_GT(names.size(), 15u);
  // Zero is what an unknown constant reads as, so it must be meant where it is read.
  const std::set<std::string> onlyIn8{
      "WFlags2.HasModuleOverride",  "WFlags2.MultipurposeMask",        "MethodTable.TokenOverflow",
      "WFlags2.HasNonVirtualSlots", "WFlags2.HasSingleNonVirtualSlot", "ClassInitFlags.Initialized",
      "MTFlags.StaticsMask",        "MTFlags.Statics.Dynamic",         "MTFlags.Statics.Generics"};
  const std::set<std::string> since9{"MethodTable.TokenShift", "MTFlags2.DynamicStatics", "StaticsPointerMask",
                                     "TLSIndex.Collectible",   "TLSIndex.Direct",         "TLSIndex.NonCollectibleSkip",
                                     "TLSIndex.OffsetMask",    "TLSIndex.TypeShift"};
  const std::set<std::string> since10{"DebugInfo.SourceBits", "GcDacVars.MinorVersionOfDynamicAdaptationMode"};
  const std::set<std::string> until9{"ComInterfaceDispatch.Alignment"};
  const std::set<std::string> until10{"SyncBlock.HolderHasEnded"};
  const std::set<std::string> since11{"ArrayBaseSize", "AsyncMethodData.IsVariant"};
  // Answers that are no in some versions, and values of enumerations that begin with them.
  const std::set<std::string> meantToBeZero{"Call.ResultBufferMayBeOnHeap",
                                            "DebugBlockingItem.MonitorCriticalSection",
                                            "DebugInfo.HasFatHead",
                                            "DebugInfo.HasPackedBounds",
                                            "DebugInfo.VariableComesFirst",
                                            "EEClassHashTable.HashesEncloser",
                                            "ExceptionInfo.ThrownObjectIsObject",
                                            "GcInfo.AlwaysOnlyLeafReports",
                                            "GcInfo.CodeLengthShift",
                                            "GcInfo.CodeOffsetShift",
                                            "GcInfo.ContextFromCaller",
                                            "GcInfo.HasFixedFrameSize",
                                            "GcInfo.HasPSPSym",
                                            "GcInfo.HasReturnKind",
                                            "GcInfo.SafePointBias",
                                            "GcInfo.ScratchAtSafePoint",
                                            "ManagedLock.OwnerIsManagedId",
                                            "NibbleMap.HoldsPointers",
                                            "StackWalk.AbortedBias",
                                            "StackWalk.HijackIsResumable",
                                            "SyncBlock.HoldingThreadIsPointer",
                                            "TLSIndex.NonCollectible",
                                            "ThreadStore.LinksToThreads"};
  const std::vector<Span<std::string>> spans{{.last = 8, .names = &onlyIn8},  {.first = 9, .names = &since9},
                                             {.last = 9, .names = &until9},   {.first = 10, .names = &since10},
                                             {.last = 10, .names = &until10}, {.first = 11, .names = &since11}};
  for (const Contract* contract : allContracts()) {
    const char* ofOther = contract->architecture() == Architecture::X64 ? "MTFlags.IsHfa" : "MTFlags.IsRegStructPassed";
    for (const std::string& name : names) {
      if (!isOf(versionOf(*contract), name, spans) || meantToBeZero.contains(name) || name == ofOther) continue;
      // What only programs compiled ahead of time have.
      const auto hasIt = [&](const Contract& each) { return each.constant(name) != 0; };
      if (std::ranges::none_of(Contract::shipped(), hasIt) &&
          std::ranges::any_of(Contract::shippedForNativeAot(), hasIt))
        continue;
      EXPECT_NE(contract->constant(name), 0u)
          << contract->runtimeVersion() << " of " << toString(contract->architecture()) << ": " << name;
    }
  }
}

TEST(ShippedContracts, OfArm64DifferWhereTheProcessorDoes) {
  const auto& contracts = Contract::shipped(Architecture::Arm64);
  ASSERT_EQ(contracts.size(), Contract::shipped().size());
  for (std::size_t i = 0; i < contracts.size(); ++i) {
    const Contract& contract = contracts[i];
    const Contract& ofX64 = Contract::shipped()[i];
    EXPECT_EQ(contract.architecture(), Architecture::Arm64);
    EXPECT_EQ(ofX64.architecture(), Architecture::X64);
    EXPECT_EQ(contract.runtimeVersion(), ofX64.runtimeVersion());
    EXPECT_EQ(contract.verifiedOn().empty(), contract.runtimeVersion() == "8.0") << "no dump was there";
    EXPECT_EQ(contract.globalTables().size(), ofX64.globalTables().size());
    EXPECT_EQ(contract.offset("MethodTable", "Parent"), ofX64.offset("MethodTable", "Parent"));
    EXPECT_EQ(contract.sizeOf("RuntimeFunction"), 8u);
    EXPECT_FALSE(contract.has("RuntimeFunction", "EndAddress"));
    EXPECT_EQ(contract.offset("Context", "Pc"), 264u);
    EXPECT_FALSE(contract.has("Context", "Rip"));
    EXPECT_EQ(contract.offset("Thread", "LinkNext"), ofX64.offset("Thread", "LinkNext") + 40);
  }
}

TEST(Contract, TakesOverTheDifferencesOfAProcessor) {
  const std::array<std::string_view, 2> differences{
      R"({"architecture": "arm64", "verifiedOn": [], "types": {"Thread": {"Id": 24, "State": null}}})",
      R"({"types": {"Thread": {"Id": 32}}, "constants": {"A": 2}})"};
  const auto contract = Contract::parse(
      R"({"schema": 1, "runtime": "9.0", "verifiedOn": ["9.0.1"], "types": {"Thread": {"Id": 16, "State": 8, "Next": 0}},
          "constants": {"A": 1}})",
      differences);
  ASSERT_TRUE(contract);
  EXPECT_EQ(contract->architecture(), Architecture::Arm64);
  EXPECT_TRUE(contract->verifiedOn().empty());
  EXPECT_EQ(contract->offset("Thread", "Id"), 32u);
  EXPECT_FALSE(contract->has("Thread", "State"));
  EXPECT_EQ(contract->offset("Thread", "Next"), 0u);
  EXPECT_EQ(contract->constant("A"), 2u);
}

TEST(Contract, FailsToReadWhatIsNone) {
  for (const char* text :
       {"", "[]", "null", "{", R"({"schema": 2, "types": {}})", R"({"schema": 1})", R"({"types": {}})"}) {
    EXPECT_FALSE(Contract::parse(text)) << text;
  }
}

TEST(Contract, FailsOnWrongKindsOfValuesInsteadOfThrowing) {
  for (const char* text : {
           R"({"schema": "1", "types": {}})",
           R"({"schema": 1, "types": []})",
           R"({"schema": 1, "types": {"Thread": 5}})",
           R"({"schema": 1, "types": {}, "runtime": 8})",
           R"({"schema": 1, "types": {}, "verifiedOn": [1]})",
           R"({"schema": 1, "types": {}, "globalTables": [3]})",
           R"({"schema": 1, "types": {}, "globalTables": [{"entryCount": "x"}]})",
       }) {
    EXPECT_NO_THROW({
      const auto contract = Contract::parse(text);
      (void)contract;
    }) << text;
  }
}

TEST(Contract, ReadsNothingOfAMemberThatItDoesNotHave) {
  const auto contract = Contract::parse(
      R"({"schema": 1, "runtime": "9.0", "types": {"Thread": {"Id": 16, "!": 1024, "State": "0x20"}}})");
  ASSERT_TRUE(contract);
  EXPECT_TRUE(contract->has("Thread", "Id"));
  EXPECT_EQ(contract->offset("Thread", "Id"), 16u);
  EXPECT_EQ(contract->offset("Thread", "State"), 32u);
  EXPECT_EQ(contract->sizeOf("Thread"), 1024u);
  EXPECT_FALSE(contract->has("Thread", "OSId"));
  EXPECT_EQ(contract->offset("Thread", "OSId"), Contract::kAbsentOffset);
  EXPECT_EQ(contract->offset("Process", "Id"), Contract::kAbsentOffset);
  EXPECT_EQ(contract->sizeOf("Process"), 0u);
  EXPECT_EQ(contract->constant("nothing"), 0u);
}

TEST(Contract, TakesOverOffsetsFromADescriptor) {
  auto contract = Contract::parse(R"({"schema": 1, "types": {"Thread": {"Id": 16, "State": 0, "LinkNext": 112}}})");
  ASSERT_TRUE(contract);
  const auto agreement = contract->applyDescriptor(
      R"({"version": 0, "types": {"Thread": {"Id": [24, "uint32"], "State": 0, "Unheard": 7}, "Unknown": {"Id": 1}}})");
  ASSERT_TRUE(agreement);
  EXPECT_EQ(agreement->members, 2u);
  EXPECT_EQ(agreement->differing, 1u);
  EXPECT_EQ(contract->offset("Thread", "Id"), 24u);
  EXPECT_EQ(contract->offset("Thread", "State"), 0u);
  EXPECT_EQ(contract->offset("Thread", "LinkNext"), 112u);
  EXPECT_FALSE(contract->has("Thread", "Unheard"));
}

TEST(Contract, KnowsMembersByTheNamesThatADescriptorHasForThem) {
  auto contract = Contract::parse(
      R"({"schema": 1, "types": {"Thread": {"GCHandle": 232, "Id": 16}, "FinalizeQueue": {"FillPointers": 0}},
          "descriptorNames": {"Thread.GCHandle": "Thread.ExposedObject",
                              "FinalizeQueue.FillPointers": "CFinalize.FillPointers"}})");
  ASSERT_TRUE(contract);
  const auto agreement = contract->applyDescriptor(
      R"({"types": {"Thread": {"ExposedObject": 240, "GCHandle": 1, "Id": 16}, "CFinalize": {"FillPointers": 8}}})");
  ASSERT_TRUE(agreement);
  EXPECT_EQ(agreement->members, 3u);
  EXPECT_EQ(agreement->differing, 2u);
  EXPECT_EQ(contract->offset("Thread", "GCHandle"), 240u);
  EXPECT_EQ(contract->offset("FinalizeQueue", "FillPointers"), 8u);
}

/// A table of six globals, of which the descriptor knows the first, third and last.
class MovedTable : public testing::Test {
 protected:
  MovedTable() {
    for (std::uint64_t i = 0; i < 8; ++i) m_entries.push_back({0x1000 + 0x10 * i});
  }
  std::optional<Contract::GlobalTable> moved(std::map<std::string, std::uint64_t, std::less<>> places) const {
    const auto contract = Contract::parse(R"({"schema": 1, "types": {}, "descriptorNames": {"A": "Alpha"}})");
    const Contract::GlobalTable known{.entryCount = 6,
                                      .indexOf = {{"A", 0}, {"B", 1}, {"C", 2}, {"D", 3}, {"E", 4}, {"F", 5}}};
    return contract->movedTable(
        known,
        [&](std::string_view name) {
          const auto found = places.find(name);
          return found == places.end() ? Address{} : m_entries[found->second];
        },
        m_entries);
  }

  std::vector<Address> m_entries;
};

TEST_F(MovedTable, FollowsTheEntriesThatADescriptorTells) {
  const auto table = moved({{"Alpha", 1}, {"C", 3}, {"F", 6}});
  ASSERT_TRUE(table);
  EXPECT_EQ(table->entryCount, 8u);
  EXPECT_EQ(table->indexOf.at("B"), 2u);
  EXPECT_EQ(table->indexOf.at("E"), 5u);
  EXPECT_EQ(table->indexOf.at("F"), 6u);
}

TEST_F(MovedTable, IsNoneWhereSomethingWasAddedAmongWhatIsNotTold) {
  EXPECT_FALSE(moved({{"Alpha", 0}, {"C", 2}, {"F", 6}}));
  EXPECT_FALSE(moved({{"Alpha", 0}, {"C", 2}}));
  EXPECT_FALSE(moved({{"C", 2}, {"F", 5}}));
  EXPECT_FALSE(moved({}));
}

TEST(Contract, StaysAsItIsUnderADescriptorThatIsNone) {
  auto contract = Contract::parse(R"({"schema": 1, "types": {"Thread": {"Id": 16}}})");
  ASSERT_TRUE(contract);
  for (const char* text :
       {"", "{}", R"({"types": 1})", "[1,2", R"({"types": {"Thread": 5}})", R"({"types": {"Thread": {"Id": []}}})",
        R"({"types": {"Thread": {"Id": "sixteen"}}})", R"({"types": {"Thread": {"Id": null}}})"}) {
    EXPECT_NO_THROW({
      const auto differing = contract->applyDescriptor(text);
      (void)differing;
    }) << text;
    EXPECT_EQ(contract->offset("Thread", "Id"), 16u) << text;
  }
}

}  // namespace
}  // namespace heapscape::engine
