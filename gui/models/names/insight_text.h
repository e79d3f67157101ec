// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <array>

#include "insight/insight.h"

namespace heapscape::gui {

inline constexpr std::size_t kInsightKinds = static_cast<std::size_t>(engine::InsightKind::Suspect) + 1;

/// "Duplicate strings".
QString insightKindText(engine::InsightKind kind);
/// "The same text in several objects".
QString insightKindTip(engine::InsightKind kind);
/// "waste", "leak", "held".
QString insightMeaningText(engine::InsightMeaning meaning);
QString insightMeaningTip(engine::InsightMeaning meaning);
/// Whether the subject is the name of a type: neither empty nor a static or a way from one to something.
bool isAboutType(const engine::Insight& insight);
/// The title with its type's name without namespaces, for where there is little room.
QString shortInsightTitle(const engine::Insight& insight);
/// Text of an action, with its type's name without namespaces.
QString shortActionText(const engine::InsightList& list, const engine::InsightAction& action);
/// Subject of an insight in a few words: its type or member, or a string's contents in quotes.
QString insightSubject(const engine::Insight& insight);
/// A string's contents in quotes; empty for what is no string.
QString insightContents(const engine::Insight& insight);
/// "1.2 MB"; empty where it is not about bytes.
QString insightBytesText(const engine::Insight& insight);
/// The exact bytes, and how many of them other insights count, too.
QString insightBytesTip(const engine::Insight& insight);
/// Bytes that no insight of an earlier kind counts.
std::uint64_t ownBytes(const engine::Insight& insight);
/// What leaks come to of all that is live, "2.1% of 14.8 MB live"; also what leaks and is counted as waste already, for
/// a leak is no smaller for that.
QString leaksNote(const engine::InsightList& list, std::uint64_t liveBytes);

}  // namespace heapscape::gui
