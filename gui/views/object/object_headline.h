// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <memory>

#include "session/reference_query.h"
#include "views/object/object_page.h"
#include "widgets/fact_list.h"

class QToolButton;

namespace heapscape::gui {

class ElidedLabel;
class ElidedText;
class FlowLayout;

/// What the object is: its type, where it lies, how large it is, and the ways to the other places.
class ObjectHeadline : public QWidget {
  Q_OBJECT

 public:
  explicit ObjectHeadline(QWidget* parent = nullptr);

  void show(const ObjectPage& page);
  /// What can be reached from the object, once it is counted.
  void showReach(const engine::TransitiveSize& reach);

 Q_SIGNALS:
  void layoutWanted();
  void mapWanted();
  void typeWanted();

 private:
  QToolButton* addButton(const char* name, const QString& symbol, const QString& text, const QString& tip);
  void addFacts(const ObjectPage& page);
  void addFact(const Fact& fact);

  ElidedLabel* m_name;
  QWidget* m_buttons;
  QWidget* m_facts;
  FlowLayout* m_factsLine;
  ElidedText* m_damage;
  engine::Address m_address;
};

/// The line below the name: address, generation, sizes, length of an array, segment.
std::vector<Fact> headlineFacts(const ObjectPage& page);

}  // namespace heapscape::gui
