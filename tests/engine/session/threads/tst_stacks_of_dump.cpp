// SPDX-License-Identifier: MIT
// Frames and references of real threads, against ClrMD's (tests/targets/README.md says where that one errs).
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "session/snapshot/contents.h"
#include "session/stacks/stacks_query.h"
#include "session/threads/thread_waits.h"
#include "support/opened_snapshot.h"
#include "support/patched_core.h"
#include "support/truth.h"
#include "support/zstandard.h"

namespace heapscape::test {
namespace {

using engine::Address;
using engine::FrameKind;
using engine::FrameRow;
using engine::StackRootRow;
using engine::ThreadStackRow;
using nlohmann::json;

std::uint64_t numberOf(const json& row, const char* member) {
  return std::stoull(row.value(member, "0x0"), nullptr, 16);
}

std::vector<json> linesOf(const std::string& text) {
  std::vector<json> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(json::parse(line));
  return lines;
}

/// ClrMD's frames, with a runtime frame that its walk has met twice listed once.
struct ExpectedFrame {
  std::string kind, frame;
  std::set<std::uint64_t> instructions;
  std::uint64_t stackPointer = 0, methodDesc = 0;
};

std::vector<ExpectedFrame> framesOf(const json& thread) {
  std::vector<ExpectedFrame> frames;
  for (const json& row : thread.at("frames")) {
    ExpectedFrame frame{row.at("kind"),
                        row.value("frame", ""),
                        {numberOf(row, "ip")},
                        numberOf(row, "sp"),
                        numberOf(row, "methodDesc")};
    const auto known = std::ranges::find_if(frames, [&](const ExpectedFrame& other) {
      return frame.kind == "runtime" && other.kind == "runtime" && other.stackPointer == frame.stackPointer;
    });
    if (known != frames.end()) {
      known->instructions.merge(frame.instructions);
    } else {
      frames.push_back(std::move(frame));
    }
  }
  return frames;
}

bool isSame(const FrameRow& frame, const ExpectedFrame& expected) {
  if (toString(frame.kind) != expected.kind || frame.stackPointer.value != expected.stackPointer ||
      !expected.instructions.contains(frame.instruction.value))
    return false;
  if (frame.kind == FrameKind::Runtime) return frame.origin == expected.frame;
  // ClrMD has no method for code that was made at run time.
  return expected.methodDesc == 0 || frame.methodDesc.value == expected.methodDesc;
}

/// Whether ClrMD has lost the managed frames of a thread that was in a helper without a frame: native code of the
/// runtime that does not let collections begin.
bool isLostToClrMd(const ThreadStackRow& stack, const json& thread) {
  const auto isManaged = [](const FrameRow& frame) { return frame.kind == FrameKind::Managed; };
  const auto first = std::ranges::find_if(stack.frames, isManaged);
  return stack.isCooperative && first != stack.frames.end() && !first->isExact &&
         std::ranges::none_of(thread.at("frames"), [](const json& row) { return row.at("kind") == "managed"; });
}

/// Without type arguments, which shared code does not know itself.
std::string withoutArguments(const std::string& method) {
  std::string name;
  int depth = 0;
  for (const char character : method) {
    if (character == '<') ++depth;
    if (depth == 0) name += character;
    if (character == '>') --depth;
  }
  return name;
}

/// Where it stands, what it refers to, and how.
using Root = std::tuple<std::uint64_t, std::string, std::uint64_t, bool, bool>;

Root rootOf(const FrameRow& frame, const StackRootRow& root) {
  const std::string place = root.reg.empty() ? toString(root.slot) : root.reg;
  return {frame.stackPointer.value, place, root.value.value, root.isInterior, root.isPinned};
}

class StacksOfDump : public testing::TestWithParam<const char*> {
 protected:
  static const engine::Snapshot& snapshot() { return openedDump(GetParam()); }
  static engine::StackList stacks() {
    auto list = engine::listStacks(snapshot(), {}, {});
    EXPECT_TRUE(list);
    return list ? std::move(*list) : engine::StackList{};
  }
  static std::map<std::uint32_t, json> clrMd() {
    std::map<std::uint32_t, json> threads;
    const std::filesystem::path file =
        std::filesystem::path(HEAPSCAPE_TEST_DATA) / (std::string(GetParam()) + ".stacks.jsonl.zst");
    for (json& line : linesOf(unpackedFile(file))) threads.emplace(line.at("osId"), std::move(line));
    return threads;
  }
};

TEST_P(StacksOfDump, HaveClrMdsFramesInOrder) {
  const auto expected = clrMd();
  std::size_t compared = 0;
  for (const ThreadStackRow& stack : stacks().threads) {
    const auto known = expected.find(stack.osId);
    ASSERT_NE(known, expected.end()) << stack.osId;
    const auto frames = framesOf(known->second);
    EXPECT_TRUE(stack.isComplete) << stack.problem;
    if (isLostToClrMd(stack, known->second)) continue;
    ASSERT_EQ(stack.frames.size(), frames.size()) << "thread " << stack.managedId;
    for (std::size_t i = 0; i < frames.size(); ++i, ++compared)
      EXPECT_TRUE(isSame(stack.frames[i], frames[i]))
          << "thread " << stack.managedId << ": " << nameOf(stack.frames[i]);
  }
  EXPECT_GT(compared, 300u);
}

TEST_P(StacksOfDump, HaveClrMdsReferences) {
  const auto expected = clrMd();
  std::size_t compared = 0;
  for (const ThreadStackRow& stack : stacks().threads) {
    const json& thread = expected.at(stack.osId);
    if (!thread.contains("roots")) continue;  // its DAC has died of them
    if (isLostToClrMd(stack, thread)) continue;
    std::multiset<Root> ours, theirs;
    std::set<std::uint64_t> notCompared;  // stack pointers of frames that one of the two cannot tell
    for (const FrameRow& frame : stack.frames) {
      const bool isPrestub = frame.kind == FrameKind::Runtime && frame.origin == "PrestubMethodFrame";
      if (!frame.isExact || isPrestub) notCompared.insert(frame.stackPointer.value);
    }
    for (const StackRootRow& root : stack.roots) {
      // ClrMD knows neither what the runtime protects nor what code itself holds.
      if (root.isProtected || (!root.slot && root.reg.empty()) || root.reg == "r8" || root.reg == "r9") continue;
      if (!notCompared.contains(stack.frames[root.frame].stackPointer.value))
        ours.insert(rootOf(stack.frames[root.frame], root));
    }
    for (const json& root : thread.at("roots")) {
      const std::uint64_t explicitFrame = numberOf(root, "explicitFrame");
      const std::uint64_t frame = explicitFrame ? explicitFrame : numberOf(root, "sp");
      std::string reg = root.value("register", "");
      std::ranges::transform(reg, reg.begin(), [](char letter) { return letter == 'X' ? 'x' : letter; });  // of arm64
      if (!numberOf(root, "object") || notCompared.contains(frame) || reg == "r8" || reg == "r9") continue;
      const std::uint64_t slot = numberOf(root, "slot");
      theirs.emplace(frame, reg.empty() ? toString(Address{slot}) : reg, numberOf(root, "object"), root.at("interior"),
                     root.at("pinned"));
    }
    // In an exception filter the DAC of 11 (that of 10 dies of it) ends with the method that looks for a handler.
    const bool endsEarly = std::ranges::any_of(
        stack.frames, [](const FrameRow& frame) { return frame.method.starts_with("FindFirstPassHandler"); });
    if (endsEarly) {
      EXPECT_TRUE(std::ranges::includes(ours, theirs)) << "thread " << stack.managedId;
    } else {
      EXPECT_EQ(ours, theirs) << "thread " << stack.managedId;
    }
    compared += theirs.size();
  }
  EXPECT_GT(compared, 200u);
}

TEST_P(StacksOfDump, LeadToObjectsWhereTheyAreNotInterior) {
  for (const ThreadStackRow& stack : stacks().threads) {
    for (const StackRootRow& root : stack.roots) {
      if (!root.isExact || root.isInterior) continue;
      EXPECT_EQ(root.object, root.value) << "thread " << stack.managedId;
    }
  }
}

TEST_P(StacksOfDump, ShowWhatEachThreadOfTheProgramWasIn) {
  std::map<std::uint32_t, std::set<std::string>> methods;
  for (const ThreadStackRow& stack : stacks().threads) {
    for (const FrameRow& frame : stack.frames)
      methods[stack.managedId].insert(withoutArguments(frame.type + "." + frame.method));
  }
  const std::filesystem::path file =
      std::filesystem::path(HEAPSCAPE_TEST_DATA) / (std::string(GetParam()) + ".planted.jsonl");
  std::ifstream stream(file);
  std::size_t found = 0;
  for (std::string line; std::getline(stream, line);) {
    const json planted = json::parse(line);
    if (!planted.contains("thread")) continue;
    for (const std::string method : planted.at("frames")) {
      const auto& names = methods[planted.at("managedId")];
      const std::string name = method == "dynamic" ? "DynamicClass.dynamic" : withoutArguments(method);
      EXPECT_TRUE(names.contains(name)) << planted.at("thread") << ": " << method;
      ++found;
    }
  }
  EXPECT_GT(found, 50u);
}

TEST_P(StacksOfDump, TellWhichFrameHandlesAnExceptionAndWhichItHasLeft) {
  const engine::StackList list = stacks();
  const auto wordsOf = [&](const std::string& thread) {
    std::set<std::string> words;
    for (const ThreadStackRow& stack : list.threads) {
      if (stack.name != thread) continue;
      for (const FrameRow& frame : stack.frames) {
        if (!frame.exception.empty()) words.insert(frame.method + " " + frame.exception);
      }
    }
    return words;
  };
  const std::set<std::string> caught = wordsOf("catch");
  EXPECT_TRUE(caught.contains("Catch handles System.InvalidOperationException"));
  EXPECT_TRUE(caught.contains("Throw left by System.InvalidOperationException"));
  EXPECT_TRUE(wordsOf("finally").contains("Unwinding runs a finally block for System.InvalidOperationException"));
  EXPECT_TRUE(wordsOf("filter").contains("Filter runs a filter for System.InvalidOperationException"));
  EXPECT_TRUE(wordsOf("monitor enter 1").empty());
}

INSTANTIATE_TEST_SUITE_P(, StacksOfDump,
                         testing::Values("stacks-8", "stacks-9", "stacks-10", "stacks-11", "stacks-musl-8",
                                         "stacks-musl-10", "stacks-arm64-10"),
                         [](const auto& test) {
                           std::string name = std::string("net") + (test.param + 7);
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST(NativeFrames, StandAboveTheManagedOnesAndBelow) {
  const auto plain = engine::readStacks(openedDump("stacks-10"), {.roots = false}, {});
  const auto native = engine::readStacks(openedDump("stacks-10"), {.native = true, .roots = false}, {});
  ASSERT_TRUE(plain && native);
  std::size_t withNative = 0;
  for (std::size_t i = 0; i < plain->threads.size(); ++i) {
    std::vector<FrameRow> rest = native->threads[i].frames;
    withNative += rest.front().kind == FrameKind::Native;
    std::erase_if(rest, [](const FrameRow& frame) { return frame.kind == FrameKind::Native; });
    ASSERT_EQ(rest.size(), plain->threads[i].frames.size());
  }
  EXPECT_GT(withNative, 40u);
}

/// The runtime writes the method of such a frame when it first walks over it; before, any words may lie there.
TEST(HelperFrame, IsNamedWhateverLiesWhereItsMethodIsToBe) {
  using namespace engine;
  const Snapshot& whole = openedDump("stacks-8");
  const ClrRuntime& runtime = whole.contents().readers->runtime;
  const auto before = keptStacks(whole, {}).value();
  PatchedCore core("stacks-8");
  std::vector<std::pair<Address, std::string>> names;
  for (const ThreadStackRow& thread : before->threads) {
    for (const FrameRow& frame : thread.frames) {
      if (!frame.origin.starts_with("HelperMethodFrame") || frame.method.empty()) continue;
      const Address state = runtime.member(frame.stackPointer, "HelperMethodFrame", "MachState");
      if (*runtime.pointerAt(state, "MachState", "RetAddrPtr")) continue;
      core.write(runtime.member(frame.stackPointer, "HelperMethodFrame", "MethodDesc"), std::uint64_t{0x10318});
      names.emplace_back(frame.stackPointer, nameOf(frame));
    }
  }
  ASSERT_FALSE(names.empty());
  const Snapshot changed = openSnapshot(core.path(), Stage::Objects);
  const auto after = keptStacks(changed, {}).value();
  for (const auto& [address, name] : names) {
    const auto isSame = [&](const FrameRow& frame) { return frame.stackPointer == address && nameOf(frame) == name; };
    EXPECT_TRUE(std::ranges::any_of(after->threads, [&](const ThreadStackRow& thread) {
      return std::ranges::any_of(thread.frames, isSame);
    })) << name;
  }
}

}  // namespace
}  // namespace heapscape::test
