// SPDX-License-Identifier: MIT
#include "output/layouts/layout_answer.h"

#include <fmt/format.h>

#include <algorithm>

#include "output/layouts/layout_columns.h"
#include "output/layouts/layout_output.h"
#include "output/text.h"
#include "output/text_table.h"

namespace heapscape::engine {

namespace {

void writeBest(JsonWriter& json, const TypeStudy& study) {
  const BestOrder& best = study.best;
  json.key("best");
  json.beginObject();
  json.member("means", toString(best.means));
  json.key("order");
  json.beginArray();
  for (const std::string& field : best.order) json.value(field);
  json.endArray();
  json.member("unit", toString(study.unit));
  json.member("size", best.instanceBytes);
  json.member("bestSize", best.bestBytes);
  if (const auto saved = study.savedOnHeap()) {
    json.key("savedOnHeap");
    json.number(std::to_string(*saved));
  }
  json.member("declaration", best.declaration);
  json.member("caution", best.caution);
  if (!best.separation.empty()) json.member("separated", best.separation);
  json.endObject();
}

void writeAdvice(JsonWriter& json, const std::vector<Advice>& advice) {
  json.key("advice");
  json.beginArray();
  for (const Advice& piece : advice) {
    json.beginObject();
    json.member("kind", toString(piece.kind));
    json.member("text", piece.text);
    json.key("savedBytes");
    json.number(std::to_string(piece.savedBytesPerInstance));
    json.endObject();
  }
  json.endArray();
}

/// What arrays of a value type, other objects and derived classes hold of it is the verb waste's to add up.
void writeOnHeap(Output& output, const TypeStudy& study) {
  const auto saved = study.savedOnHeap();
  if (!saved || !study.onHeap->objects || *saved <= 0) return;
  const char* noun = study.unit == LayoutUnit::Element ? "array" : "object";
  output.write(fmt::format("On this heap: {} fewer in {} of exactly this type{}.\n",
                           countOf(static_cast<std::uint64_t>(*saved), "byte"), countOf(study.onHeap->objects, noun),
                           study.unit == LayoutUnit::Value ? ", boxes alone" : ""));
}

void writeBest(Output& output, const TypeStudy& study) {
  const BestOrder& best = study.best;
  if (!best.separation.empty()) {
    output.write("Best: as it is. " + printable(best.separation) + '\n');
    return;
  }
  if (best.means == AdviceKind::NothingToGain) {
    output.write("Best: as it is; no declaration takes fewer bytes.\n");
  } else {
    output.write(fmt::format("Best: {} instead of {} bytes, {}% fewer in every {}.\n", best.bestBytes,
                             best.instanceBytes, percentOf(best.instanceBytes - best.bestBytes, best.instanceBytes),
                             toString(study.unit)));
    writeOnHeap(output, study);
    std::string order;
    for (const std::string& field : best.order) order += (order.empty() ? "" : ", ") + field;
    if (!order.empty()) output.write("Order: " + printable(order) + '\n');
  }
  if (!best.caution.empty()) output.write("Mind: " + printable(best.caution) + '\n');
  if (!best.declaration.empty()) output.write('\n' + best.declaration + (best.declaration.ends_with('\n') ? "" : "\n"));
  for (const Advice& piece : study.advice) output.write("- " + printable(piece.text) + '\n');
}

void writeWhy(Output& output, const LayoutAnswer& answer) {
  if (!answer.study->whyNotAsDeclared.empty()) output.write(printable(answer.study->whyNotAsDeclared) + '\n');
  for (const LayoutVariant& variant : answer.layouts) {
    if (variant.reasons.empty()) continue;
    if (answer.layouts.size() > 1) output.write("By " + captionOf(variant, true) + ":\n");
    TextTable table({{"Offset", TextTable::Align::Right}, {"Field"}, {"Why it is there"}});
    for (const FieldReason& reason : variant.reasons)
      table.addRow({std::to_string(reason.offset), reason.name, reason.why});
    table.write(output);
  }
}

}  // namespace

void writeLayoutAnswer(JsonWriter& json, const LayoutAnswer& answer) {
  for (const LayoutVariant& variant : answer.layouts) {
    json.beginObject();
    writeVariantMembers(json, variant);
    if (answer.study && &variant == &answer.layouts.front()) {
      if (answer.showsWhy) json.member("whyNotAsDeclared", answer.study->whyNotAsDeclared);
      if (answer.showsBest) {
        writeBest(json, *answer.study);
        writeAdvice(json, answer.study->advice);
      }
    }
    json.endObject();
  }
}

void writeLayoutAnswer(Output& output, const LayoutAnswer& answer) {
  if (answer.layouts.size() > 1) {
    writeLayoutColumns(output, answer.layouts);
  } else {
    const LayoutVariant& only = answer.layouts.front();
    writeLayoutText(output, only.layout);
    const bool isAsItIs = only.question.rules == RuleSet::Actual || only.question.rules == RuleSet::Declared;
    if (!only.remark.empty()) {
      output.write(fmt::format("By {}: {}.\n", captionOf(only, true), printable(only.remark)));
    } else if (!isAsItIs || only.question.pack) {
      output.write(fmt::format("By {}.\n", captionOf(only, true)));
    }
  }
  if (answer.study && answer.showsWhy) writeWhy(output, answer);
  if (answer.study && answer.showsBest) writeBest(output, *answer.study);
}

void writeFramework(JsonWriter& json, const FrameworkRead& framework, std::uint32_t rulesOf) {
  json.key("framework");
  json.beginObject();
  json.member("path", framework.path);
  json.member("version", framework.version);
  json.member("rules", rulesOf);
  json.member("isAnother", framework.isAnother);
  json.endObject();
}

void writeFramework(Output& output, const FrameworkRead& framework, std::uint32_t rulesOf) {
  output.write(fmt::format("Framework: .NET {} in {}\n", printable(framework.version), printable(framework.path)));
  if (framework.isAnother)
    output.write(
        fmt::format("No framework of .NET {0} was found: the rules of .NET {0} are applied to types as .NET {1} "
                    "declares them.\n",
                    rulesOf, framework.majorVersion));
}

}  // namespace heapscape::engine
