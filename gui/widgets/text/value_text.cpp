// SPDX-License-Identifier: MIT
#include "widgets/text/value_text.h"

#include <QStringList>
#include <string_view>

#include "values/code_address.h"
#include "values/string_object.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {
namespace {

using engine::Value;
using engine::ValueKind;

constexpr qsizetype kMostInALine = 500;  // characters that a cell has any use for
constexpr qsizetype kMostInATip = 2000;

QString cut(const QString& text, qsizetype most) {
  return text.size() <= most ? text : text.left(most) + u"…"_s;
}

bool isObject(const Value& value) {
  return value.kind == ValueKind::Reference && !engine::isStringObject(value);
}

}  // namespace

QString fieldNameText(const std::string& name) {
  // "<Id>k__BackingField" is what the C# compiler calls the field of a property Id; a path may hold several.
  constexpr std::string_view kSuffix = ">k__BackingField";
  std::string shown = name;
  for (std::size_t end = shown.find(kSuffix); end != std::string::npos; end = shown.find(kSuffix, end)) {
    const std::size_t begin = shown.rfind('<', end);
    if (begin == std::string::npos) break;
    shown.erase(end, kSuffix.size());
    shown.erase(begin, 1);
    end = begin;
  }
  return fromEngine(shown);
}

bool isDoubtful(const Value& value) {
  return !value.isMissing && (value.kind == ValueKind::Damaged || !value.damage.empty());
}

QString valueText(const Value& value) {
  const bool namesItsType = isObject(value) && value.text == value.objectType && !value.text.empty();
  if (namesItsType) return shortTypeName(value.text);
  if (const std::string_view method = engine::codeAddressOf(value).method; !method.empty())
    return u"→ "_s + shortTypeName(method);
  if (!value.text.empty()) return cut(fromEngine(value.text), kMostInALine);
  if (value.isMissing) return u"not in the dump"_s;
  if (value.kind == ValueKind::Damaged) return u"damaged"_s;
  if (value.kind == ValueKind::Null) return u"null"_s;
  if (isObject(value)) return value.objectType.empty() ? u"object"_s : shortTypeName(value.objectType);
  return value.kind == ValueKind::Struct ? u"{ … }"_s : u"\"\""_s;
}

QString valueSuffix(const Value& value) {
  const engine::CodeAddress code = engine::codeAddressOf(value);
  if (!code.method.empty()) return fromEngine(std::string(code.address));
  return isObject(value) && value.object ? addressText(value.object) : QString();
}

QString valueTip(const Value& value) {
  QStringList lines;
  if (!value.text.empty()) lines << cut(fromEngine(value.text), kMostInATip);
  if (!value.objectType.empty() && value.objectType != value.text) lines << fromEngine(value.objectType);
  if (value.object) lines << addressText(value.object);
  if (!value.damage.empty()) lines << u"Not to be trusted: %1"_s.arg(fromEngine(value.damage));
  return lines.join(QLatin1Char('\n'));
}

}  // namespace heapscape::gui
