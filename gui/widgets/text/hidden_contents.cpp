// SPDX-License-Identifier: MIT
#include "widgets/text/hidden_contents.h"

#include <algorithm>

#include "base/given_name.h"
#include "review/board.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

QString stars() {
  return fromEngine(engine::kContentsLeftOut);
}

}  // namespace

QString contentsText(const QString& text) {
  return text.isEmpty() || !HiddenContents::areWanted() ? text : stars();
}

QString givenNameText(const std::string& name) {
  return fromEngine(engine::withoutGivenNameIf(HiddenContents::areWanted(), name));
}

// A key may hold brackets itself, so that all between the outermost ones goes.
QString stepText(const QString& step) {
  const qsizetype from = step.indexOf(QLatin1Char('['));
  if (!HiddenContents::areWanted() || from < 0) return step;
  const qsizetype to = std::max(from, step.lastIndexOf(QLatin1Char(']')));
  return step.left(from + 1) + stars() + (to > from ? step.mid(to) : QString());
}

}  // namespace heapscape::gui
