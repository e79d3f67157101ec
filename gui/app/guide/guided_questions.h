// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <functional>
#include <span>
#include <vector>

#include "bridge/navigator.h"

namespace heapscape::gui {

/// A step of a guided question: what to do, where in the window, and what it tells.
struct GuideStep {
  QString text;
  QString part;               // object name of the part of the window that is meant, which gets an edge
  Location where;             // place and page at which it begins
  QString picked = {};        // full name of a type, of which an object is picked unless something is
  bool isTypePicked = false;  // the type itself instead
  std::function<bool(const Location& now)> isDone = {};  // by what the person did; empty where only they can say so
};

/// A question about the sample that is answered in the window itself, in about two minutes.
struct GuidedQuestion {
  QString title;    // "Find a leak"
  QString subject;  // "leaks": what commands call it by
  QString about;    // a sentence on what one learns
  std::vector<GuideStep> steps;
  QString answer;  // shown behind the last step
};

/// In the order in which they are offered. The sample is resources/sample; the texts name its types.
std::span<const GuidedQuestion> guidedQuestions();

}  // namespace heapscape::gui
