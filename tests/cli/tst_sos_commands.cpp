// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>

#include "cli_run.h"
#include "support/temporary_folder.h"

namespace heapscape::cli::test {

namespace {

const std::string kSosDump = unpackedDump("shop-10");

/// Lines of an answer with blanks collapsed, as scripts compare them.
std::vector<std::string> sosLines(const std::string& command, const std::string& dump = kSosDump) {
  const CliRun run = runCli({"sos", dump, "-c", command});
  EXPECT_EQ(run.status, 0) << command << ": " << run.errors;
  std::vector<std::string> lines;
  for (const std::string& line : linesOf(run.output)) {
    std::string collapsed;
    for (const char c : line) {
      if (c != ' ' || (!collapsed.empty() && collapsed.back() != ' ')) collapsed += c;
    }
    while (!collapsed.empty() && collapsed.back() == ' ') collapsed.pop_back();
    lines.push_back(std::move(collapsed));
  }
  return lines;
}

bool holds(const std::vector<std::string>& lines, const std::string& line) {
  return std::ranges::find(lines, line) != lines.end();
}

}  // namespace

// All expected lines are those that dotnet-dump 10.0.750501 prints of the same dump.
TEST(SosCommands, listThreadsInTheColumnsOfSos) {
  const auto lines = sosLines("clrthreads");
  EXPECT_TRUE(holds(lines, "ThreadCount: 15"));
  EXPECT_TRUE(holds(lines, "BackgroundThread: 13"));
  EXPECT_TRUE(holds(lines, "DeadThread: 1"));
  EXPECT_TRUE(holds(lines,
                    "0 1 7c29 0000556D06A0D630 2020020 Preemptive 00007FDA5D020530:00007FDA5D022230 "
                    "0000556D069E8180 -00001 Ukn"));
  EXPECT_TRUE(holds(lines,
                    "12 10 7c3c 0000556D06B48DC0 2021220 Preemptive 00007FDA5D008210:00007FDA5D00A0B0 "
                    "0000556D069E8180 -00001 Ukn System.InvalidOperationException 00007fda5d008150"));
}

TEST(SosCommands, walkStacksAsSosDoes) {
  EXPECT_EQ(sosLines("clrstack"),
            (std::vector<std::string>{"OS Thread Id: 0x7c29 (0)", "Child SP IP Call Site",
                                      "00007FFD23770990 00007fe6b6ca3f16 [InlinedCallFrame: 00007ffd23770990]",
                                      "00007FFD23770990 00007fe6376aa7f1 [InlinedCallFrame: 00007ffd23770990]",
                                      "00007FFD23770980 00007FE6376AA7F1 System.Threading.Thread.Sleep(Int32)",
                                      "00007FFD23770A20 00007FE638491AA0 Program.<Main>$(System.String[])"}));
  EXPECT_EQ(sosLines("clrstack -c 2").size(), 4u);
  EXPECT_TRUE(holds(sosLines("clrstack -all"),
                    "00007FDA2E7FBB40 00007FE6384BACB8 Shop.Stacks.Generic[[System.__Canon, System.Private.CoreLib],"
                    "[System.Int32, System.Private.CoreLib]](System.__Canon, Int32, "
                    "System.Threading.ManualResetEventSlim)"));
}

TEST(SosCommands, printExceptions) {
  EXPECT_EQ(sosLines("pe 00007fda5d008150"),
            (std::vector<std::string>{
                "Exception object: 00007fda5d008150", "Exception type: System.InvalidOperationException",
                "Message: still being handled", "InnerException: <none>", "StackTrace (generated):", "SP IP Function",
                "00007FDA2EFFCB80 00007FE6384BABA0 shop.dll!Shop.Stacks.CaughtException("
                "System.Threading.ManualResetEventSlim)+0x60",
                "", "StackTraceString: <none>", "HResult: 80131509"}));
  EXPECT_TRUE(holds(sosLines("pe"), "There is no current managed exception on this thread"));
}

TEST(SosCommands, countTheHeap) {
  const auto lines = sosLines("dumpheap -stat");
  EXPECT_EQ(lines.front(), "Statistics:");
  EXPECT_TRUE(holds(lines, "MT Count TotalSize Class Name"));
  EXPECT_TRUE(holds(lines, "7fe63847dd58 5,719 531,502 System.String"));
  EXPECT_TRUE(holds(lines, "556d069dc6d0 1,894 475,440 Free"));
  EXPECT_EQ(lines.back(), "Total 33,096 objects, 3,260,541 bytes");
  const auto orders = sosLines("dumpheap -type Catalog.Order -mt 7fe638693510 -short");
  EXPECT_EQ(orders.size(), 2500u);
  EXPECT_TRUE(holds(sosLines("dumpheap -thinlock"), "7fda5d000710 556d06b3e210 0x7c3e 0"));
  EXPECT_TRUE(holds(sosLines("verifyheap"), "33,096 objects verified, 0 errors."));
}

TEST(SosCommands, printObjects) {
  const auto lines = sosLines("dumpobj 7fda5d823e30");
  EXPECT_TRUE(holds(lines, "Name: System.Collections.Generic.List`1[[Catalog.Order, catalog]]"));
  EXPECT_TRUE(holds(lines, "MethodTable: 00007fe6386b2d38"));
  EXPECT_TRUE(holds(lines, "Size: 32(0x20) bytes"));
  EXPECT_TRUE(holds(lines, "MT Field Offset Type VT Attr Value Name"));
  EXPECT_TRUE(holds(lines, "00007fe63883e180 0400238b 8 System.__Canon[] No instance 00007fda5d8a51a8 _items"));
  EXPECT_TRUE(holds(lines, "00007fe6384574e8 0400238c 10 System.Int32 Yes instance 4 _size"));
  EXPECT_TRUE(holds(lines, "00007fe63883e180 0400238e 8 System.__Canon[] No static 00007fda5d823e50 s_emptyArray"));
  const auto array = sosLines("dumparray 7fda5d876fd8");
  EXPECT_TRUE(holds(array, "Array: Rank 1, Number of elements 4, Type CLASS"));
  EXPECT_TRUE(holds(array, "[0] 00007fda5d876ef8"));
  EXPECT_TRUE(holds(array, "[3] null"));
  EXPECT_TRUE(holds(sosLines("dumpdelegate 7fda5d876968"),
                    "00007fda5d876950 00007fe6386b7da0 Shop.Warehouse+<>c.<PlaceOrder>b__13_0(Catalog.Order)"));
}

TEST(SosCommands, printTheGarbageCollectorsHeaps) {
  const auto lines = sosLines("eeheap -gc");
  EXPECT_TRUE(holds(lines, "7fda432512c0 7fda5d000028 7fda5d022248 7fda5d1f1000 0x22220 (139808) 0x1f1000 (2035712)"));
  EXPECT_TRUE(holds(lines, "GC Allocated Heap Size: Size: 0x331f98 (3350424) bytes."));
  EXPECT_TRUE(holds(lines, "GC Committed Heap Size: Size: 0x6ed000 (7262208) bytes."));
  EXPECT_TRUE(holds(sosLines("gcheapstat"), "Total 139808 138112 2274568 756288 10528"));
  EXPECT_TRUE(
      holds(sosLines("syncblk"), "8 0000556D06B3FA50 1 1 0000556D06B3E210 7c3e 14 00007fda5d000740 Shop.Locks+Door"));
  EXPECT_TRUE(holds(sosLines("gcwhere 7fda5d823e30"),
                    "7fda5d823e30 0 7fda43251410 2 7fda5d800028-7fda5da2b530 7fda5d800000-7fda5da31000 "
                    "7fda5da31000-7fda5dc00000"));
  EXPECT_TRUE(holds(sosLines("finalizequeue -stat"), "Total 109 objects, 5,784 bytes"));
}

TEST(SosCommands, printTypesAndMethods) {
  const auto lines = sosLines("dumpmt 7fe638693510");
  EXPECT_TRUE(holds(lines, "Name: Catalog.Order"));
  EXPECT_TRUE(holds(lines, "mdToken: 000000000200000D"));
  EXPECT_TRUE(holds(lines, "AssemblyLoadContext: 00007FDA5D9D2420"));
  EXPECT_TRUE(holds(lines, "Number of Methods: 13"));
  const auto fields = sosLines("dumpclass 7fe638693510");
  EXPECT_TRUE(holds(fields, "Class Name: Catalog.Order"));
  EXPECT_TRUE(holds(fields, "NumInstanceFields: 10"));
  EXPECT_TRUE(holds(sosLines("name2ee shop.dll Shop.Stacks.Wait"), "MethodDesc: 00007fe638549888"));
  EXPECT_TRUE(holds(sosLines("token2ee shop.dll 06000091"), "JITTED Code Address: 00007fe6384baa70"));
  EXPECT_TRUE(holds(sosLines("ip2md 00007FE6384BAA95"), "MethodDesc: 00007fe638549888"));
}

TEST(SosCommands, printMemoryAndRegisters) {
  EXPECT_TRUE(holds(sosLines("dq 7fda5d823e30 -c 1"), "00007fda5d823e30: 00007fe6386b2d38"));
  EXPECT_TRUE(holds(sosLines("registers"), "rip = 0x00007FE6B6CA3F16"));
}

TEST(SosCommands, sayWhatIsNotThere) {
  for (const char* command : {"dumpil 123", "u 123", "dumpobj 123", "dumpobj", "dumpmt 123", "dumpheap -nope",
                              "dumpheap -mt xyz", "gcroot 123", "nonsense"}) {
    const CliRun run = runCli({"sos", kSosDump, "-c", command});
    EXPECT_EQ(run.status, 1) << command;
    EXPECT_EQ(run.errorLines(), 1u) << command << run.errors;
  }
}

TEST(SosCommands, printWordsOfStacksThatReturnToCode) {
  const auto words = sosLines("dumpstack");
  EXPECT_EQ(words.front(), "OS Thread Id: 0x7c29 (0)");
  EXPECT_TRUE(holds(words, "Child-SP RetAddr Caller"));
  // Where the frame above Main returns to is one of them.
  const auto returnsTo = [&](const std::string& address) {
    return std::ranges::any_of(words, [&](const std::string& line) {
      return line.find(" " + address + " ") != std::string::npos && line.find("Main") != std::string::npos;
    });
  };
  EXPECT_TRUE(returnsTo("00007FE638491AA0"));
  const auto managed = sosLines("eestack -EE");
  EXPECT_EQ(
      std::ranges::count_if(managed, [](const auto& line) { return line.starts_with("OS Thread Id"); }),
      std::ranges::count_if(sosLines("eestack"), [](const auto& line) { return line.starts_with("OS Thread Id"); }));
  EXPECT_FALSE(std::ranges::any_of(managed, [](const auto& line) { return line.find(".so") != std::string::npos; }));
}

TEST(SosCommands, findPointersBetweenTheHeapAndOtherMemory) {
  const auto native = sosLines("gctonative native");
  EXPECT_TRUE(holds(native, "native regions"));
  EXPECT_TRUE(std::ranges::any_of(native, [](const auto& line) { return line.ends_with("System.Threading.Thread"); }));
  const auto stacks = sosLines("findpointersin -all Stack");
  EXPECT_TRUE(holds(stacks, "Type: stack"));
  EXPECT_TRUE(std::ranges::any_of(stacks, [](const auto& line) { return line.ends_with(" System.String"); }));
  EXPECT_TRUE(std::ranges::any_of(sosLines("findpointersin stack"),
                                  [](const auto& line) { return line.ends_with("[Pointers to non-pinned objects]"); }));
  const CliRun wrong = runCli({"sos", kSosDump, "-c", "gctonative heap"});
  EXPECT_EQ(wrong.status, 1);
  EXPECT_NE(wrong.errors.find("There are gcBookkeeping, loaderHeap, jitCode, stack"), std::string::npos)
      << wrong.errors;
}

TEST(SosCommands, tellFromWhichRegisterAFrameCountsARoot) {
  EXPECT_EQ(sosLines("gcroot 7fda5d9d8138"),
            (std::vector<std::string>{"Thread 7c32:", "7fe6353e5930 7fe6384ba2e9 Shop.Lifetimes+Stubborn.Finalize()",
                                      "rbp-8: 00007fe6353e5938", "-> 7fda5d9d8138 Shop.Lifetimes+Stubborn", "",
                                      "7fe6353e5950 7fe6375afed7 System.GC.RunFinalizers()", "rbp-38: 00007fe6353e59b8",
                                      "-> 7fda5d9d8138 Shop.Lifetimes+Stubborn", "", "Found 2 unique roots."}));
}

// The loader of programs is no module to SOS.
TEST(SosCommands, listMappedFiles) {
  const auto lines = sosLines("modules");
  EXPECT_TRUE(holds(lines, "00007FE6B71E6000 00005000 /usr/lib/x86_64-linux-gnu/libdl.so.2"));
  EXPECT_EQ(lines.back(), "Total image size: 38492160");
}

// Above all managed code a frame of the runtime has the thread's own registers, as `registers` has them.
TEST(SosCommands, printRegistersOfTheThreadOnTop) {
  const auto lines = sosLines("clrstack -r");
  ASSERT_GT(lines.size(), 5u);
  EXPECT_EQ(lines[2], "00007FFD23770990 00007fe6b6ca3f16 [InlinedCallFrame: 00007ffd23770990]");
  EXPECT_TRUE(lines[3].starts_with("rsp=") && lines[3].ends_with("rip=00007fe6b6ca3f16")) << lines[3];
  const auto registers = sosLines("registers");
  const auto rax = std::ranges::find_if(registers, [](const auto& line) { return line.starts_with("rax = 0x"); });
  ASSERT_NE(rax, registers.end());
  std::string value = rax->substr(8);
  std::ranges::transform(value, value.begin(), [](unsigned char c) { return std::tolower(c); });
  EXPECT_TRUE(lines[4].starts_with("rax=" + value + " rbx=")) << lines[4];
}

// SOS warns as well, and has no stack of methods that the runtime suspends.
TEST(SosCommands, warnOfContinuations) {
  EXPECT_TRUE(
      sosLines("dumpasync", unpackedDump("shop-11")).front().starts_with("Warning: methods that runtime-async"));
  EXPECT_EQ(sosLines("dumpasync").front(), "STACK 1");
}

TEST(SosCommands, saveImagesOfModules) {
  const heapscape::test::TemporaryFolder folder;
  const std::string file = (folder.path() / "catalog.dll").string();
  const auto modules = sosLines("clrmodules -n catalog.dll");
  ASSERT_EQ(modules.size(), 1u);
  const auto lines = sosLines("savemodule " + modules.front().substr(0, 16) + " " + file);
  ASSERT_EQ(lines.size(), 1u);
  std::ifstream saved(file, std::ios::binary);
  const std::string image((std::istreambuf_iterator<char>(saved)), {});
  EXPECT_TRUE(image.starts_with("MZ"));
  EXPECT_NE(lines.front().find("bytes"), std::string::npos);
  EXPECT_EQ(runCli({"sos", kSosDump, "-c", "savemodule 1234 " + file}).status, 1);
}

}  // namespace heapscape::cli::test
