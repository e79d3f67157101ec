// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QWidget>
#include <vector>

#include "base/address.h"

namespace heapscape::gui {

/// "Committed · 1.43 MB".
struct Fact {
  QString label;
  QString value;
  QString detail = {};   // for the tooltip: exact bytes, what it means
  bool isFixed = false;  // monospaced: addresses, identities
  bool isWarning = false;
  engine::Address address = {};  // that the value is; 0 for none
  QString figure = {};           // at the right end of its line: the size of what the value refers to

  bool operator==(const Fact&) const = default;
};

/// Labels on the left, values on the right, a line each; of a value that lists several as many as it needs, unless each
/// is to have one line: then values are shortened in their middle.
class FactList : public QWidget {
  Q_OBJECT

 public:
  explicit FactList(QWidget* parent = nullptr);

  void setFacts(const std::vector<Fact>& facts);
  /// Before there are facts.
  void setOneLineEach() { m_isOneLineEach = true; }
  const std::vector<Fact>& facts() const { return m_facts; }

 Q_SIGNALS:
  /// Each time that a widget is made for the value of a fact that is an address.
  void addressShown(QWidget* value, heapscape::engine::Address address);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void build();

  std::vector<Fact> m_facts;
  bool m_isOneLineEach = false;
  QWidget* m_body = nullptr;
};

}  // namespace heapscape::gui
