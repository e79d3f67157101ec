// SPDX-License-Identifier: MIT
#include "output/insights/insights_json.h"

#include <algorithm>
#include <optional>

#include "base/given_name.h"
#include "insight/insight_rows.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kExamples = 10;

const char* nameOf(InsightOwner::Kind kind) {
  switch (kind) {
    case InsightOwner::Kind::Static:
      return "static";
    case InsightOwner::Kind::Type:
      return "type";
    case InsightOwner::Kind::Object:
      return "object";
    case InsightOwner::Kind::Thread:
      return "thread";
    case InsightOwner::Kind::Handle:
      return "handle";
    case InsightOwner::Kind::Unreachable:
      return "unreachable";
    case InsightOwner::Kind::Other:
      break;
  }
  return "other";
}

void writeAddress(JsonWriter& json, std::string_view name, Address address) {
  json.member(name, address ? std::optional(address) : std::nullopt);
}

void writeItems(JsonWriter& json, const Insight& insight, bool isRedacted) {
  json.key("examples");
  json.beginArray();
  for (std::size_t i = 0; i < std::min(kExamples, insight.items.size()); ++i) json.value(insight.items[i].object);
  json.endArray();
  json.key("items");
  json.beginArray();
  for (const InsightItem& item : insight.items) {
    json.beginObject();
    json.member("address", item.object);
    json.member("bytes", item.bytes);
    if (!isRedacted) json.member("text", item.text);
    json.endObject();
  }
  json.endArray();
}

void writeOwners(JsonWriter& json, const Insight& insight, bool isRedacted) {
  json.key("owners");
  json.beginArray();
  for (const InsightOwner& owner : insight.owners) {
    json.beginObject();
    json.member("kind", nameOf(owner.kind));
    json.member("name", withoutGivenNameIf(isRedacted, owner.name));
    writeAddress(json, "object", owner.object);
    writeAddress(json, "methodTable", owner.methodTable);
    json.member("objects", owner.objects);
    json.member("bytes", owner.bytes);
    json.endObject();
  }
  json.endArray();
}

void writeFacts(JsonWriter& json, const Insight& insight, bool isRedacted) {
  json.key("facts");
  json.beginArray();
  for (const InsightFact& fact : insight.facts) {
    if (isRedacted && fact.isContents) continue;
    json.beginObject();
    json.member("label", withoutGivenNameIf(isRedacted, fact.label));
    json.member("value", withoutGivenNameIf(isRedacted, fact.value));
    json.endObject();
  }
  json.endArray();
}

void writeInsight(JsonWriter& json, const Insight& insight, bool isRedacted) {
  json.beginObject();
  json.member("kind", toString(insight.kind));
  json.member("meaning", toString(insight.meaning));
  json.member("title", withoutGivenNameIf(isRedacted, insight.title));
  json.member("subject", withoutGivenNameIf(isRedacted, insight.subject));
  if (!isRedacted) json.member("contents", insight.contents);
  json.member("bytes", insight.bytes);
  json.member("sharedBytes", insight.sharedBytes);
  json.member("exact", !insight.isInexact);
  json.member("objects", insight.objects);
  json.member("type", insight.methodTable ? insight.subject : "");
  writeAddress(json, "methodTable", insight.methodTable);
  json.member("framework", insight.isFramework);
  json.member("advice", insight.advice);
  writeItems(json, insight, isRedacted);
  writeOwners(json, insight, isRedacted);
  writeFacts(json, insight, isRedacted);
  json.key("path");
  json.beginArray();
  for (const std::string& step : insight.path) json.value(step);
  json.endArray();
  json.endObject();
}

void writeGroups(JsonWriter& json, const InsightList& list) {
  json.key("groups");
  json.beginArray();
  for (const InsightRow& group : groupsOfInsights(list)) {
    json.beginObject();
    json.member("kind", toString(group.kind));
    json.member("meaning", toString(group.meaning));
    json.member("framework", group.isFramework);
    json.member("title", insightGroupTitle(group.kind, group.insights.size(), group.objects));
    json.member("insights", group.insights.size());
    json.member("objects", group.objects);
    json.member("bytes", group.bytes);
    json.endObject();
  }
  json.endArray();
}

}  // namespace

void writeInsights(JsonWriter& json, const InsightList& list, const RowSelection& selection) {
  json.key("insights");
  json.beginRows();
  for (const Insight& insight : selection.of(list.insights)) writeInsight(json, insight, selection.isRedacted);
  json.endArray();
  writeGroups(json, list);
  json.key("totals");
  json.beginObject();
  json.member("insights", list.insights.size());
  json.member("wasteBytes", list.wasteBytes);
  json.member("leakBytes", list.leakBytes);
  json.member("frameworkBytes", list.frameworkBytes);
  json.member("smallInsights", list.smallInsights);
  json.member("smallBytes", list.smallBytes);
  json.endObject();
}

}  // namespace heapscape::engine
