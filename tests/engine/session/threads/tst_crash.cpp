// SPDX-License-Identifier: MIT
// Why processes died: dumps that the runtime made of one program (tests/targets/crashes) dying in many ways, on each
// version, held against what that program and the runtime printed.
#include <elf.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <fstream>
#include <sstream>

#include "session/stacks/stacks_query.h"
#include "session/threads/crash_query.h"
#include "session/threads/thread_waits.h"
#include "session/threads/threads_query.h"
#include "support/dump_path.h"
#include "support/opened_snapshot.h"
#include "support/temporary_folder.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

/// The versions, and of which C library if it is not glibc, that there are dumps of a way to die of.
std::vector<std::string> versionsOf(const std::string& way) {
  std::vector<std::string> versions;
  for (const char* version : {"8", "9", "10", "11", "musl-10"}) {
    if (std::filesystem::exists(std::filesystem::path(HEAPSCAPE_TEST_DATA) / "crashes" /
                                (way + "-" + version + ".core.patch")))
      versions.emplace_back(version);
  }
  if (versions.empty()) throw std::runtime_error("no dump of " + way);
  return versions;
}

Snapshot opened(const std::string& way, const std::string& version) {
  return openSnapshot(dumpPath("crashes/" + way + "-" + version), Stage::Summary);
}

Crash crashOf(const Snapshot& snapshot) {
  auto crash = readCrash(snapshot, {});
  if (!crash) throw std::runtime_error(crash.error().error().message());
  return std::move(*crash);
}

std::string printedBy(const std::string& way, const std::string& version) {
  const std::ifstream file(std::filesystem::path(HEAPSCAPE_TEST_DATA) / "crashes" /
                           (way + "-" + version + ".printed.txt"));
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// "Crashes.Exceptions.Divide", whether a trace or a stack says it: nested types by dots, no parameters.
std::string methodName(std::string text) {
  text.resize(std::min(text.size(), text.find('(')));
  std::ranges::replace(text, '+', '.');
  return text;
}

/// Methods of the trace behind the first "at" of what the runtime printed.
std::vector<std::string> printedFrames(const std::string& printed) {
  constexpr std::string_view kAt = "   at ";
  std::vector<std::string> frames;
  std::istringstream lines(printed);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(kAt)) {
      frames.push_back(methodName(line.substr(kAt.size())));
    } else if (!frames.empty()) {
      break;
    }
  }
  return frames;
}

std::vector<std::string> framesOf(const ExceptionDetails& exception) {
  std::vector<std::string> frames;
  for (const auto& frame : exception.stack) frames.push_back(methodName(frame.method));
  return frames;
}

struct Expected {
  const char* way;
  CrashKind kind;
  std::int32_t signal;
  const char* type;     // of the exception; empty for none
  const char* message;  // of the exception
  const char* thread;   // its name, where a mini dump has it
  const char* place;    // innermost method of the program
};

constexpr std::array kExpected{
    Expected{"chain", CrashKind::UnhandledException, SIGABRT, "System.InvalidOperationException", "the day is lost", "",
             "Crashes.Exceptions.Chain"},
    Expected{"divide", CrashKind::UnhandledException, SIGABRT, "System.DivideByZeroException",
             "Attempted to divide by zero.", "", "Crashes.Exceptions.Divide"},
    Expected{"pool", CrashKind::UnhandledException, SIGABRT, "Crashes.BakeryException", "in the pool", ".NET TP Worker",
             "Crashes.Exceptions+<>c.<OnPool>b__4_0"},
    Expected{"finalizer", CrashKind::UnhandledException, SIGABRT, "Crashes.BakeryException", "in a finalizer", "",
             "Crashes.Exceptions+Leftover.Finalize"},
    Expected{"constructor", CrashKind::UnhandledException, SIGABRT, "System.TypeInitializationException",
             "The type initializer for 'Recipes' threw an exception.", "", "Crashes.Exceptions+Recipes.Read"},
    Expected{"memory", CrashKind::OutOfMemory, SIGABRT, "System.OutOfMemoryException", nullptr, "",
             "Crashes.Memory.Exhaust"},
    Expected{"overflow", CrashKind::StackOverflow, SIGABRT, "System.StackOverflowException", nullptr, "",
             "Crashes.Overflows.One"},
    Expected{"failfast-exception", CrashKind::FailFast, SIGABRT, "Crashes.BakeryException", "12 loaves, 13 sold", "",
             "Crashes.GivingUp.With"},
    Expected{"assert", CrashKind::FailFast, SIGABRT, "System.Diagnostics.DebugProvider+DebugAssertException", nullptr,
             "", "Crashes.GivingUp.Assert"},
    Expected{"violation", CrashKind::UnhandledException, SIGABRT, "System.AccessViolationException",
             "Attempted to read or write protected memory. This is often an indication that other memory is corrupt.",
             "", "Crashes.Signals.Violate"},
    // The frames of the callback are gone from the stack; the exception's trace has them.
    Expected{"callback", CrashKind::UnhandledException, SIGABRT, "System.DivideByZeroException",
             "Attempted to divide by zero.", "", "Crashes.Exceptions.Divide"},
    Expected{"native-violation", CrashKind::Signal, SIGSEGV, "", nullptr, "", "Crashes.Signals.ViolateInNative"},
    Expected{"native-abort", CrashKind::Signal, SIGABRT, "", nullptr, "", "Crashes.Signals.Abort"},
};

