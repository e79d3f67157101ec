// SPDX-License-Identifier: MIT
#pragma once

#include <QAbstractTableModel>

#include "models/layout/layout_types.h"

namespace heapscape::gui {

/// The types of an answer. Those of an assembly have their size in place of the number of objects; one without a layout
/// is dimmed and says why.
class LayoutTypesModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column : int { NameColumn, ObjectsColumn, PaddingColumn, AssemblyColumn, ColumnCount };

  using QAbstractTableModel::QAbstractTableModel;

  void show(LayoutTypeAnswer answer);  // an empty one for none
  const LayoutTypeAnswer& answer() const { return m_answer; }
  const LayoutTypeRow& rowAt(int row) const;
  int rowOf(engine::Address methodTable) const;  // -1 if it is not shown
  int rowOf(engine::LaboratoryTypeId type) const;
  bool isOfAssembly() const { return m_answer.question.isOfAssembly; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  QVariant objectsData(const LayoutTypeRow& row, int role) const;
  QVariant paddingData(const LayoutTypeRow& row, int role) const;

  LayoutTypeAnswer m_answer;
};

}  // namespace heapscape::gui
