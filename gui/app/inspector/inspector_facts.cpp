// SPDX-License-Identifier: MIT
#include "app/inspector/inspector_facts.h"

#include <QObject>

#include "session/details/object_details.h"
#include "session/objects/retained_query.h"
#include "widgets/text/counted_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/heap_figures.h"
#include "widgets/text/value_text.h"

namespace heapscape::gui {

namespace {

using engine::Segment;
using engine::Snapshot;

constexpr std::size_t kContentsShown = 8;
constexpr std::size_t kTextShown = 80;  // characters
constexpr qsizetype kNameLetters = 18;

Fact bytesFact(const QString& label, std::uint64_t bytes) {
  return {.label = label, .value = bytesText(bytes), .detail = exactBytesText(bytes)};
}

Fact addressFact(const QString& label, engine::Address address) {
  return {.label = label, .value = addressText(address), .detail = {}, .isFixed = true, .address = address};
}

Fact retainedFact(const engine::RetainedRow& retained) {
  if (!retained.isReachable) {
    return {.label = QStringLiteral("Retains"),
            .value = QStringLiteral("not held"),
            .detail = QStringLiteral("Nothing holds the object any more; the next collection may take it.")};
  }
  return {.label = QStringLiteral("Retains"),
          .value = bytesText(retained.retainedBytes),
          .detail = QStringLiteral("%1 in %2 would be freed with it")
                        .arg(exactBytesText(retained.retainedBytes),
                             countedText(retained.retainedCount, QStringLiteral("object")))};
}

void addCounts(std::vector<Fact>& facts, const Snapshot& snapshot, engine::TypeId id) {
  const engine::TypeCounts& counts = snapshot.typeCounts();
  const std::size_t index = id.value;
  const std::uint64_t count = counts.count[index];
  const std::uint64_t bytes = counts.bytes[index];
  facts.push_back({.label = QStringLiteral("Objects"), .value = countText(count)});
  facts.push_back(bytesFact(QStringLiteral("Bytes"), bytes));
  if (count > 0) facts.push_back(bytesFact(QStringLiteral("Average"), bytes / count));
  if (index < snapshot.typeRetained().size()) {
    facts.push_back(bytesFact(QStringLiteral("Retains"), snapshot.typeRetained()[index].retainedBytes));
  }
  if (index < snapshot.typePaddingBytes().size()) {
    const std::uint64_t padding = snapshot.typePaddingBytes()[index];
    facts.push_back({.label = QStringLiteral("Padding"),
                     .value = padding == 0
                                  ? QStringLiteral("none")
                                  : QStringLiteral("%1 · %2").arg(bytesText(padding), percentText(padding, bytes)),
                     .detail = QStringLiteral("%1 in all its objects").arg(exactBytesText(padding))});
  }
}

Fact valueFact(const QString& name, const engine::Value& value) {
  const bool isLong = name.size() > kNameLetters;
  return {.label = isLong ? name.left(kNameLetters - 1) + QStringLiteral("…") : name,
          .value = valueText(value),
          .detail = name + QLatin1Char('\n') + valueTip(value),
          .isWarning = isDoubtful(value)};
}

void addValues(std::vector<Fact>& facts, const std::vector<engine::FieldValue>& values) {
  for (std::size_t index = 0; index < values.size() && index < kContentsShown; ++index) {
    facts.push_back(valueFact(fieldNameText(values[index].name), values[index].value));
  }
  if (values.size() > kContentsShown) {
    const QString rest = QStringLiteral("%1 more").arg(countText(values.size() - kContentsShown));
    facts.push_back({.label = QStringLiteral("…"), .value = rest});
  }
}

void addItems(std::vector<Fact>& facts, const engine::CollectionDetails& collection) {
  const QString state =
      collection.isHolder ? fromEngine(collection.state) : countedText(collection.count, QStringLiteral("item"));
  if (!state.isEmpty()) facts.push_back({.label = fromEngine(collection.kind), .value = state});
  for (const engine::CollectionItem& item : collection.items) {
    if (facts.size() > kContentsShown) break;
    const QString name = collection.hasKeys ? QStringLiteral("[%1]").arg(valueText(item.key)) : fromEngine(item.label);
    facts.push_back(valueFact(name, item.value));
  }
}

}  // namespace

std::vector<Fact> objectFacts(const Snapshot& snapshot, const engine::ObjectRow& object) {
  std::vector<Fact> facts{
      addressFact(QStringLiteral("Address"), object.address),
      {.label = QStringLiteral("Size"),
       .value = exactBytesText(object.sizeBytes),
       .detail = QStringLiteral("As the runtime computes it from base size, element size and length")},
      {.label = QStringLiteral("Bytes"),
       .value = exactBytesText(object.alignedBytes),
       .detail = QStringLiteral("What it takes up in the heap: the size, rounded up to the next multiple of 8")},
      {.label = QStringLiteral("Generation"), .value = generationText(object.generation)}};
  if (const auto retained = engine::retainedOf(snapshot, object.address)) facts.push_back(retainedFact(*retained));
  if (object.segment.value < snapshot.segments().size()) {
    const Segment& segment = snapshot.segments()[object.segment.value];
    facts.push_back({.label = QStringLiteral("Heap"), .value = countText(segment.heap)});
    facts.push_back(addressFact(QStringLiteral("Segment"), segment.objects.start));
  }
  return facts;
}

std::vector<Fact> contentFacts(const Snapshot& snapshot, engine::Address address) {
  engine::DetailLimits limits;
  limits.elements = kContentsShown;
  limits.stringUnits = kTextShown;
  limits.preview = kTextShown;
  const auto object = engine::objectDetails(snapshot, address, limits);
  if (!object || object->isFree) return {};
  std::vector<Fact> facts;
  if (object->string) {
    facts.push_back(
        {.label = QStringLiteral("Text"), .value = QStringLiteral("\"%1\"").arg(fromEngine(object->string->text))});
    facts.push_back({.label = QStringLiteral("Characters"), .value = countText(object->string->length)});
    return facts;
  }
  if (object->collection) {
    addItems(facts, *object->collection);
    return facts;
  }
  if (object->array) {
    facts.push_back({.label = QStringLiteral("Elements"), .value = countText(object->array->count)});
    addValues(facts, object->array->elements);
  }
  addValues(facts, object->fields);
  return facts;
}

std::vector<Fact> typeFacts(const Snapshot& snapshot, const InspectedType& type) {
  std::vector<Fact> facts;
  if (type.id) {
    addCounts(facts, snapshot, *type.id);
  } else {
    facts.push_back({.label = QStringLiteral("Objects"), .value = QStringLiteral("none on the heap")});
  }
  if (type.layout) {
    facts.push_back({.label = QStringLiteral("Kind"), .value = fromEngine(engine::toString(type.layout->kind))});
    facts.push_back(bytesFact(QStringLiteral("Base size"), type.layout->baseSize));
    if (type.layout->componentSize > 0) {
      facts.push_back(bytesFact(QStringLiteral("Element size"), type.layout->componentSize));
    }
  } else if (type.id) {
    facts.push_back(bytesFact(QStringLiteral("Base size"), snapshot.types()[type.id->value].baseSize));
  }
  facts.push_back(addressFact(QStringLiteral("Method table"), type.methodTable));
  const std::string assembly = type.layout ? type.layout->assembly
                               : type.id   ? snapshot.types()[type.id->value].assembly
                                           : std::string();
  if (!assembly.empty()) facts.push_back({.label = QStringLiteral("Module"), .value = fromEngine(assembly)});
  return facts;
}

std::vector<Fact> segmentFacts(const Snapshot& snapshot, engine::SegmentId id) {
  const Segment& segment = snapshot.segments()[id.value];
  const std::uint64_t committed = engine::AddressRange{segment.objects.end, segment.committedEnd}.sizeBytes();
  const std::uint64_t reserved = engine::AddressRange{segment.committedEnd, segment.reservedEnd}.sizeBytes();
  std::vector<Fact> facts{{.label = QStringLiteral("Kind"), .value = segmentKindText(segment.kind)},
                          {.label = QStringLiteral("Heap"), .value = countText(segment.heap)},
                          addressFact(QStringLiteral("From"), segment.objects.start),
                          addressFact(QStringLiteral("To"), segment.objects.end),
                          addressFact(QStringLiteral("Committed to"), segment.committedEnd),
                          addressFact(QStringLiteral("Reserved to"), segment.reservedEnd)};
  if (id.value < snapshot.segmentContents().size()) {
    const engine::SegmentContents& contents = snapshot.segmentContents()[id.value];
    const HeapFigures live = heapFigures(contents.totals);
    facts.push_back({.label = QStringLiteral("Objects"), .value = countText(live.objects)});
    facts.push_back(bytesFact(QStringLiteral("Used"), live.bytes));
    facts.push_back(bytesFact(QStringLiteral("Free between"), live.freeBytes));
    if (contents.unreadBytes > 0) {
      Fact unread = bytesFact(QStringLiteral("Not readable"), contents.unreadBytes);
      unread.isWarning = true;
      facts.push_back(unread);
    }
    if (contents.doubtfulBytes > 0) {
      Fact doubtful = bytesFact(QStringLiteral("Doubtful"), contents.doubtfulBytes);
      doubtful.detail = QStringLiteral(
          "In arrays that end where an object begins, but hold what looks like objects: "
          "damaged lengths, or old bytes in new arrays. They count as read.");
      facts.push_back(doubtful);
    }
  }
  facts.push_back({.label = QStringLiteral("Unused"),
                   .value = bytesText(committed),
                   .detail = QStringLiteral("%1 committed behind the last object").arg(exactBytesText(committed))});
  facts.push_back(bytesFact(QStringLiteral("Reserved"), reserved));
  return facts;
}

QString typeTitle(const Snapshot& snapshot, const InspectedType& type) {
  std::string name;
  if (type.id) name = snapshot.types()[type.id->value].name;
  if (name.empty() && type.layout) name = type.layout->typeName;
  return name.empty() ? addressText(type.methodTable) : fromEngine(name);
}

QString segmentTitle(const Segment& segment) {
  return QStringLiteral("%1 segment of heap %2").arg(segmentKindText(segment.kind), countText(segment.heap));
}

}  // namespace heapscape::gui
