// SPDX-License-Identifier: MIT
#include "views/references/dominators/dominator_text.h"

#include <algorithm>

#include "models/names/type_name.h"
#include "widgets/drawing/colours.h"
#include "widgets/drawing/marks.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/hidden_contents.h"

namespace heapscape::gui {

namespace {

DominatorFamily dominatorFamily(TypeFamily family) {
  return static_cast<DominatorFamily>(static_cast<int>(family) + 1);
}

TypeFamily typeFamily(DominatorFamily family) {
  return static_cast<TypeFamily>(static_cast<int>(family) - 1);
}

}  // namespace

DominatorFamily dominatorFamily(const engine::DominatorNode& node) {
  switch (node.kind) {
    case engine::DominatorKind::Whole:
    case engine::DominatorKind::RootGroup:
    case engine::DominatorKind::Root:
    case engine::DominatorKind::Set:
      return DominatorFamily::Roots;
    case engine::DominatorKind::Namespace:
      return dominatorFamily(familyOf(node.owner));
    case engine::DominatorKind::Object:
    case engine::DominatorKind::Type:
      break;
  }
  return dominatorFamily(typeFamilyOf(node.name, node.owner));
}

QString dominatorFamilyText(DominatorFamily family) {
  return family == DominatorFamily::Roots ? u"Roots"_s : typeFamilyText(typeFamily(family));
}

QColor dominatorColour(DominatorFamily family, const Colours& colours) {
  if (family == DominatorFamily::Roots) return colours.in({0xffDDE1E7, 0xff2F363F, 0xffA8A8AE});
  return typeFamilyColour(typeFamily(family), colours);
}

QColor dominatorColour(const engine::DominatorShape& shape, const Colours& colours) {
  const QColor colour = dominatorColour(dominatorFamily(shape.node), colours);
  return shape.node.node % 2 ? everyOther(colour, colours) : colour;
}

QColor rootSeamColour(const QColor& text, const QColor& fill, const Colours& colours) {
  constexpr double kCalm = 0.6;
  return mixed(text, fill, colours.isContrast ? 1 : kCalm);
}

using engine::DominatorKind;
using engine::DominatorNode;

namespace {

bool isOfRoots(const DominatorNode& node) {
  return node.kind == DominatorKind::RootGroup || node.kind == DominatorKind::Root;
}

// The engine's name of the whole tells which it is.
bool isAllGarbage(const DominatorNode& node) {
  return node.name == "garbage";
}

QString kindText(const DominatorNode& node) {
  switch (node.kind) {
    case DominatorKind::Whole:
      return isAllGarbage(node) ? u"everything that no root leads to"_s : u"everything that roots hold"_s;
    case DominatorKind::RootGroup:
      return u"what these roots hold and nothing else does"_s;
    case DominatorKind::Root:
      return node.roots > 1 ? u"%1 roots of this name"_s.arg(countText(node.roots)) : u"a root"_s;
    case DominatorKind::Object:
      return u"object at %1"_s.arg(addressText(node.object));
    case DominatorKind::Type:
      if (node.objects == 1) return u"object at %1"_s.arg(addressText(node.object));
      return u"%1 of this type"_s.arg(countedText(node.objects, u"object"_s));
    case DominatorKind::Set:
      return u"%1 of the set, with all that only they hold"_s.arg(countedText(node.objects, u"object"_s));
    case DominatorKind::Namespace:
      break;
  }
  return u"%1 of types in this namespace"_s.arg(countedText(node.objects, u"object"_s));
}

}  // namespace

QString dominatorName(const DominatorNode& node) {
  if (node.kind == DominatorKind::Whole) return isAllGarbage(node) ? u"Garbage"_s : u"All roots"_s;
  if (node.kind == DominatorKind::Set) return u"These objects"_s;
  if (node.name.empty()) return u"(unknown)"_s;
  return isOfRoots(node) ? givenNameText(node.name) : fromEngine(node.name);
}

QString dominatorLabel(const DominatorNode& node) {
  const bool isShortened =
      node.kind == DominatorKind::Object || node.kind == DominatorKind::Type || node.kind == DominatorKind::Root;
  QString name =
      isShortened && !node.name.empty() ? shortTypeName(dominatorName(node).toStdString()) : dominatorName(node);
  // The group above it says that it is a static, and of which type.
  constexpr QLatin1String kStatic("static ");
  if (node.kind == DominatorKind::Root && name.startsWith(kStatic)) name.remove(0, kStatic.size());
  const std::uint64_t count = node.kind == DominatorKind::Type ? node.objects : node.roots;
  // The name first: it is what is left where there is no room for both.
  return count > 1 ? name + u" × "_s + countText(count) : name;
}

QString dominatorLabel(const engine::DominatorShape& shape) {
  if (!shape.folded.empty()) {
    return u"%1 ▸ … ▸ %2 (%3 steps)"_s.arg(dominatorLabel(shape.node), dominatorLabel(shape.folded.back()),
                                           countText(shape.folded.size()));
  }
  if (!shape.isRest) return dominatorLabel(shape.node);
  return shape.siblings == 1 ? u"1 more"_s : u"%1 smaller"_s.arg(countText(shape.siblings));
}

BubbleText dominatorBubble(const engine::DominatorShape& shape, std::uint64_t wholeBytes, const Colours& colours,
                           bool isOfGarbage) {
  const DominatorNode& node = shape.node;
  const QString retained =
      u"%1 · %2 of %3"_s.arg(exactBytesText(node.retainedBytes), percentText(node.retainedBytes, wholeBytes),
                             isOfGarbage ? u"garbage"_s : u"what is live"_s);
  BubbleText text;
  if (shape.isRest) {
    text.title = dominatorLabel(shape);
    text.facts = {u"too small to be drawn one by one"_s, u"retain %1"_s.arg(retained),
                  countedText(node.retainedCount, u"object"_s)};
    return text;
  }
  text.swatch = dominatorColour(shape, colours);
  text.title = dominatorName(node);
  text.facts = {kindText(node), u"retains %1"_s.arg(retained), countedText(node.retainedCount, u"object"_s)};
  if (node.bytes) text.facts.append(u"%1 of its own"_s.arg(exactBytesText(node.bytes)));
  constexpr std::size_t kStepsTold = 12;
  for (std::size_t step = 0; step < std::min(kStepsTold, shape.folded.size()); ++step) {
    const DominatorNode& below = shape.folded[step];
    text.facts.append(u"▸ %1, retains %2"_s.arg(dominatorLabel(below), bytesText(below.retainedBytes)));
  }
  if (shape.folded.size() > kStepsTold)
    text.facts.append(u"▸ … %1 more"_s.arg(countText(shape.folded.size() - kStepsTold)));
  return text;
}

}  // namespace heapscape::gui
