// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/progress.h"

namespace heapscape::engine {
namespace {

class Reports : public ProgressSink {
 public:
  void progressed(const Progress& progress) override { all.push_back(progress); }
  std::vector<Progress> all;
};

TEST(StageProgress, MapsItsOwnShareIntoTheWhole) {
  Reports reports;
  StageProgress stage(&reports, "reading", 0.2, 0.6);
  stage.report(0.5);
  stage.report(1);
  ASSERT_EQ(reports.all.size(), 3u);
  EXPECT_EQ(reports.all[0].activity, "reading");
  EXPECT_DOUBLE_EQ(reports.all[0].fraction, 0.2);
  EXPECT_DOUBLE_EQ(reports.all[1].fraction, 0.4);
  EXPECT_DOUBLE_EQ(reports.all[2].fraction, 0.6);
}

TEST(StageProgress, DropsSmallSteps) {
  Reports reports;
  StageProgress stage(&reports, "walking", 0, 1);
  for (int i = 0; i <= 1'000'000; ++i) stage.report(i / 1e6);
  EXPECT_LE(reports.all.size(), 1002u);
  EXPECT_GT(reports.all.size(), 500u);
}

TEST(StageProgress, StaysInItsShareAndNeverGoesBack) {
  Reports reports;
  StageProgress stage(&reports, "walking", 0.3, 0.5);
  for (const double fraction : {0.5, -1.0, 0.2, 7.0, 0.9}) stage.report(fraction);
  double last = 0;
  for (const Progress& progress : reports.all) {
    EXPECT_GE(progress.fraction, last);
    EXPECT_LE(progress.fraction, 0.5);
    EXPECT_GE(progress.fraction, 0.3);
    last = progress.fraction;
  }
}

TEST(StageProgress, NeedsNoSink) {
  StageProgress stage(nullptr, "nobody listens", 0, 1);
  stage.report(0.5);
}

}  // namespace
}  // namespace heapscape::engine