class CrashIn : public testing::TestWithParam<Expected> {};

TEST_P(CrashIn, IsToldByReasonThreadAndPlace) {
  const Expected& expected = GetParam();
  for (const std::string& version : versionsOf(expected.way)) {
    SCOPED_TRACE(version);
    const Crash crash = crashOf(opened(expected.way, version));
    EXPECT_EQ(toString(crash.cause.kind), std::string(toString(expected.kind)));
    EXPECT_EQ(crash.cause.state, ProcessState::Died);
    ASSERT_TRUE(crash.cause.signal);
    EXPECT_EQ(crash.cause.signal->number, expected.signal);
    ASSERT_TRUE(crash.stack);
    // The runtime's own name for it is a literal, which mini dumps of .NET 11 lack.
    const bool isLiteral = version == "11" && std::string(expected.way) == "pool";
    // Where the others are mini dumps, which have no names, that of musl has the heap.
    const std::string thread = version == "musl-10" ? "baker" : expected.thread;
    EXPECT_EQ(crash.threadName, isLiteral ? "" : thread);
    EXPECT_EQ(crash.place, expected.place);
    ASSERT_EQ(crash.exception.has_value(), *expected.type != '\0');
    if (!crash.exception) continue;
    EXPECT_EQ(crash.exception->type, expected.type);
    if (expected.message) {
      EXPECT_EQ(crash.exception->message, expected.message);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(OfEachWay, CrashIn, testing::ValuesIn(kExpected), [](const auto& test) {
  std::string name = test.param.way;
  std::erase(name, '-');
  return name;
});

/// The program's methods on the stack of the thread that died.
std::vector<std::string> managedFramesOf(const ThreadStackRow& stack) {
  std::vector<std::string> frames;
  for (const FrameRow& frame : stack.frames)
    if (frame.kind == FrameKind::Managed) frames.push_back(methodName(methodOf(frame)));
  return frames;
}

TEST(Crash, HasTheFramesThatTheRuntimePrinted) {
  for (const char* way : {"divide", "finalizer"}) {
    for (const std::string& version : versionsOf(way)) {
      const Crash crash = crashOf(opened(way, version));
      const std::vector<std::string> printed = printedFrames(printedBy(way, version));
      ASSERT_FALSE(printed.empty()) << way << version;
      ASSERT_TRUE(crash.exception);
      // The finalizer's own thread begins with a helper of the runtime that a trace leaves out.
      std::vector<std::string> frames = framesOf(*crash.exception);
      ASSERT_GE(frames.size(), printed.size()) << way << version;
      frames.resize(printed.size());
      EXPECT_EQ(frames, printed) << way << version;
    }
  }
}

// .NET 8 gives up before it has traced an access violation, and prints the stack of the thread instead. From .NET 9 on
// methods of the runtime's own stand above what has failed.
TEST(Crash, HasTheFramesOfTheThreadWhereTheRuntimePrintedThose) {
  for (const std::string& version : versionsOf("violation")) {
    const Crash crash = crashOf(opened("violation", version));
    const std::vector<std::string> printed = printedFrames(printedBy("violation", version));
    ASSERT_FALSE(printed.empty()) << version;
    ASSERT_TRUE(crash.stack) << version;
    std::vector<std::string> frames = managedFramesOf(*crash.stack);
    std::erase_if(frames, [](const std::string& frame) { return frame.starts_with("System.Runtime.EH."); });
    EXPECT_EQ(frames, printed) << version;
  }
}

// .NET 9 lets one go as a C++ exception; 11 stops where it was thrown.
TEST(Crash, HasTheFramesOfAnExceptionThatLeftACallbackForNativeCode) {
  for (const std::string& version : versionsOf("callback")) {
    const Crash crash = crashOf(opened("callback", version));
    ASSERT_TRUE(crash.exception) << version;
    EXPECT_EQ(framesOf(*crash.exception),
              (std::vector<std::string>{"Crashes.Exceptions.Divide", "Crashes.Exceptions.Compare"}))
        << version;
    ASSERT_TRUE(crash.stack) << version;
    const std::vector<std::string> frames = managedFramesOf(*crash.stack);
    ASSERT_FALSE(frames.empty()) << version;
    EXPECT_EQ(frames.front(), version == "9" ? "Crashes.Exceptions.InCallback" : "Crashes.Exceptions.Divide")
        << version;
  }
}

TEST(Crash, HasTheChainOfExceptions) {
  for (const std::string& version : versionsOf("chain")) {
    const Crash chain = crashOf(opened("chain", version));
    ASSERT_TRUE(chain.exception);
    EXPECT_EQ(chain.exception->hresult, static_cast<std::int32_t>(0x80041234));
    ASSERT_EQ(chain.exception->causes.size(), 1u);
    const ExceptionDetails& middle = chain.exception->causes[0];
    EXPECT_EQ(middle.type, "Crashes.BakeryException");
    EXPECT_EQ(middle.message, "no share for anybody");
    ASSERT_EQ(middle.causes.size(), 1u);
    EXPECT_EQ(middle.causes[0].type, "System.DivideByZeroException");
    EXPECT_EQ(framesOf(middle.causes[0]),
              (std::vector<std::string>{"Crashes.Exceptions.Divide", "Crashes.Exceptions.Chain"}));
  }
}

TEST(Crash, HasWhatFailFastWasCalledWith) {
  for (const std::string& version : versionsOf("failfast-exception")) {
    const Crash called = crashOf(opened("failfast-exception", version));
    EXPECT_EQ(called.failFastBy, FailFastBy::Program);
    EXPECT_EQ(called.message, "the ledger does not add up");
    ASSERT_TRUE(called.exception);
    ASSERT_EQ(called.exception->causes.size(), 1u);
    EXPECT_EQ(called.exception->causes[0].message, "till 3");
  }
  for (const std::string& version : versionsOf("assert")) {
    const Crash assertion = crashOf(opened("assert", version));
    EXPECT_EQ(assertion.failFastBy, FailFastBy::Assertion);
    ASSERT_TRUE(assertion.message);
    EXPECT_TRUE(assertion.message->starts_with("sold more than was baked")) << *assertion.message;
    EXPECT_NE(crashSentence(assertion).find("assertion"), std::string::npos);
  }
}

TEST(Crash, FoldsWhatRepeatsWhereAStackOverflowed) {
  for (const std::string& version : versionsOf("overflow")) {
    const Crash crash = crashOf(opened("overflow", version));
    // "Repeat 24105 times:" of .NET 8 and 9, "Repeated 24105 times:" of 10.
    const std::string printed = printedBy("overflow", version);
    const std::size_t times = printed.find(" times:");
    ASSERT_NE(times, std::string::npos) << printed;
    const std::size_t number = printed.rfind(' ', times - 1) + 1;
    const std::vector<FrameRun> repeated = crash.repeated();
    ASSERT_EQ(repeated.size(), 1u) << version;
    EXPECT_EQ(methodOf(crash.stack->frames[repeated[0].first]), "Crashes.Overflows.One");
    // Where addresses are not random, createdump's own page may lie over a page of this stack, and the rest is not
    // told.
    const unsigned long told = std::stoul(printed.substr(number, times - number));
    if (crash.stack->isComplete) {
      EXPECT_EQ(repeated[0].times, told) << version;
    } else {
      EXPECT_LT(repeated[0].times, told) << version;
      EXPECT_FALSE(crash.stack->problem.empty());
    }
  }
}

TEST(Crash, TellsWhereMemoryWasTouched) {
  for (const std::string& version : versionsOf("violation")) {
    EXPECT_EQ(crashOf(opened("violation", version)).cause.faultAddress, Address{0x10000000}) << version;
    const Crash native = crashOf(opened("native-violation", version));
    EXPECT_EQ(native.cause.faultAddress, Address{0x1234}) << version;
    EXPECT_NE(crashNotes(native).at(0).find("no memory is mapped there"), std::string::npos);
    const Crash abort = crashOf(opened("native-abort", version));
    EXPECT_EQ(abort.cause.signal->sender, abort.processId) << version;
  }
}

TEST(Crash, TellsWhatMemoryWasAskedForAndWhatThereWas) {
  for (const std::string& version : versionsOf("memory")) {
    const Crash crash = crashOf(opened("memory", version));
    ASSERT_FALSE(crash.outOfMemory.empty()) << version;
    EXPECT_EQ(crash.hardLimitBytes, 0x1000000u) << version;
  }
}

TEST(Crash, IsOfTheThreadThatDiedWhichNeitherWaitsNorRuns) {
  const Snapshot snapshot = opened("divide", "10");
  const auto stacks = listStacks(snapshot, {.roots = false}, {});
  ASSERT_TRUE(stacks);
  std::size_t dead = 0;
  for (const ThreadStackRow& row : stacks->threads) {
    if (row.doing != "died of System.DivideByZeroException") continue;
    EXPECT_EQ(row.managedId, 5u);
    ++dead;
  }
  EXPECT_EQ(dead, 1u);
}

TEST(Crash, IsNoneOfALivingProcess) {
  for (const char* dump : {"shop-8", "shop-9", "shop-10", "stacks-10", "shop-10-gcore", "storm-9-calm"}) {
    const Crash crash = crashOf(openSnapshot(dumpPath(dump), Stage::Summary));
    EXPECT_EQ(crash.cause.kind, CrashKind::None) << dump;
    EXPECT_EQ(crash.cause.state, ProcessState::Living) << dump;
    EXPECT_FALSE(crash.cause.thread) << dump;
  }
}

/// A dump whose notes can be changed.
class ChangedNotes {
 public:
  explicit ChangedNotes(const std::string& dump) {
    std::ifstream file(dumpPath(dump), std::ios::binary);
    m_bytes.assign(std::istreambuf_iterator<char>(file), {});
    Elf64_Ehdr header;
    std::memcpy(&header, m_bytes.data(), sizeof header);
    for (std::size_t i = 0; i < header.e_phnum; ++i) {
      Elf64_Phdr part;
      std::memcpy(&part, m_bytes.data() + header.e_phoff + i * sizeof part, sizeof part);
      if (part.p_type == PT_NOTE) findDetails(part.p_offset, part.p_offset + part.p_filesz);
    }
  }

  /// Where the bytes of NT_SIGINFO begin, its note's header 20 bytes before.
  std::size_t details() const { return m_details; }
  std::string& bytes() { return m_bytes; }

  Crash crash() const {
    const TemporaryFolder folder;
    const auto path = folder.path() / "changed.core";
    std::ofstream(path, std::ios::binary) << m_bytes;
    return crashOf(openSnapshot(path, Stage::Summary));
  }

 private:
  void findDetails(std::size_t at, std::size_t end) {
    while (at + sizeof(Elf64_Nhdr) <= end) {
      Elf64_Nhdr note;
      std::memcpy(&note, m_bytes.data() + at, sizeof note);
      const std::size_t description = at + sizeof note + ((note.n_namesz + 3) & ~3u);
      if (note.n_type == NT_SIGINFO) m_details = description;
      at = description + ((note.n_descsz + 3) & ~3u);
    }
  }

  std::string m_bytes;
  std::size_t m_details = 0;
};

// Without the notes the runtime's own data still tell; with wrong ones nothing else is told for certain.
TEST(Crash, WithDamagedNotesIsToldByTheRuntimeOrNotAtAll) {
  ChangedNotes notes("crashes/native-violation-8");
  ASSERT_NE(notes.details(), 0u);
  for (std::size_t bit = 0; bit < 8 * 20; bit += 3) {
    ChangedNotes changed = notes;
    changed.bytes()[changed.details() + bit / 8] ^= static_cast<char>(1 << (bit % 8));
    const Crash crash = changed.crash();
    if (crash.cause.signal) {
      EXPECT_EQ(crash.cause.signal->number, SIGSEGV) << bit;
    }
    EXPECT_TRUE(crash.cause.kind == CrashKind::Signal || crash.cause.kind == CrashKind::None) << bit;
    if (crash.cause.kind == CrashKind::None) {
      EXPECT_NE(crash.cause.state, ProcessState::Living) << bit;
    }
  }

  // createdump's signal is gone altogether: another note takes its place.
  ChangedNotes without("crashes/failfast-exception-10");
  ASSERT_NE(without.details(), 0u);
  without.bytes()[without.details() - 12] ^= 1;
  const Crash crash = without.crash();
  EXPECT_EQ(crash.cause.kind, CrashKind::FailFast);
  EXPECT_EQ(crash.message, "the ledger does not add up");
}

}  // namespace
}  // namespace heapscape::engine
