// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "support/details.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"
#include "value_truth.h"

namespace heapscape::test {
namespace {

class SampledObjects : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(OfShop, SampledObjects, testing::ValuesIn(shopDumps()),
                         [](const auto& dump) { return testName(dump.param); });

TEST_P(SampledObjects, HoldWhatClrMDReadInThem) {
  ValueTruth truth(openedDump(GetParam()));
  const nlohmann::json details = detailsOf(GetParam());
  for (const nlohmann::json& sample : details["samples"]) truth.compare(sample);
  for (const std::string& difference : truth.differences()) ADD_FAILURE() << difference;
  EXPECT_GE(details["samples"].size(), 700u);
  EXPECT_GE(truth.equalValues(), 5000u);
}

}  // namespace
}  // namespace heapscape::test
