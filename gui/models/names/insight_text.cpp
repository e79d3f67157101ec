// SPDX-License-Identifier: MIT
#include "models/names/insight_text.h"

#include <algorithm>

#include "insight/insight_actions.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/hidden_contents.h"

namespace heapscape::gui {

namespace {

using engine::InsightKind;
using engine::InsightMeaning;

struct KindWords {
  const char* name;
  const char* tip;
};

// Index: engine::InsightKind.
constexpr std::array<KindWords, kInsightKinds> kWords{{
    {"Duplicate strings", "The same text in several objects"},
    {"Boxed values", "Equal boxes of one value, and boxes where a typed collection would do"},
    {"Empty arrays", "Arrays without elements, each an object of its own"},
    {"Uniform arrays", "Arrays whose elements are all the same"},
    {"Sparse arrays", "Arrays whose elements are mostly null or zero"},
    {"Empty collections", "Collections that hold nothing"},
    {"Oversized collections", "Room for more items than there are"},
    {"One-element wrappers", "Collections and arrays with a single item"},
    {"Poor hashing", "Hash tables with most items in few buckets: slow rather than large"},
    {"Padding", "Bytes between fields that another declaration wins back"},
    {"Many small objects", "Small objects of one owner that an array of structs would hold"},
    {"Single-field wrappers", "Objects with one field, which could lie in what refers to them"},
    {"Event handlers", "Objects that only an event or delegate of something long-lived still holds"},
    {"Timers", "What timers that still tick hold"},
    {"Undisposed objects", "Objects with a finalizer that nobody has disposed"},
    {"Finalizer behind", "Objects that wait for their finalizer"},
    {"Pending async methods", "Async methods that wait for something that never ends"},
    {"Stuck load contexts", "Collectible load contexts that something still holds"},
    {"Generic growth", "Many instantiations of one generic definition: tables and code"},
    {"Fragmentation", "Free space between pinned or large objects"},
    {"Leak suspects", "Objects that alone retain much of what is live"},
}};

const KindWords& wordsOf(InsightKind kind) {
  return kWords[std::min(static_cast<std::size_t>(kind), kInsightKinds - 1)];
}

/// A type's name in a title without its namespaces; of an array some titles name the elements.
QString withShortName(QString title, std::string_view name) {
  while (!name.empty()) {
    const QString whole = fromEngine(std::string(name));
    if (title.contains(whole)) return title.replace(whole, shortTypeName(name));
    const std::size_t rank = name.ends_with(']') ? name.rfind('[') : std::string_view::npos;
    if (rank == std::string_view::npos) break;
    name = name.substr(0, rank);
  }
  return title;
}

}  // namespace

QString insightKindText(InsightKind kind) {
  return QString::fromUtf8(wordsOf(kind).name);
}

QString insightKindTip(InsightKind kind) {
  return QString::fromUtf8(wordsOf(kind).tip);
}

QString insightMeaningText(InsightMeaning meaning) {
  switch (meaning) {
    case InsightMeaning::Waste:
      return u"waste"_s;
    case InsightMeaning::Leak:
      return u"leak"_s;
    case InsightMeaning::Held:
      break;
  }
  return u"held"_s;
}

QString insightMeaningTip(InsightMeaning meaning) {
  switch (meaning) {
    case InsightMeaning::Waste:
      return u"Won back by writing the program otherwise; nothing that it needs is lost"_s;
    case InsightMeaning::Leak:
      return u"Freed once its owner releases it, as it probably should"_s;
    case InsightMeaning::Held:
      break;
  }
  return u"Held, for what it is worth: to be looked at"_s;
}

bool isAboutType(const engine::Insight& insight) {
  return !insight.subject.empty() && insight.place.empty() && !insight.subject.starts_with("static ");
}

QString shortInsightTitle(const engine::Insight& insight) {
  const QString title = givenNameText(insight.title);
  return insight.methodTable && isAboutType(insight) ? withShortName(title, insight.subject) : title;
}

QString shortActionText(const engine::InsightList& list, const engine::InsightAction& action) {
  const engine::Insight& first = list.insights[action.insights.front()];
  const QString contents = insightContents(first);
  if (action.insights.size() == 1 && first.kind == InsightKind::DuplicateStrings && !contents.isEmpty())
    return u"Keep one of %1 %2"_s.arg(countedText(first.objects, u"string"_s), contents);
  const QString text = givenNameText(engine::actionText(list, action));
  // Of a method the type's name is wanted.
  const bool isOfType = first.methodTable && first.kind != InsightKind::TimerLeak &&
                        first.kind != InsightKind::PendingAsync && first.kind != InsightKind::Fragmentation;
  if (action.insights.size() > 1 || !isOfType) return text;
  return withShortName(text, first.type.empty() ? first.subject : first.type);
}

QString insightSubject(const engine::Insight& insight) {
  return insight.subject.empty() ? insightContents(insight) : givenNameText(insight.subject);
}

QString insightContents(const engine::Insight& insight) {
  return insight.contents.empty() ? QString() : contentsText(u"“%1”"_s.arg(fromEngine(insight.contents)));
}

QString insightBytesText(const engine::Insight& insight) {
  return insight.bytes == 0 ? QString() : bytesText(insight.bytes);
}

QString insightBytesTip(const engine::Insight& insight) {
  if (insight.bytes == 0) return u"Not about bytes"_s;
  QString tip = exactBytesText(insight.bytes);
  if (insight.sharedBytes > 0)
    tip +=
        QLatin1Char('\n') + u"%1 of them are counted by other insights already"_s.arg(countText(insight.sharedBytes));
  return tip;
}

std::uint64_t ownBytes(const engine::Insight& insight) {
  return insight.bytes - std::min(insight.bytes, insight.sharedBytes);
}

QString leaksNote(const engine::InsightList& list, std::uint64_t liveBytes) {
  std::uint64_t counted = 0;
  for (const engine::Insight& insight : list.insights)
    if (insight.meaning == engine::InsightMeaning::Leak) counted += insight.bytes - ownBytes(insight);
  const QString ofLive = u"%1 of %2 live"_s.arg(percentText(list.leakBytes, liveBytes), bytesText(liveBytes));
  return counted == 0 ? ofLive : u"%1, and %2 counted as waste already"_s.arg(ofLive, bytesText(counted));
}

}  // namespace heapscape::gui
