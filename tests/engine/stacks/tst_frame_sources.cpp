// SPDX-License-Identifier: MIT
#include "session/stacks/source_lines.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>

#include "memory/files/recorded_path.h"
#include "runtime/contract/contract_selection.h"
#include "runtime/library/runtime_library.h"
#include "session/stacks/frame_names.h"
#include "stacks/stack_reader.h"
#include "stacks/unwinding/native_unwinder.h"
#include "support/dump_path.h"
#include "support/opened_core.h"
#include "support/temporary_folder.h"

namespace heapscape::test {
namespace {

using namespace engine;

constexpr const char* kDumps[] = {"stacks-8", "stacks-9", "stacks-10", "stacks-11"};

std::filesystem::path dataFile(const std::string& name) {
  return std::filesystem::path(HEAPSCAPE_TEST_DATA) / name;
}

/// A frame of the program itself with the names of what it holds.
struct SeenFrame {
  std::string place;  // "Locals.cs:59"; empty if not known
  std::map<std::string, int> variables;
  bool hasIlOffset = false;
};

/// A dump of tests/data whose PDB is looked for beside `beside`.
class Program {
 public:
  explicit Program(const std::string& dump, const std::filesystem::path& beside = dataFile("any.core"))
      : m_core(dumpPath(dump)), m_space(std::make_shared<const AddressSpace>(m_core.space())) {
    const auto library = findRuntimeLibrary(*m_space, m_core.core());
    const auto contract = selectContract(*m_space, *library, {});
    m_readers.emplace(ClrRuntime(m_space, *library, *contract), m_core.core().files, m_findings);
    m_sources.emplace(*m_readers, beside);
    readFrames();
  }

  const RuntimeReaders& readers() const { return *m_readers; }
  /// The frames of the program's methods of that name ("Stacks.Locals.Slots"), of all threads.
  std::vector<SeenFrame> frames(const std::string& method) const {
    const auto found = m_frames.find(method);
    return found == m_frames.end() ? std::vector<SeenFrame>{} : found->second;
  }
  const std::map<std::string, std::vector<SeenFrame>>& allFrames() const { return m_frames; }

 private:
  void readFrames() {
    const NativeUnwinder native(*m_space, m_core.core());
    StackReader reader(*m_readers, native);
    const CodeOwners owners;
    FrameNames names(*m_readers, owners);
    for (const RuntimeThread& thread : readThreads(m_readers->runtime, m_findings)) {
      for (const CoreThread& note : m_core.core().threads) {
        if (note.osId == thread.osId) addFrames(reader.read(thread, registersOf(note)), names);
      }
    }
  }

  void addFrames(const StackWithRoots& stack, FrameNames& names) {
    for (std::size_t i = 0; i < stack.walk.entries.size(); ++i) {
      const auto& managed = stack.walk.entries[i].managed;
      if (!managed) continue;
      const FrameName& name = names.of(managed->code.methodDesc);
      if (!name.module || name.module->name != "stacks.dll") continue;
      SeenFrame frame;
      const FrameSource source = m_sources->of(*managed, name.module, name.row);
      frame.hasIlOffset = source.ilOffset.has_value();
      if (source.line) {
        const std::string file = source.line->file.substr(source.line->file.rfind('/') + 1);
        frame.place = file + ":" + std::to_string(source.line->line);
      }
      for (const StackRoot& root : stack.roots[i].roots)
        ++frame.variables[m_sources->variableOf(*managed, root, name.module, name.row)];
      m_frames[name.type + "." + name.method].push_back(std::move(frame));
    }
  }

