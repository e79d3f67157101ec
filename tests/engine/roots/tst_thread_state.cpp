// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "runtime/threads/threads.h"

namespace heapscape::engine {
namespace {

TEST(ThreadState, IsToldInWords) {
  const ThreadState worker = decodeThreadState(0x0102'1220);
  EXPECT_EQ(worker.names,
            (std::vector<std::string>{"legalToJoin", "background", "weOwn", "fullyInitialized", "threadPoolWorker"}));
  EXPECT_TRUE(worker.isStarted && worker.isBackground && worker.isThreadPool);
  EXPECT_FALSE(worker.isDead);

  EXPECT_TRUE(decodeThreadState(0x800).isDead);
  EXPECT_FALSE(decodeThreadState(0x400).isStarted);
  EXPECT_FALSE(decodeThreadState(0x20).isBackground);
}

TEST(ThreadState, NamesEveryBit) {
  const ThreadState all = decodeThreadState(0xffffffff);
  EXPECT_EQ(all.names.size(), 32u);
  EXPECT_EQ(all.names[8], "bit8");
  EXPECT_TRUE(decodeThreadState(0).names.empty());
}

}  // namespace
}  // namespace heapscape::engine
