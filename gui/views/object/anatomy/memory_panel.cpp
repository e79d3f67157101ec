// SPDX-License-Identifier: MIT
#include "views/object/anatomy/memory_panel.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QTabWidget>
#include <QVBoxLayout>

#include "session/details/object_details.h"
#include "session/types/type_details.h"
#include "views/object/anatomy/header_ruler.h"
#include "views/object/anatomy/object_anatomy_picture.h"
#include "widgets/drawing/picture_legend.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/hex_view/hex_view.h"
#include "widgets/layout_diagram/layout_diagram.h"
#include "widgets/section.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"

namespace heapscape::gui {

using engine::LayoutItem;
using engine::LayoutItems;

/// The object header: its bits as a ruler, what they mean in sentences, and links to what they name.
class HeaderPanel : public QWidget {
  Q_OBJECT

 public:
  explicit HeaderPanel(QWidget* parent = nullptr);

  void show(std::shared_ptr<const ObjectPage> page);  // null for none

 Q_SIGNALS:
  void threadsWanted();

 private:
  HeaderRuler* m_ruler;
  QLabel* m_value;
  QLabel* m_sentence;
  QLabel* m_remarks;
  QPushButton* m_toThreads;
};

namespace {

QLabel* makeText(const QString& name, QWidget* parent) {
  auto* label = new QLabel(parent);
  label->setObjectName(name);
  label->setTextFormat(Qt::PlainText);
  label->setWordWrap(true);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  return label;
}

}  // namespace

HeaderPanel::HeaderPanel(QWidget* parent)
    : QWidget(parent),
      m_ruler(new HeaderRuler(this)),
      m_value(makeNote(QString(), this)),
      m_sentence(makeText(u"headerSentence"_s, this)),
      m_remarks(makeText(u"headerRemarks"_s, this)),
      m_toThreads(new QPushButton(symbolIcon(u"threads"_s), u"Threads and locks"_s, this)) {
  m_sentence->setFont(scaledFont(font(), 1.1));
  m_toThreads->setToolTip(u"Who holds which lock, and who waits"_s);
  auto* line = new QHBoxLayout;
  line->addWidget(m_toThreads);
  line->addStretch(1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(12, 12, 12, 12);
  column->setSpacing(8);
  column->addWidget(m_sentence);
  column->addWidget(m_ruler);
  column->addWidget(m_remarks);
  column->addWidget(m_value);
  column->addLayout(line);
  column->addStretch(1);
  connect(m_toThreads, &QPushButton::clicked, this, &HeaderPanel::threadsWanted);
}

void HeaderPanel::show(std::shared_ptr<const ObjectPage> page) {
  m_ruler->show(page ? page->object.header : std::nullopt);
  m_ruler->setVisible(page && page->object.header);
  if (!page) return;
  const engine::ObjectDetails& object = page->object;
  m_sentence->setText(headerSentence(object));
  const QStringList remarks = headerRemarks(object);
  m_remarks->setText(remarks.join(QLatin1Char('\n')));
  m_remarks->setVisible(!remarks.isEmpty());
  m_value->setVisible(object.header.has_value());
  if (object.header) {
    m_value->setText(u"0x%1 at %2. The 4 bytes in front of it are alignment and unused."_s
                         .arg(object.header->value, 8, 16, QLatin1Char('0'))
                         .arg(addressText(engine::Address{object.row.address.value - 4})));
  }
  m_toThreads->setVisible(object.lock.has_value() || !object.headerThread.empty());
}

namespace {

QScrollArea* scrolled(QWidget* content) {
  auto* area = new QScrollArea;
  area->setWidget(content);
  area->setWidgetResizable(true);
  area->setFrameShape(QFrame::NoFrame);
  return area;
}

}  // namespace

MemoryPanel::MemoryPanel(EngineBridge& bridge, QWidget* parent)
    : QWidget(parent),
      m_bridge(bridge),
      m_hex(new ObjectHexView(bridge, this)),
      m_diagram(new LayoutDiagram(this)),
      m_header(new HeaderPanel(this)),
      m_anatomy(new ObjectAnatomyPicture(this)),
      m_tabs(new QTabWidget(this)) {
  m_tabs->setObjectName(u"objectMemory"_s);
  m_tabs->setDocumentMode(true);
  const auto add = [this](QWidget* page, const QString& text, const QString& tip) {
    m_tabs->setTabToolTip(m_tabs->addTab(page, text), tip);
  };
  add(makeBytesPage(), u"Bytes"_s, u"The object's bytes, and whose they are"_s);
  add(scrolled(m_header), u"Header"_s, u"Lock, hash code or sync block"_s);
  add(scrolled(m_anatomy), u"Anatomy"_s, u"Object, method table and EEClass"_s);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(m_tabs);
  connectParts();
}

QWidget* MemoryPanel::makeBytesPage() {
  auto* page = new QWidget(this);
  auto* pictures = new QSplitter(Qt::Horizontal, page);
  pictures->addWidget(m_hex);
  pictures->addWidget(m_diagram);
  m_diagram->setMinimumWidth(fontMetrics().averageCharWidth() * 40);
  // Digits need no more than they need; names of fields are cut where bytes are narrow.
  pictures->setStretchFactor(0, 2);
  pictures->setStretchFactor(1, 3);
  pictures->setSizes({800, 1200});
  pictures->setChildrenCollapsible(false);
  pictures->setHandleWidth(1);
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(pictures, 1);
  m_legend = new LayoutLegend(page);
  column->addWidget(m_legend);
  setPictureLegend(m_diagram, m_legend);
  return page;
}

void MemoryPanel::connectParts() {
  connect(m_hex, &ObjectHexView::picked, this, [this](const ByteSpan& span) {
    select(span);
    Q_EMIT spanPicked(span);
  });
  connect(m_hex, &HexView::memoryWanted, this, &MemoryPanel::memoryWanted);
  connect(m_diagram, &LayoutDiagram::picked, this, [this](std::uint32_t item) {
    if (item == LayoutItem::kNoItem) return;
    const ByteSpan span{(*m_page->items)[item].begin, (*m_page->items)[item].end};
    m_hex->select(span);
    Q_EMIT spanPicked(span);
  });
  connect(m_diagram, &LayoutDiagram::openWanted, this, &MemoryPanel::setOpen);
  connect(m_anatomy, &ObjectAnatomyPicture::typeWanted, this, &MemoryPanel::typeWanted);
  connect(m_header, &HeaderPanel::threadsWanted, this, &MemoryPanel::threadsWanted);
}

void MemoryPanel::setDescription(std::function<QString(const ByteSpan&)> describe) {
  m_hex->setDescription(std::move(describe));
}

void MemoryPanel::show(std::shared_ptr<const ObjectPage> page) {
  m_page = std::move(page);
  m_hex->show(m_page);
  const std::shared_ptr<const LayoutItems> items = m_page ? m_page->items : nullptr;
  m_isOpen.assign(items ? items->items.size() : 0, false);
  m_diagram->show(items, m_isOpen);
  m_diagram->setVisible(items != nullptr);
  m_legend->showWhatIsIn(items ? std::vector{items.get()} : std::vector<const engine::LayoutItems*>());
  m_header->show(m_page);
  if (!m_page) {
    m_anatomy->show({});
    return;
  }
  m_anatomy->show(objectAnatomy(*m_page, std::nullopt));
  askForType();
}

void MemoryPanel::askForType() {
  m_bridge.ask(
      this, "anatomy",
      [type = m_page->object.methodTable](const engine::Snapshot& snapshot, std::stop_token) {
        return engine::typeDetails(snapshot, type);
      },
      [this, page = m_page](engine::Result<engine::TypeDetails> type) {
        if (page == m_page && type) m_anatomy->show(objectAnatomy(*page, std::move(*type)));
      });
}

void MemoryPanel::select(const ByteSpan& span) {
  m_hex->select(span);
  if (!m_page || !m_page->items) return;
  const std::uint32_t item = span.isEmpty() ? LayoutItem::kNoItem : itemOf(*m_page->items, span.begin, span.end);
  if (item != LayoutItem::kNoItem) openAround(item);
  m_diagram->select(item);
}

// What lies in a closed value is drawn only once that is open.
void MemoryPanel::openAround(std::uint32_t item) {
  bool isChanged = false;
  for (std::uint32_t around = (*m_page->items)[item].parent; around != LayoutItem::kNoItem;
       around = (*m_page->items)[around].parent) {
    isChanged = isChanged || !m_isOpen[around];
    m_isOpen[around] = true;
  }
  if (isChanged) m_diagram->setOpen(m_isOpen);
}

void MemoryPanel::setOpen(std::uint32_t item, bool isOpen) {
  if (item >= m_isOpen.size()) return;
  m_isOpen[item] = isOpen;
  m_diagram->setOpen(m_isOpen);
}

}  // namespace heapscape::gui

#include "memory_panel.moc"
