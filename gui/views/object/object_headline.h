// SPDX-License-Identifier: MIT
#pragma once

#include <QPointer>
#include <QWidget>
#include <memory>

#include "session/objects/retained_query.h"
#include "session/references/reference_query.h"
#include "widgets/fact_list.h"
#include "widgets/hex_view/object_page.h"

class QToolButton;

namespace heapscape::gui {

class ElidedLabel;
class ElidedText;
class FlowLayout;

/// The head of the page, what the object is: its type, where it lies, how large it is, and the ways to the other
/// places.
class ObjectHeadline : public QWidget {
  Q_OBJECT

 public:
  explicit ObjectHeadline(QWidget* parent = nullptr);

  void show(const ObjectPage& page);
  /// Shows what would be freed with the object, once that is known; again for other roots.
  void showRetained(const engine::RetainedRow& retained);
  /// Shows what can be reached from the object, once it is counted.
  void showReach(const engine::TransitiveSize& reach);

 Q_SIGNALS:
  void layoutWanted();
  void mapWanted();
  void typeWanted();
  void graphWanted();
  void reasonWanted();
  /// As FactList's.
  void addressShown(QWidget* value, heapscape::engine::Address address);

 private:
  QToolButton* addButton(const char* name, const QString& symbol, const QString& text, const QString& tip);
  void addFacts(const ObjectPage& page);
  QWidget* addFact(const Fact& fact);

  ElidedLabel* m_name;
  QWidget* m_buttons;
  QWidget* m_facts;
  QPointer<QWidget> m_retained;
  FlowLayout* m_factsLine;
  ElidedText* m_damage;
  engine::Address m_address;
};

/// The line below the name: address, generation, sizes, length of an array, segment.
std::vector<Fact> headlineFacts(const ObjectPage& page);

}  // namespace heapscape::gui