  OpenedCore m_core;
  std::shared_ptr<const AddressSpace> m_space;
  FindingList m_findings;
  std::optional<RuntimeReaders> m_readers;
  std::optional<FrameSources> m_sources;
  std::map<std::string, std::vector<SeenFrame>> m_frames;
};

/// Names of all variables of a frame that are known.
std::set<std::string> namesIn(const SeenFrame& frame) {
  std::set<std::string> names;
  for (const auto& [name, count] : frame.variables) {
    if (!name.empty()) names.insert(name);
  }
  return names;
}

TEST(FrameSources, TellTheLineThatEachFrameIsIn) {
  // The statement that called what is above it: in plain code, optimised code, handlers, a filter, an iterator, a
  // lambda.
  const std::map<std::string, std::set<std::string>> expected = {
      {"Stacks.Waits.WaitForEvent", {"Waits.cs:66"}},
      {"Stacks.Locals.Registers", {"Locals.cs:59"}},
      {"Stacks.Locals.Recursion", {"Locals.cs:167", "Locals.cs:170"}},
      {"Stacks.Handlers.Throw", {"Handlers.cs:27"}},
      {"Stacks.Handlers.Catch", {"Handlers.cs:34", "Handlers.cs:38"}},
      {"Stacks.Handlers.Rethrow", {"Handlers.cs:130", "Handlers.cs:134", "Handlers.cs:136"}},
      {"Stacks.Calls.Steps", {"Calls.cs:111"}},
      {"Stacks.Spinning.Loop", {"Spinning.cs:22"}},
      {"Program.<Main>$", {"Program.cs:11"}}};
  for (const char* dump : kDumps) {
    const Program program(dump);
    for (const auto& [method, places] : expected) {
      std::set<std::string> seen;
      for (const SeenFrame& frame : program.frames(method)) seen.insert(frame.place);
      EXPECT_EQ(seen, places) << dump << ": " << method;
    }
  }
}

TEST(FrameSources, KnowTheLineOfNearlyAllFramesOfTheProgram) {
  for (const char* dump : kDumps) {
    std::size_t all = 0;
    std::size_t known = 0;
    const Program program(dump);
    for (const auto& [method, frames] : program.allFrames()) {
      for (const SeenFrame& frame : frames) {
        ++all;
        known += !frame.place.empty();
        EXPECT_EQ(frame.place.empty(), !frame.hasIlOffset) << dump << ": " << method;
      }
    }
    EXPECT_GT(all, 150u) << dump;
    // But code that no statement asked for: before a finally block, and of stubs, which are the method's own from .NET
    // 11 on.
    EXPECT_GE(known + 3, all) << dump;
  }
}

TEST(FrameSources, NameTheVariableThatAReferenceLivesIn) {
  const std::map<std::string, std::set<std::string>> expected = {
      {"Stacks.Locals.Registers", {"argument", "local"}},
      {"Stacks.Locals.Slots", {"b", "c", "d", "e", "f", "g", "h", "i", "j"}},  // a was never given a place of its own
      {"Stacks.Locals.UseView", {"view"}},
      {"Stacks.Waits.WaitForEvent", {"signal", "mark"}},
      {"Stacks.Deadlocks.Dine", {"left", "right", "table"}},
      {"Stacks.Shared<System.__Canon>.Of<System.__Canon>", {"this", "item", "other"}}};
  for (const char* dump : kDumps) {
    const Program program(dump);
    for (const auto& [method, names] : expected) {
      const auto frames = program.frames(method);
      EXPECT_FALSE(frames.empty()) << dump << ": " << method;
      for (const SeenFrame& frame : frames) EXPECT_EQ(namesIn(frame), names) << dump << ": " << method;
    }
    // References to the inside of objects; .NET 10 keeps a third one's array on the stack.
    const auto interior = program.frames("Stacks.Locals.Interior");
    ASSERT_EQ(interior.size(), 1u) << dump;
    EXPECT_TRUE(interior[0].variables.contains("number")) << dump;
    EXPECT_TRUE(interior[0].variables.contains("element")) << dump;
  }
}

TEST(FrameSources, NameArgumentsButNoLocalsWithoutAPdb) {
  const TemporaryFolder elsewhere;
  const Program program("stacks-10", elsewhere / "stacks-10.core");
  const auto frames = program.frames("Stacks.Locals.Registers");
  ASSERT_EQ(frames.size(), 1u);
  EXPECT_EQ(namesIn(frames[0]), std::set<std::string>{"argument"});
  EXPECT_EQ(frames[0].place, "");
  EXPECT_TRUE(frames[0].hasIlOffset);
}

TEST(FrameSources, DoNotUseAPdbOfAnotherBuild) {
  const TemporaryFolder folder;
  std::filesystem::copy_file(dataFile("stacks.pdb"), folder / "stacks.pdb");
  EXPECT_EQ(Program("stacks-10", folder / "a.core").frames("Stacks.Locals.Registers").at(0).place, "Locals.cs:59");
  std::fstream file(folder / "stacks.pdb", std::ios::binary | std::ios::in | std::ios::out);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  const auto pdb = PortablePdb::parse(std::as_bytes(std::span(bytes)));
  ASSERT_TRUE(pdb);
  const std::string id(reinterpret_cast<const char*>((*pdb)->id().data()), (*pdb)->id().size());
  file.clear();
  file.seekp(static_cast<std::streamoff>(bytes.find(id)));
  file.put(static_cast<char>(~id.front()));
  file.close();
  EXPECT_EQ(Program("stacks-10", folder / "a.core").frames("Stacks.Locals.Registers").at(0).place, "");
}

TEST(FrameSources, LookNowhereOnAMachineThatIsNotToBeSeen) {
  EXPECT_TRUE(recordedPath("/usr/share/dotnet/shared/shop.dll").empty());
}

}  // namespace
}  // namespace heapscape::test
