// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>

#include "models/insights_source.h"

namespace heapscape::gui::test {

/// One insight with the figures that lists are about.
inline engine::Insight madeInsight(engine::InsightKind kind, engine::InsightMeaning meaning, std::string title,
                                   std::uint64_t bytes, std::uint64_t shared = 0, bool isFramework = false) {
  engine::Insight insight;
  insight.kind = kind;
  insight.meaning = meaning;
  insight.title = std::move(title);
  insight.bytes = bytes;
  insight.sharedBytes = shared;
  insight.objects = 10;
  insight.isFramework = isFramework;
  return insight;
}

/// Two waste kinds, one leak, one that holds; the second duplicate is the framework's own.
inline std::shared_ptr<const FoundInsights> madeInsights() {
  using engine::InsightKind;
  using engine::InsightMeaning;
  engine::InsightList list;
  list.insights = {
      madeInsight(InsightKind::Suspect, InsightMeaning::Held, "One object holds half of the heap", 50'000),
      madeInsight(InsightKind::DelegateLeak, InsightMeaning::Leak, "Handlers of one event", 9'000),
      madeInsight(InsightKind::DuplicateStrings, InsightMeaning::Waste, "Equal strings of the program", 4'000),
      madeInsight(InsightKind::DuplicateStrings, InsightMeaning::Waste, "Equal strings of the framework", 3'500, 0,
                  true),
      madeInsight(InsightKind::PaddingWaste, InsightMeaning::Waste, "Padding of orders", 7'000, 2'000),
      madeInsight(InsightKind::DuplicateStrings, InsightMeaning::Waste, "More equal strings", 2'500)};
  list.insights[4].subject = "Shop.Order";
  list.insights[4].methodTable = {0x7000};
  list.insights[1].items = {{.object = {0x1000}, .bytes = 24, .text = {}}, {.object = {0x2000}, .bytes = 24}};
  list.insights[2].contents = "Northern branch";
  list.insights[2].owners = {{.kind = engine::InsightOwner::Kind::Static,
                              .name = "static Shop.Names.all",
                              .object = {},
                              .methodTable = {},
                              .objects = 10,
                              .bytes = 4'000}};
  return std::make_shared<const FoundInsights>(indexed(std::move(list), 100'000));
}

}  // namespace heapscape::gui::test
