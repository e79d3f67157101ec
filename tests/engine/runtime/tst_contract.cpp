// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "runtime/contract/contract.h"
#include "runtime/contract/shipped_contracts.h"

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
const std::set<Member> kSince9{{"EEClass", "NumInstanceFields"},
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
                               {"ManagedObjectWrapperEntry", "Dispatch"},
                               {"ManagedObjectWrapperMap", "Table"},
                               {"ManagedObjectWrapperMap", "TableSize"}};
const std::set<std::string> kGlobalsUntil9{"FCallMethods"};

TEST(ShippedContracts, AreAllReadable) {
  ASSERT_EQ(Contract::shipped().size(), kShippedContracts.size());
  std::vector<std::string> versions;
  for (const Contract& contract : Contract::shipped()) {
    versions.push_back(contract.runtimeVersion());
    EXPECT_FALSE(contract.verifiedOn().empty());
    EXPECT_FALSE(contract.globalTables().empty());
  }
  EXPECT_EQ(versions, (std::vector<std::string>{"8.0", "9.0", "10.0"}));
}

TEST(ShippedContracts, HaveEveryMemberThatTheReadersAskFor) {
  const auto members = membersReadBySources();
  EXPECT_GT(members.size(), 50u);
  for (const Contract& contract : Contract::shipped()) {
    const bool is8 = contract.runtimeVersion() == "8.0";
    for (const auto& [type, field] : members) {
      if ((is8 ? kSince9 : kOnlyIn8).contains({type, field})) continue;
      if ((contract.runtimeVersion() == "10.0" ? kUntil9 : kSince10).contains({type, field})) continue;
      EXPECT_TRUE(contract.has(type, field)) << contract.runtimeVersion() << ": " << type << "." << field;
    }
  }
}

TEST(ShippedContracts, HaveEveryGlobalThatTheReadersAskFor) {
  const auto globals = namesReadBySources(
      std::regex(R"re((?:globalPointer|globalVariable|isGlobal\([^"]*|tryValue|methodTableIs)\(?"(\w+)")re"));
  EXPECT_GT(globals.size(), 8u);
  for (const Contract& contract : Contract::shipped()) {
    for (const auto& table : contract.globalTables()) {
      for (const std::string& name : globals) {
        if (contract.runtimeVersion() == "10.0" && kGlobalsUntil9.contains(name)) continue;
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
  const std::set<std::string> since10{"GcDacVars.MinorVersionOfDynamicAdaptationMode"};
  const std::set<std::string> until9{"ComInterfaceDispatch.Alignment"};
  // Answers that are no in some versions, and values of enumerations that begin with them.
  const std::set<std::string> meantToBeZero{"Call.ResultBufferMayBeOnHeap",
                                            "DebugBlockingItem.MonitorCriticalSection",
                                            "DebugInfo.HasPackedBounds",
                                            "EEClassHashTable.HashesEncloser",
                                            "GcInfo.ContextFromCaller",
                                            "GcInfo.HasPSPSym",
                                            "GcInfo.HasReturnKind",
                                            "GcInfo.SafePointBias",
                                            "GcInfo.ScratchAtSafePoint",
                                            "NibbleMap.HoldsPointers",
                                            "StackWalk.AbortedBias",
                                            "StackWalk.HijackIsResumable",
                                            "SyncBlock.HoldingThreadIsPointer",
                                            "TLSIndex.NonCollectible"};
  for (const Contract& contract : Contract::shipped()) {
    const bool is8 = contract.runtimeVersion() == "8.0";
    for (const std::string& name : names) {
      if ((is8 ? since9 : onlyIn8).contains(name) || meantToBeZero.contains(name)) continue;
      if ((contract.runtimeVersion() == "10.0" ? until9 : since10).contains(name)) continue;
      EXPECT_NE(contract.constant(name), 0u) << contract.runtimeVersion() << ": " << name;
    }
  }
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
  const auto differing = contract->applyDescriptor(
      R"({"version": 0, "types": {"Thread": {"Id": [24, "uint32"], "State": 0, "Unheard": 7}, "Unknown": {"Id": 1}}})");
  ASSERT_TRUE(differing);
  EXPECT_EQ(*differing, 1u);
  EXPECT_EQ(contract->offset("Thread", "Id"), 24u);
  EXPECT_EQ(contract->offset("Thread", "State"), 0u);
  EXPECT_EQ(contract->offset("Thread", "LinkNext"), 112u);
  EXPECT_FALSE(contract->has("Thread", "Unheard"));
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
