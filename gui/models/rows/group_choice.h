// SPDX-License-Identifier: MIT
#pragma once

#include <QComboBox>
#include <optional>
#include <vector>

#include "bridge/engine_bridge.h"
#include "query/objects/object_search.h"

namespace heapscape::gui {

/// Choice of what to group rows by: choices of the list's own, and what a field holds of the objects that they are
/// about, any field("…") that is typed among them.
class GroupChoice : public QComboBox {
  Q_OBJECT

 public:
  /// `noun` of the rows, for those who cannot see. The first choice that is added is the one to begin with.
  GroupChoice(EngineBridge& bridge, const QString& name, const QString& noun, QWidget* parent);

  void add(const QString& text, int choice);
  void add(engine::ObjectField field);
  /// Asks for a field.
  void addPrompt();

  /// Nothing while a field is chosen.
  std::optional<int> choice() const;
  const std::optional<engine::QueryFieldReference>& field() const { return m_field; }

 Q_SIGNALS:
  /// By whoever uses it.
  void chosen();

 private:
  void take(int index);
  void prompt();
  void takeField(const QString& path);

  EngineBridge& m_bridge;
  int m_prompt = -1;  // its place; behind it stands what was typed
  int m_current = 0;
  std::optional<engine::QueryFieldReference> m_field;
};

/// Group name of each of the objects by its value; "without" for what is no object. On the engine thread.
engine::Outcome<std::vector<QString>> groupNames(const engine::Snapshot& snapshot,
                                                 const std::vector<engine::Address>& objects,
                                                 const engine::QueryFieldReference& field, std::stop_token stop);
QString groupName(const engine::QueryValue& value);

}  // namespace heapscape::gui
