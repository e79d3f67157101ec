// SPDX-License-Identifier: MIT
#pragma once

#include <QAbstractTableModel>
#include <QStringList>
#include <map>
#include <memory>
#include <vector>

#include "query/objects/object_search.h"
#include "session/door/snapshot.h"

namespace heapscape::gui {

/// What a search has found, as a table.
struct FoundObjectList {
  engine::Snapshot snapshot;
  engine::ObjectSearch search;
  engine::FoundObjects found;
};

/// Headings of the columns, and what is copied of a row.
QStringList foundObjectTitles();
QStringList plainCells(const engine::Snapshot& snapshot, const engine::FoundObject& object);

/// All objects of an answer, millions if need be, in the order that the engine has made. What there is to say of them
/// comes page by page, as they are looked at; before, a row has its address only.
class FoundObjectsModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column : int { AddressColumn, TypeColumn, SizeColumn, RetainedColumn, GenerationColumn, ColumnCount };
  static constexpr int kPageRows = 1000;

  using QAbstractTableModel::QAbstractTableModel;

  void show(std::shared_ptr<const FoundObjectList> list);  // null for none
  const std::shared_ptr<const FoundObjectList>& list() const { return m_list; }
  engine::Address addressAt(int row) const;
  /// Null while it is not there yet.
  const engine::FoundObject* objectAt(int row) const;
  int rowOf(engine::Address object) const;  // -1 if it is none of them

  int pageCount() const { return (rowCount() + kPageRows - 1) / kPageRows; }
  bool hasPage(int page) const { return m_pages.contains(page); }
  /// ObjectIds of a page's rows.
  std::span<const std::uint32_t> idsOf(int page) const;
  /// A few pages stay; the ones that came first make way for it.
  void addPage(int page, std::vector<engine::FoundObject> objects);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  QVariant addressData(int row, int role) const;
  QVariant typeData(const engine::FoundObject& object, int role) const;

  std::shared_ptr<const FoundObjectList> m_list;
  std::map<int, std::vector<engine::FoundObject>> m_pages;
  std::vector<int> m_arrived;  // of these, the oldest first
};

}  // namespace heapscape::gui
