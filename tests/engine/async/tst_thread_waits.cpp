// SPDX-License-Identifier: MIT
// What threads do, told by stacks made by hand.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/async/async_heap.h"
#include "session/threads/thread_waits.h"
#include "support/opened_snapshot.h"

namespace heapscape::test {
namespace {

using namespace engine;

FrameRow ofFramework(const char* type, const char* method) {
  FrameRow frame;
  frame.type = type;
  frame.method = method;
  frame.owner = CodeOwner::Framework;
  return frame;
}

FrameRow ofProgram(const char* type, const char* method) {
  FrameRow frame = ofFramework(type, method);
  frame.owner = CodeOwner::Own;
  return frame;
}

FrameRow ofRuntime(const char* origin) {
  FrameRow frame;
  frame.kind = FrameKind::Runtime;
  frame.origin = origin;
  return frame;
}

std::string doing(std::vector<FrameRow> frames, std::vector<StackRootRow> roots = {}) {
  ThreadStackRow thread;
  thread.frames = std::move(frames);
  thread.roots = std::move(roots);
  for (StackRootRow& root : thread.roots) {
    thread.frames[root.frame].firstRoot = static_cast<std::uint32_t>(&root - thread.roots.data());
    thread.frames[root.frame].rootCount = 1;
  }
  return doingOf(openedDump("shop-10"), thread);
}

TEST(ThreadWaits, TellsTheCallOfTheProgramRatherThanWhatIsInside) {
  EXPECT_EQ(doing({ofRuntime("InlinedCallFrame"), ofFramework("System.Threading.Thread", "Sleep"),
                   ofProgram("Shop.Worker", "Rest")}),
            "waits in Thread.Sleep");
  EXPECT_EQ(doing({ofFramework("System.Threading.Monitor", "Wait"),
                   ofFramework("System.Threading.SemaphoreSlim", "WaitUntilCountOrTimeout"),
                   ofFramework("System.Threading.SemaphoreSlim", "Wait"), ofProgram("Shop.Worker", "Run")}),
            "waits in SemaphoreSlim.Wait");
  EXPECT_EQ(doing({ofFramework("System.Threading.SemaphoreSlim", "Wait"),
                   ofFramework("System.Collections.Concurrent.BlockingCollection<System.__Canon>", "TryTakeWithNoTime"),
                   ofProgram("Shop.Worker", "Run")}),
            "waits in BlockingCollection.Take");
  EXPECT_EQ(doing({ofFramework("System.Net.Sockets.Socket", "Receive"),
                   ofFramework("System.Net.Sockets.NetworkStream", "Read"), ofProgram("Shop.Client", "Ask")}),
            "waits in Socket.Receive");
  EXPECT_EQ(doing({ofFramework("System.Threading.WaitHandle", "WaitMultipleIgnoringSyncContext"),
                   ofFramework("System.Threading.WaitHandle", "WaitAny"), ofProgram("Shop.Client", "Ask")}),
            "waits in WaitHandle.WaitAny");
}

TEST(ThreadWaits, KnowsTheRuntimesOwnThreads) {
  EXPECT_EQ(doing({ofFramework("System.Threading.LowLevelLifoSemaphore", "WaitForSignal"),
                   ofFramework("System.Threading.PortableThreadPool+WorkerThread", "WorkerThreadStart"),
                   ofFramework("System.Threading.Thread", "StartCallback")}),
            "idle pool thread");
  EXPECT_EQ(doing({ofFramework("System.Threading.WaitHandle", "WaitOneNoCheck"),
                   ofFramework("System.Threading.PortableThreadPool+GateThread", "GateThreadStart"),
                   ofFramework("System.Threading.Thread", "StartCallback")}),
            "pool gate thread");
  EXPECT_EQ(doing({ofFramework("System.Threading.WaitHandle", "WaitOneNoCheck"),
                   ofFramework("System.Threading.TimerQueue", "TimerThread")}),
            "waits for the next timer");
}

TEST(ThreadWaits, NamesTheAsyncMethodThatAThreadBlocksOn) {
  const std::vector<FrameRow> frames{ofFramework("System.Threading.Monitor", "Wait"),
                                     ofFramework("System.Threading.Tasks.Task", "SpinThenBlockingWait"),
                                     ofFramework("System.Threading.Tasks.Task", "InternalWaitCore"),
                                     ofFramework("System.Threading.Tasks.Task", "Wait"),
                                     ofProgram("Shop.Page", "Render")};
  EXPECT_EQ(doing(frames), "waits in Task.Wait");
  StackRootRow task;
  task.frame = 1;
  task.object = {0x1000};
  task.typeName =
      "System.Runtime.CompilerServices.AsyncTaskMethodBuilder<System.Threading.Tasks.VoidTaskResult>+"
      "AsyncStateMachineBox<Shop.Orders+<PlaceAsync>d__4>";
  EXPECT_EQ(doing(frames, {task}), "waits for Shop.Orders.PlaceAsync in Task.Wait");
  task.typeName = "System.Threading.Tasks.Task";
  EXPECT_EQ(doing(frames, {task}), "waits in Task.Wait");
}

TEST(ThreadWaits, TellsWhatRuns) {
  EXPECT_EQ(doing({ofProgram("Shop.Worker", "Spin"), ofProgram("Shop.Worker", "Run")}), "runs Shop.Worker.Spin");
  EXPECT_EQ(doing({ofRuntime("InlinedCallFrame"), ofProgram("Shop.Native", "Call")}),
            "in native code called by Shop.Native.Call");
  EXPECT_EQ(doing({ofFramework("System.Text.Json.Utf8JsonReader", "Read"),
                   ofFramework("System.Text.Json.JsonSerializer", "Deserialize"), ofProgram("Shop.Worker", "Run")}),
            "in System.Text.Json.JsonSerializer.Deserialize");
  EXPECT_EQ(doing({}), "");
}

TEST(ThreadWaits, BelievesNoNumbersOfRoots) {
  ThreadStackRow thread;
  thread.frames = {ofFramework("System.Threading.Tasks.Task", "Wait"), ofProgram("Shop.Page", "Render")};
  thread.frames.front().firstRoot = 5;
  thread.frames.front().rootCount = 0xffffffff;
  EXPECT_EQ(doingOf(openedDump("shop-10"), thread), "waits in Task.Wait");
}

TEST(ThreadWaits, NotesWhichThreadRunsAMethodAndWhichBlocks) {
  AsyncList list;
  list.frames = {{.object = {0x1000}}, {.object = {0x2000}, .event = {0x3000}}};
  list.chains = {{.firstFrame = 0, .frameCount = 2, .state = AsyncState::Running}};
  StackList stacks;
  stacks.threads.resize(2);
  stacks.threads[0].managedId = 7;
  stacks.threads[0].frames = {
      ofFramework("System.Runtime.CompilerServices.AsyncTaskMethodBuilder<System.Int32>+"
                  "AsyncStateMachineBox<Shop.Orders+<PlaceAsync>d__4>",
                  "MoveNext")};
  stacks.threads[0].roots.resize(1);
  stacks.threads[0].roots[0].object = {0x1000};
  stacks.threads[1].managedId = 8;
  stacks.threads[1].frames = {ofFramework("System.Threading.Tasks.Task", "SpinThenBlockingWait")};
  stacks.threads[1].roots.resize(2);
  stacks.threads[1].roots[0].object = {0x3000};
  stacks.threads[1].roots[1].object = {0x1000};  // it only knows the task
  joinThreads(list, stacks);
  EXPECT_EQ(list.frames[0].thread, 7u);
  EXPECT_EQ(list.frames[1].thread, 8u);
}

class ThreadWaitsOfDumps : public testing::TestWithParam<const char*> {};

TEST_P(ThreadWaitsOfDumps, AreThoseThatWerePlanted) {
  const auto stacks = listStacks(openedDump(GetParam()), {}, {});
  ASSERT_TRUE(stacks);
  int threads = 0;
  for (const auto& planted : plantedIn(GetParam())) {
    const auto waits = planted.value("waits", std::string());
    if (!planted.contains("thread") || waits.empty()) continue;
    const auto thread =
        std::ranges::find(stacks->threads, planted.at("managedId").get<std::uint32_t>(), &ThreadStackRow::managedId);
    ASSERT_NE(thread, stacks->threads.end()) << planted;
    EXPECT_NE(thread->doing.find(waits), std::string::npos) << planted << thread->doing;
    ++threads;
  }
  EXPECT_GT(threads, 0);
}

INSTANTIATE_TEST_SUITE_P(Dumps, ThreadWaitsOfDumps,
                         testing::Values("stacks-8", "stacks-9", "stacks-10", "asyncs-10", "stacks-11", "asyncs-11"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace heapscape::test
