// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "session/details/object_details.h"
#include "widgets/hex_view/byte_window.h"

namespace heapscape::gui {

/// Neighbouring elements that the tree shows as one line until it is opened.
struct ValueRange {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
  bool operator==(const ValueRange&) const = default;
};

inline constexpr std::uint64_t kValuesShownAtOnce = 100;

/// Divides elements into at most a hundred ranges of equal length, a power of a hundred; nothing if they are few enough
/// to be shown themselves. So four steps lead to each of a hundred million.
std::vector<ValueRange> divideValues(const ValueRange& all);

/// The question that a line of the tree of values asks when it is opened for the first time.
struct ValueQuestion {
  enum class Kind : std::uint8_t { Object, Elements, Items };
  Kind kind = Kind::Object;
  engine::Address object;   // the array or collection, where it is about a part of one
  std::uint64_t first = 0;  // of Elements and Items
  std::size_t count = 0;
};

/// The member that the question's kind names.
struct ValueAnswer {
  std::optional<engine::ObjectDetails> object;
  std::vector<engine::FieldValue> elements;
  std::vector<engine::CollectionItem> items;
};

/// On the engine thread.
engine::Outcome<ValueAnswer> readValues(const engine::Snapshot& snapshot, const ValueQuestion& question,
                                        std::stop_token stop);

/// A line of the tree of values. What a reference leads to becomes its children once it is opened.
struct ValueNode {
  enum class Kind : std::uint8_t {
    Value,      // a field, an element or an item
    Range,      // elements or items that are not shown one by one
    Declarer,   // the fields that one class of the inheritance chain declares
    Internals,  // the fields of an object that is shown as data
    Note,       // a sentence: nothing here, or why it cannot be read
  };
  enum class Children : std::uint8_t { Known, Unasked, Asked };

  Kind kind = Kind::Value;
  Children state = Children::Known;
  bool isWarning = false;  // of a Note
  QString name;
  engine::FieldValue value;
  ByteSpan span;                          // in the object shown; empty behind a reference
  std::optional<ValueQuestion> question;  // where the children are Unasked
  std::uint64_t id = 0;                   // given by the model
  ValueNode* parent = nullptr;
  int row = 0;
  std::vector<std::unique_ptr<ValueNode>> children;

  bool canOpen() const { return state != Children::Known || !children.empty(); }
  /// The object that following the line leads to; 0 if it is no reference.
  engine::Address target() const {
    return kind == Kind::Value && value.value.kind == engine::ValueKind::Reference ? value.value.object
                                                                                   : engine::Address();
  }
};

using ValueNodes = std::vector<std::unique_ptr<ValueNode>>;

/// The fields of an object, or its elements. `isShown`: it is the object whose bytes are shown. `grouped`: by the class
/// that declares them, where there are several.
ValueNodes fieldNodes(const engine::ObjectDetails& object, bool isShown, bool grouped);
/// The lines that opening a reference shows: a collection's items first, then its fields; of any other object its
/// fields.
ValueNodes objectNodes(const engine::ObjectDetails& object);
/// The next step from a range: shorter ranges, or nothing if its values have to be asked for.
ValueNodes rangeNodes(const ValueNode& range);
/// The children that an answer brings to a line.
ValueNodes answerNodes(const ValueNode& node, const ValueAnswer& answer);
std::unique_ptr<ValueNode> noteNode(const QString& text, bool isWarning);

/// "Customer.Lines[3]": the way from the object shown to this line.
QString pathOf(const ValueNode& node);

}  // namespace heapscape::gui
