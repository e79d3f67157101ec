// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "cli_run.h"
#include "support/temporary_folder.h"

namespace heapscape::cli::test {

namespace {

const std::string kCodeDump = unpackedDump("shop-10");
constexpr const char* kWait = "00007fe638549888";  // Shop.Stacks.Wait(ManualResetEventSlim)

/// What commands answer, blanks collapsed.
std::string answersOf(const std::vector<std::string>& commands, const std::string& dump = kCodeDump) {
  std::vector<std::string> words{"sos", dump};
  for (const std::string& command : commands) words.insert(words.end(), {"-c", command});
  const CliRun run = runCli(words);
  EXPECT_EQ(run.status, 0) << commands.front() << ": " << run.errors;
  std::string collapsed = "\n";
  for (const char c : run.output) {
    if ((c == ' ' || c == '\n') && (collapsed.back() == ' ')) collapsed.pop_back();
    if (c != ' ' || (collapsed.back() != ' ' && collapsed.back() != '\n')) collapsed += c;
  }
  return collapsed;
}

testing::AssertionResult hasLines(const std::string& answer, const std::string& lines) {
  if (answer.find('\n' + lines + '\n') != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "'" << lines << "' is missing in\n" << answer;
}

}  // namespace

// Expected lines are those that dotnet-dump 10.0.750501 prints of the same dump, but for the disassembly, which it has
// not, and the parts that the manual says it gets wrong.
TEST(SosCode, PrintsIl) {
  EXPECT_TRUE(hasLines(answersOf({std::string("dumpil ") + kWait}),
                       "IL_0000: ldarg.0\n"
                       "IL_0001: callvirt void System.Threading.ManualResetEventSlim::Set()\n"
                       "IL_0006: ldc.i4.m1\n"
                       "IL_0007: call void System.Threading.Thread::Sleep(int32)\n"
                       "IL_000c: ret"));
}

TEST(SosCode, PrintsGcInfo) {
  const std::string answer = answersOf({std::string("gcinfo ") + kWait});
  EXPECT_TRUE(hasLines(answer, "entry point 00007FE6384BAA70\nNormal JIT generated code\nGC info 00007FE639181438"));
  EXPECT_TRUE(hasLines(answer, "Varargs: 0\nFrame pointer: rbp\nWants Report Only Leaf: 0"));
  EXPECT_TRUE(hasLines(answer, "Code size: 2c\nUntracked: +rbp-8"));
}

TEST(SosCode, PrintsMachineCodeWithIl) {
  EXPECT_TRUE(hasLines(answersOf({std::string("clru -il -o ") + kWait}),
                       "IL_0006: ldc.i4.m1\n"
                       "IL_0007: call void System.Threading.Thread::Sleep(int32)\n"
                       "001a 00007fe6384baa8a bfffffffff mov edi, 0xffffffff\n"
                       "001f 00007fe6384baa8f ff1583cef8ff call qword ptr [rip - 0x7317d]\n"
                       "IL_000c: ret\n"
                       "0025 00007fe6384baa95 90 nop"));
  // From an instruction on the stack, which is marked.
  EXPECT_TRUE(hasLines(answersOf({"u 00007fe6384baa95"}), ">>> 00007fe6384baa95 90 nop"));
}

TEST(SosCode, PrintsMachineCodeOfArm64) {
  const std::string answer =
      answersOf({"clru -o 0000ffff66be9040", "gcinfo 0000ffff66be9040"}, unpackedDump("shop-arm64-10"));
  EXPECT_TRUE(hasLines(answer, "0020 0000ffff66b5e250 1f0040b9 ldr wzr, [x0]\n0024 0000ffff66b5e254 20003fd6 blr x1"));
  EXPECT_TRUE(hasLines(answer, "Frame pointer: fp\nHas tailcalls: 0"));
}

TEST(SosCode, TellsTheBuildOfTheRuntime) {
  EXPECT_TRUE(hasLines(answersOf({"eeversion"}, unpackedDump("shop-11")),
                       "11.0.26.53018\n11.0.26.53018 @Commit: 297acf930fb0f5c07fd4e51d78e521b4ad2e5d1f"));
}

TEST(SosCode, PrintsWhatCatchesExceptions) {
  EXPECT_TRUE(hasLines(answersOf({"ehinfo 00007FE6384BABA0"}),
                       "EHHandler 0: TYPED catch(System.InvalidOperationException)\n"
                       "Clause: [00007fe6`384bab5e, 00007fe6`384baba2] [1e, 62]\n"
                       "Handler: [00007fe6`384baba8, 00007fe6`384babc3] [68, 83]"));
}

TEST(SosCode, PrintsModulesWithTheirTypes) {
  const std::string answer = answersOf({"dumpmodule -mt 00007fe638541a30", "dumpdomain"});
  EXPECT_TRUE(hasLines(answer, "LoaderHeap: 00007FE6B6ACCE10\nTypeDefToMethodTableMap: 00007FE6385178B8"));
  EXPECT_TRUE(hasLines(answer, "MetaData start address: 00007FE634BC1EB4 (39012 bytes)"));
  EXPECT_TRUE(hasLines(answer, "00007fe638832890 0x0200000c Shop.Box`1"));
  EXPECT_TRUE(hasLines(answer, "00007fe6374547b0 0x01000011 System.Object"));
  EXPECT_TRUE(hasLines(answer,
                       "LowFrequencyHeap: 00007FE6B6ACCE20\nHighFrequencyHeap: 00007FE6B6ACCE98\n"
                       "StubHeap: 00007FE6B6ACCF10\nStage: OPEN\nName: clrhost"));
  EXPECT_TRUE(hasLines(answersOf({"clrmodules -v -n shop.dll"}), "PdbInfo: <none>\nVersion: 1.0.0.0"));
  EXPECT_TRUE(hasLines(answersOf({"modules"}), "00007FE6B6B20000 00002000 /opt/shop/shop/plugin.dll"));
  EXPECT_TRUE(hasLines(answersOf({"findappdomain 7fda5d823e30"}), "AppDomain: 0000556d069e8180\nName: clrhost\nID: 1"));
  EXPECT_TRUE(hasLines(answersOf({"dumpalc 7fda5d823e30"}), "Name: System.Runtime.Loader.DefaultAssemblyLoadContext"));
}

TEST(SosCode, PrintsHeapsOfTheRuntime) {
  const std::string answer = answersOf({"eeheap -loader", "dumpgcdata"});
  EXPECT_TRUE(hasLines(answer, "StubHeap: 7fe63745d000(3000:1000) Size: 0x1000 (4096) bytes total."));
  EXPECT_TRUE(hasLines(answer, "JIT Manager: 556d069e9f60"));
  EXPECT_TRUE(hasLines(answer,
                       "HostCodeHeap: 7fe6391a0000(1000:1000) Size: 0x1000 (4096) bytes total.\n"
                       "Total size: Size: 0x31000 (200704) bytes total."));
  EXPECT_TRUE(hasLines(answer, "compacting GCs : 1\npromoting GCs : 4"));
  EXPECT_TRUE(hasLines(answer, "[W] high fragmentation: 1"));
}

TEST(SosCode, WalksStacksAsDebuggersSeeThem) {
  const std::string answer = answersOf({"clrstack -i -a"});
  EXPECT_TRUE(hasLines(answer,
                       "00007FFD23770990 (null) [Managed to Unmanaged transition: 00007FFD23770990]\n"
                       "00007FFD23770A20 00007fe638491aa0 [DEFAULT] Void Program.<Main>$(SZArray String) "
                       "(/opt/shop/shop/shop.dll)"));
  EXPECT_TRUE(hasLines(answer, "PARAMETERS:\n+ string[] args (empty)"));
}

TEST(SosCode, FollowsEveryRootToAnObject) {
  const std::string answer = answersOf({"gcroot 7fda5d8fa210"});
  EXPECT_TRUE(hasLines(answer,
                       "HandleTable:\n00007fe6b6c01350 (strong handle)\n"
                       "-> 7fda5d9d65a0 System.Reflection.LoaderAllocator"));
  EXPECT_TRUE(hasLines(answer,
                       "00007fe6b6c013e8 (strong handle)\n-> 7fda5b000028 System.Object[]\n"
                       "-> 7fda5d809c60 System.Collections.Generic.List<Catalog.Customer> "
                       "(static variable: Shop.Warehouse.customers)"));
  EXPECT_TRUE(hasLines(answer, "Thread 7c29:\n7ffd23770a20 7fe638491aa0 Program.<Main>$(System.String[])"));
  EXPECT_TRUE(hasLines(answer, "Found 3 unique roots."));
  const std::string limited = answersOf({"gcroot -limit 1 7fda5d8fa210", "gcroot -nostacks 7fda5d8fa210"});
  EXPECT_TRUE(hasLines(limited, "Found 1 unique roots."));
  EXPECT_TRUE(hasLines(limited, "Found 2 unique roots."));
}

TEST(SosCode, WritesTheHeapToAFile) {
  const heapscape::test::TemporaryFolder folder;
  const std::string text = folder / "heap.txt", xml = folder / "heap.xml";
  answersOf({"traverseheap " + text, "traverseheap -xml " + xml});
  const auto contentsOf = [](const std::string& path) {
    std::ifstream file(path);
    return '\n' + std::string(std::istreambuf_iterator<char>(file), {});
  };
  EXPECT_TRUE(hasLines(contentsOf(text), "t 1 0 System.Object[]"));
  EXPECT_TRUE(hasLines(contentsOf(text),
                       "n 2 1 1 1048\n! 1 0x00007fda5b002020 2\no 0x00007fda5b002020 1 1048  0x00007fda5d9c5d68"));
  EXPECT_TRUE(hasLines(contentsOf(xml),
                       "  <object address=\"0x00007fda5b002020\" typeid=\"1\" size=\"1048\">\n"
                       "    <member address=\"0x00007fda5d9c5d68\" />\n  </object>"));
  EXPECT_TRUE(hasLines(contentsOf(xml), "  <root kind=\"handle\" address=\"0x00007fe6b6c013e8\" />"));
}

TEST(SosCode, SumsUpAsyncMethods) {
  EXPECT_TRUE(hasLines(answersOf({"dumpasync --stats"}), "00007fe638fe59e0 3 Shop.Code+<WaitForever>d__7"));
  EXPECT_TRUE(hasLines(answersOf({"clrthreads -managedexception"}), "Found managed exception on thread 7c3c"));
  EXPECT_TRUE(hasLines(answersOf({"clrma"}), "Managed analysis provider: SOSCLRMA\nOSThreadId: 7c29"));
}

TEST(SosCode, SaysThatThereIsNoStressLog) {
  for (const char* command : {"dumplog", "histstats", "histroot 7fe6b6c013e8"}) {
    const CliRun run = runCli({"sos", kCodeDump, "-c", command});
    EXPECT_EQ(run.status, 1) << command;
    EXPECT_NE(run.errors.find("stress log was not switched on"), std::string::npos) << run.errors;
  }
}

}  // namespace heapscape::cli::test
