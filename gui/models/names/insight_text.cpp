// SPDX-License-Identifier: MIT
#include "models/names/insight_text.h"

#include <QObject>
#include <algorithm>

#include "models/insights_source.h"
#include "widgets/text/figures.h"
#include "widgets/text/hidden_contents.h"
#include "widgets/text/short_type_name.h"

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
    {QT_TRANSLATE_NOOP("QObject", "Duplicate strings"),
     QT_TRANSLATE_NOOP("QObject", "The same text in several objects")},
    {QT_TRANSLATE_NOOP("QObject", "Boxed values"),
     QT_TRANSLATE_NOOP("QObject", "Equal boxes of one value, and boxes where a typed collection would do")},
    {QT_TRANSLATE_NOOP("QObject", "Empty arrays"),
     QT_TRANSLATE_NOOP("QObject", "Arrays without elements, each an object of its own")},
    {QT_TRANSLATE_NOOP("QObject", "Uniform arrays"),
     QT_TRANSLATE_NOOP("QObject", "Arrays whose elements are all the same")},
    {QT_TRANSLATE_NOOP("QObject", "Sparse arrays"),
     QT_TRANSLATE_NOOP("QObject", "Arrays whose elements are mostly null or zero")},
    {QT_TRANSLATE_NOOP("QObject", "Empty collections"), QT_TRANSLATE_NOOP("QObject", "Collections that hold nothing")},
    {QT_TRANSLATE_NOOP("QObject", "Oversized collections"),
     QT_TRANSLATE_NOOP("QObject", "Room for more items than there are")},
    {QT_TRANSLATE_NOOP("QObject", "One-element wrappers"),
     QT_TRANSLATE_NOOP("QObject", "Collections and arrays around a single item")},
    {QT_TRANSLATE_NOOP("QObject", "Poor hashing"),
     QT_TRANSLATE_NOOP("QObject", "Hash tables with most items in few buckets: slow rather than large")},
    {QT_TRANSLATE_NOOP("QObject", "Padding"),
     QT_TRANSLATE_NOOP("QObject", "Bytes between fields that another declaration wins back")},
    {QT_TRANSLATE_NOOP("QObject", "Many small objects"),
     QT_TRANSLATE_NOOP("QObject", "Small objects of one owner that an array of structs would hold")},
    {QT_TRANSLATE_NOOP("QObject", "Single-field wrappers"),
     QT_TRANSLATE_NOOP("QObject", "Objects around one field, which could lie in what refers to them")},
    {QT_TRANSLATE_NOOP("QObject", "Event handlers"),
     QT_TRANSLATE_NOOP("QObject", "Objects that only an event or delegate of something long-lived still holds")},
    {QT_TRANSLATE_NOOP("QObject", "Timers"), QT_TRANSLATE_NOOP("QObject", "What timers that still tick hold")},
    {QT_TRANSLATE_NOOP("QObject", "Undisposed objects"),
     QT_TRANSLATE_NOOP("QObject", "Objects with a finalizer that nobody has disposed")},
    {QT_TRANSLATE_NOOP("QObject", "Finalizer behind"),
     QT_TRANSLATE_NOOP("QObject", "Objects that wait for their finalizer")},
    {QT_TRANSLATE_NOOP("QObject", "Pending async methods"),
     QT_TRANSLATE_NOOP("QObject", "Async methods that wait for something that never ends")},
    {QT_TRANSLATE_NOOP("QObject", "Stuck load contexts"),
     QT_TRANSLATE_NOOP("QObject", "Collectible load contexts that something still holds")},
    {QT_TRANSLATE_NOOP("QObject", "Generic growth"),
     QT_TRANSLATE_NOOP("QObject", "Many instantiations of one generic definition: tables and code")},
    {QT_TRANSLATE_NOOP("QObject", "Fragmentation"),
     QT_TRANSLATE_NOOP("QObject", "Free space between pinned or large objects")},
    {QT_TRANSLATE_NOOP("QObject", "Suspects"), QT_TRANSLATE_NOOP("QObject", "What alone holds much of the heap")},
}};

const KindWords& wordsOf(InsightKind kind) {
  return kWords[std::min(static_cast<std::size_t>(kind), kInsightKinds - 1)];
}

}  // namespace

QString insightKindText(InsightKind kind) {
  return QObject::tr(wordsOf(kind).name);
}

QString insightKindTip(InsightKind kind) {
  return QObject::tr(wordsOf(kind).tip);
}

QString insightMeaningText(InsightMeaning meaning) {
  switch (meaning) {
    case InsightMeaning::Waste:
      return QObject::tr("waste");
    case InsightMeaning::Leak:
      return QObject::tr("leak");
    case InsightMeaning::Held:
      break;
  }
  return QObject::tr("held");
}

QString insightMeaningTip(InsightMeaning meaning) {
  switch (meaning) {
    case InsightMeaning::Waste:
      return QObject::tr("Won back by writing the program otherwise; nothing that it needs is lost");
    case InsightMeaning::Leak:
      return QObject::tr("Freed if whoever holds it let go, and probably should");
    case InsightMeaning::Held:
      break;
  }
  return QObject::tr("Held, for what it is worth: to be looked at");
}

bool isAboutType(const engine::Insight& insight) {
  const std::string_view subject = insight.subject;
  return !subject.empty() && !subject.starts_with("static ") && subject.find("\u2192") == std::string_view::npos;
}

QString shortInsightTitle(const engine::Insight& insight) {
  QString title = givenNameText(insight.title);
  if (!insight.methodTable || !isAboutType(insight)) return title;
  std::string_view name = insight.subject;
  while (!name.empty()) {  // of an array some titles name the elements
    const QString whole = fromEngine(std::string(name));
    if (title.contains(whole)) return title.replace(whole, shortTypeName(name));
    const std::size_t rank = name.ends_with(']') ? name.rfind('[') : std::string_view::npos;
    if (rank == std::string_view::npos) break;
    name = name.substr(0, rank);
  }
  return title;
}

QString insightSubject(const engine::Insight& insight) {
  return insight.subject.empty() ? insightContents(insight) : givenNameText(insight.subject);
}

QString insightContents(const engine::Insight& insight) {
  return insight.contents.empty() ? QString() : contentsText(QStringLiteral("“%1”").arg(fromEngine(insight.contents)));
}

QString insightBytesText(const engine::Insight& insight) {
  return insight.bytes == 0 ? QString() : bytesText(insight.bytes);
}

QString insightBytesTip(const engine::Insight& insight) {
  if (insight.bytes == 0) return QObject::tr("Not about bytes");
  QString tip = exactBytesText(insight.bytes);
  if (insight.sharedBytes > 0)
    tip += QLatin1Char('\n') +
           QObject::tr("%1 of them are counted by other insights already").arg(countText(insight.sharedBytes));
  return tip;
}

std::uint64_t ownBytes(const engine::Insight& insight) {
  return insight.bytes - std::min(insight.bytes, insight.sharedBytes);
}

QString insightsProgressText(const InsightsSource& source) {
  const engine::Progress& progress = source.progress();
  if (progress.activity.empty()) return QObject::tr("Looking for waste and leaks");
  return QObject::tr("Looking for waste and leaks, %1%").arg(static_cast<int>(progress.fraction * 100));
}

}  // namespace heapscape::gui
