// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>

#include "review/board.h"
#include "views/place.h"
#include "views/review/review_model.h"

class QLineEdit;
class QPushButton;
class QStackedLayout;
class QTimer;

namespace heapscape::gui {

class Banner;
class ElidedText;
class PageEditor;
class PageList;
class ReviewModel;
class StatePanel;

/// Pictures and tables that were pinned, with notes, as pages for a review. Kept by itself as a small file beside the
/// dump, and readable without it.
class ReviewPlace : public Place {
  Q_OBJECT

 public:
  ReviewPlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);
  ~ReviewPlace() override;

  PlaceId id() const override { return PlaceId::Review; }
  QString title() const override { return u"Review"_s; }
  void showSnapshot(const engine::Snapshot& snapshot) override;
  void clear() override;
  void follow(const Location&) override {}

  /// Adds a page to the review of what is open; the number it has now.
  int pin(engine::ReviewPage page);
  /// Shows a saved review, whatever is open, once it is read; what was shown before is saved. `done` is told what went
  /// wrong, or nothing; it is not called if something else is opened in the meantime.
  void openReview(const QString& path, std::function<void(const QString& trouble)> done);
  /// Writes what has not been written yet, and waits until it is.
  void save();
  const ReviewModel& model() const { return *m_model; }

 Q_SIGNALS:
  /// Somebody wants another review; the window asks which.
  void openWanted();

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void build();
  QWidget* buildHead();
  /// Another review: of a dump, or of none and by itself.
  void begin(const QString& dump, const ReviewFile& file);
  /// Takes up the review of a dump or assembly, an empty one if it has none yet.
  void adopt(const QString& dump);
  /// Takes what was read of it.
  void take();
  void showSubject(const engine::Snapshot& snapshot);
  void describe(engine::ReviewBoard& board) const;
  /// Open dump, if it is another than the one that the pages are of.
  std::optional<std::string> otherDump() const;
  void show(engine::ReviewBoard board);
  void showPage(int row);
  void showState();
  void showFile(const QString& trouble = {});
  void showOther();
  void saveSoon();
  void write();
  void addNote();
  void exportReview();
  /// The page that a review of a dump begins with, and a title; what takes longer to find follows.
  void addOpening(engine::ReviewBoard& board) const;
  void fillOpening();
  /// Into the clipboard: one page, or all.
  void copyMarkdown(std::optional<int> page);

  QString m_seen;  // the dump or assembly whose review was taken up last
  QString m_dump;  // that the review is of; empty for a review that was opened by itself
  ReviewFile m_file;
  std::shared_ptr<LoadedReview> m_loading;  // while it is being read, into this
  int m_begun = 0;                          // how often another review was taken up
  bool m_isEdited = false;
  bool m_isOpeningPartial = false;  // of the first page it is not known yet what retains most
  bool m_hasFailed = false;         // the file is there and cannot be read: it is not written over

  ReviewModel* m_model;
  QLineEdit* m_heading;
  QPushButton* m_export;
  QPushButton* m_markdown;
  ElidedText* m_fileLine;
  Banner* m_other;
  PageList* m_list;
  PageEditor* m_editor;
  StatePanel* m_state;
  QWidget* m_body;
  QStackedLayout* m_pages;
  QTimer* m_saving;
};

}  // namespace heapscape::gui
