// SPDX-License-Identifier: MIT
#include "views/object/values/value_question.h"

namespace heapscape::gui {
namespace {

template <class T>
engine::Outcome<T> asOutcome(engine::Result<T> result) {
  if (!result) return tl::unexpected(engine::Unfinished(std::move(result.error())));
  return std::move(*result);
}

}  // namespace

engine::Outcome<ValueAnswer> readValues(const engine::Snapshot& snapshot, const ValueQuestion& question,
                                        std::stop_token stop) {
  ValueAnswer answer;
  switch (question.kind) {
    case ValueQuestion::Kind::Object: {
      HEAPSCAPE_TRY(answer.object, asOutcome(engine::objectDetails(snapshot, question.object)));
      break;
    }
    case ValueQuestion::Kind::Elements: {
      HEAPSCAPE_TRY(answer.elements,
                    asOutcome(engine::arrayElements(snapshot, question.object, question.first, question.count)));
      break;
    }
    case ValueQuestion::Kind::Items: {
      HEAPSCAPE_TRY(answer.items,
                    engine::collectionItems(snapshot, question.object, question.first, question.count, stop));
      break;
    }
  }
  return answer;
}

}  // namespace heapscape::gui
