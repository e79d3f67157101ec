// SPDX-License-Identifier: MIT
#include "views/memory/raw_memory_panel.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "models/object_menu.h"
#include "models/rows/rows_panel.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"
#include "widgets/text/hidden_contents.h"

namespace heapscape::gui {
namespace {

constexpr int kBytesOfWord = 8;
const QChar kNoLetter = QLatin1Char('.');
constexpr QChar kFirstRare{u'\u2000'};  // words that are no text would be full of what hardly any font has

QChar asciiOf(std::uint64_t byte) {
  return byte >= 0x20 && byte < 0x7f ? QChar(static_cast<char16_t>(byte)) : kNoLetter;
}

QString lettersOf(std::uint64_t word) {
  QString text;
  for (int byte = 0; byte < kBytesOfWord; ++byte) text += asciiOf(word >> (8 * byte) & 0xff);
  return text;
}

// Two bytes each; what is no letter, digit or sign of any writing is a dot.
QString wideLettersOf(std::uint64_t word) {
  QString text;
  for (int unit = 0; unit < kBytesOfWord / 2; ++unit) {
    const QChar letter(static_cast<char16_t>(word >> (16 * unit) & 0xffff));
    text += letter.isPrint() && letter < kFirstRare ? letter : kNoLetter;
  }
  return text;
}

QString bytesOf(std::uint64_t word) {
  QStringList bytes;
  for (int byte = 0; byte < kBytesOfWord; ++byte)
    bytes << u"%1"_s.arg(word >> (8 * byte) & 0xff, 2, 16, QLatin1Char('0'));
  return bytes.join(QLatin1Char(' '));
}

// A word that leads nowhere may be a number of the program, which is contents; an address is none.
QString shown(const RawWord& row, const QString& text) {
  return row.meaning ? text : contentsText(text);
}

QString wordText(const RawWord& row) {
  if (row.missingBytes > 0) return u"not in the dump"_s;
  if (!row.word.value) return u"not in the dump as a whole"_s;
  return shown(row, u"%1"_s.arg(*row.word.value, 16, 16, QLatin1Char('0')));
}

QString meaningText(const RawWord& row) {
  if (row.missingBytes > 0) {
    return u"%1 up to %2"_s.arg(countedText(row.missingBytes, u"byte"_s),
                                addressText(row.word.address + row.missingBytes));
  }
  return row.meaning ? fromEngine(row.meaning->text) : QString();
}

QVariant inFixedFont(const RawWord&, int role) {
  return role == Qt::FontRole ? QVariant(fixedFont(QFont())) : QVariant();
}

RowColumn<RawWord> textColumn(const QString& title, const QString& tip, int letters,
                              QString (*text)(std::uint64_t word)) {
  return {
      .setup = {.title = title, .tip = tip, .letters = letters},
      .words = [text](const RawWord& row) { return row.word.value ? contentsText(text(*row.word.value)) : QString(); },
      .more = inFixedFont};
}

constexpr auto kRawMemoryChannel = "memory.raw";
constexpr std::uint64_t kBytesOfPage = 4096;
constexpr int kLettersOfAddress = 24;

RowsPanelSetup wordsSetup() {
  RowsPanelSetup setup;
  setup.name = u"rawMemory"_s;
  setup.title = u"Memory by words"_s;
  setup.noun = u"words"_s;
  setup.filterHint = u"Filter by address, word or what it leads to"_s;
  setup.emptyHeading = u"No memory"_s;
  setup.emptyText = u"No address lies behind this one."_s;
  setup.columns = rawWordSchema().setups();
  return setup;
}

}  // namespace

RowSchema<RawWord> rawWordSchema() {
  RowSchema<RawWord> schema;
  schema.columns = {
      {.setup = {.title = u"Address"_s, .kind = engine::ColumnKind::Address, .isSearched = true},
       .cell = [](const RawWord& row) { return row.word.address; }},
      {.setup = {.title = u"Word"_s,
                 .tip = u"Eight bytes as one number, the last byte first"_s,
                 .letters = 22,
                 .isSearched = true,
                 .holdsContents = false},
       .words = wordText,
       .more = inFixedFont},
      textColumn(u"Bytes"_s, u"One by one, as they lie in memory"_s, 30, bytesOf),
      textColumn(u"Characters"_s, u"What the bytes stand for, one each"_s, 12, lettersOf),
      textColumn(u"UTF-16"_s, u"What they stand for two by two, as in strings of .NET"_s, 9, wideLettersOf),
      {.setup = {.title = u"Leads to"_s,
                 .tip = u"What the word is the address of; nothing for a number that is none"_s,
                 .letters = 40,
                 .stretches = true,
                 .isSearched = true,
                 .holdsContents = false},
       .words = meaningText,
       .object = [](const RawWord& row) { return row.meaning ? row.meaning->object : engine::Address{}; },
       .type = [](const RawWord& row) { return row.meaning ? row.meaning->methodTable : engine::Address{}; },
       .detail = meaningText},
  };
  schema.identity = [](const RawWord& row) { return row.word.address; };
  return schema;
}

engine::Outcome<RawMemory> readRawMemory(const engine::Snapshot& snapshot, engine::AddressRange range,
                                         std::shared_ptr<const engine::AddressMeanings> meanings,
                                         std::stop_token stop) {
  if (!meanings) {
    HEAPSCAPE_TRY(engine::AddressMeanings made, engine::AddressMeanings::make(snapshot, stop));
    meanings = std::make_shared<const engine::AddressMeanings>(std::move(made));
  }
  RawMemory memory{.owners = meanings->of(range.start), .words = {}, .meanings = meanings};
  const auto addWord = [&](const engine::MemoryWord& word) {
    memory.words.push_back({.word = word});
    if (word.value) memory.words.back().meaning = engine::meaningOf(*meanings, *word.value);
    return true;
  };
  const auto addMissing = [&](engine::AddressRange missing) {
    memory.words.push_back({.word = {missing.start, std::nullopt}, .missingBytes = missing.sizeBytes()});
    return true;
  };
  HEAPSCAPE_CHECK(engine::readWords(snapshot, range, addWord, addMissing, std::move(stop)));
  return memory;
}

RawMemoryPanel::RawMemoryPanel(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : QWidget(parent),
      m_bridge(bridge),
      m_navigator(navigator),
      m_typed(new QLineEdit(this)),
      m_earlier(addStep(u"rawEarlier"_s, u"◂ Earlier"_s, u"The 4 KB before these"_s, false)),
      m_later(addStep(u"rawLater"_s, u"Later ▸"_s, u"The 4 KB behind these"_s, true)),
      m_owner(new ElidedText(this)),
      m_words(new RowsPanel(bridge, navigator, wordsSetup(), {}, this)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(buildHead());
  column->addWidget(m_words, 1);
  setFocusProxy(m_typed);
  connect(m_typed, &QLineEdit::returnPressed, this, &RawMemoryPanel::goToTyped);
  connect(m_words, &RowsPanel::rowActivated, this, [this](std::uint32_t row) {
    const RawWord& word = m_words->rows()->as<RawWord>(row);
    if (word.meaning) go({*word.word.value});
  });
  connect(m_words, &RowsPanel::menuOpening, this, [this](QMenu* menu, std::uint32_t row) {
    const RawWord& word = m_words->rows()->as<RawWord>(row);
    if (!word.meaning) return;
    addMemoryLink(*menu, m_navigator, {*word.word.value});
    menu->addSeparator();
  });
  clear();
}

QToolButton* RawMemoryPanel::addStep(const QString& name, const QString& text, const QString& tip, bool isForward) {
  auto* button = new QToolButton(this);
  button->setObjectName(name);
  button->setText(text);
  button->setToolTip(tip);
  button->setFocusPolicy(Qt::TabFocus);
  connect(button, &QToolButton::clicked, this, [this, isForward] { step(isForward); });
  return button;
}

QWidget* RawMemoryPanel::buildHead() {
  auto* head = new QWidget(this);
  auto* label = new QLabel(u"&Address"_s, head);
  label->setBuddy(m_typed);
  m_typed->setObjectName(u"rawAddress"_s);
  m_typed->setAccessibleName(u"Address whose memory is shown"_s);
  m_typed->setPlaceholderText(u"0x7f…"_s);
  m_typed->setFont(fixedFont(font()));
  m_typed->setToolTip(u"Any address of the process, then Enter"_s);
  m_typed->setFixedWidth(m_typed->fontMetrics().averageCharWidth() * kLettersOfAddress);
  m_owner->setObjectName(u"rawOwner"_s);
  m_owner->setElideMode(Qt::ElideRight);
  const int height = std::max(m_typed->sizeHint().height(), 26);
  for (QToolButton* button : {m_earlier, m_later}) button->setMinimumHeight(height);
  auto* line = new QHBoxLayout(head);
  line->setContentsMargins(12, 8, 12, 4);
  line->setSpacing(8);
  line->addWidget(label);
  line->addWidget(m_typed);
  line->addWidget(m_earlier);
  line->addWidget(m_later);
  line->addWidget(m_owner, 1);
  return head;
}

void RawMemoryPanel::clear() {
  m_bridge.stopAsking(this, kRawMemoryChannel);
  m_address = {};
  m_isReady = m_isAsked = false;
  m_meanings.reset();
  m_words->clear();
  m_typed->clear();
  showHead();
}

void RawMemoryPanel::setReady(bool isReady) {
  m_isReady = isReady;
  showHead();
  if (isVisible()) ask();
}

void RawMemoryPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  ask();
}

void RawMemoryPanel::showMemory(engine::Address address) {
  if (address == m_address) return;
  m_address = address;
  m_isAsked = false;
  m_words->clear();
  m_owner->setText({});
  showHead();
  if (isVisible()) ask();
}

void RawMemoryPanel::goToTyped() {
  engine::Address address;
  if (!engine::tryParseAddress(m_typed->text().trimmed().toStdString(), address)) {
    m_owner->setWarning(true);
    m_owner->setText(u"⚠ That is no address. One is written as 0x7f… or as hexadecimal digits alone."_s);
    return;
  }
  go(address);
}

void RawMemoryPanel::step(bool forward) {
  if (!m_address) return;
  const std::uint64_t at = m_address.value;
  if (forward)
    go({at > ~kBytesOfPage ? at : at + kBytesOfPage});
  else
    go({at > kBytesOfPage ? at - kBytesOfPage : 1});
}

void RawMemoryPanel::go(engine::Address address) {
  m_navigator.showListed(PlaceId::Memory, address, m_navigator.location().selection);
}

void RawMemoryPanel::ask() {
  if (!m_bridge.snapshot()) return;
  if (!m_isReady) {
    m_words->showWaiting(u"Waiting for the objects of the heap"_s);
    return;
  }
  if (!m_address) {
    m_words->setEmptyText(u"No address yet"_s,
                          u"Type any address of the process above, or pick “Show memory at…” from the "
                          "menu of one."_s);
    m_words->setRows(makeRowList(std::vector<RawWord>(), rawWordSchema()));
    return;
  }
  if (m_isAsked) return;
  m_isAsked = true;
  m_words->showWaiting(u"Reading the memory at %1"_s.arg(addressText(m_address)));
  m_bridge.ask(
      this, kRawMemoryChannel,
      [range = engine::memoryFrom(m_address, kBytesOfPage), meanings = m_meanings](const engine::Snapshot& snapshot,
                                                                                   std::stop_token stop) {
        return readRawMemory(snapshot, range, meanings, std::move(stop));
      },
      [this, asked = m_address](const engine::Outcome<RawMemory>& answer) {
        if (asked == m_address) take(answer);
      });
}

void RawMemoryPanel::take(const engine::Outcome<RawMemory>& answer) {
  if (!answer) {
    m_isAsked = false;
    if (!answer.error().isCancelled()) m_words->showFailure(answer.error().error());
    return;
  }
  m_meanings = answer->meanings;
  QStringList owners;
  for (const engine::AddressMeaning& owner : answer->owners) owners << fromEngine(owner.text);
  m_owner->setText(owners.isEmpty() ? QString() : u"In %1"_s.arg(owners.join(u"; "_s)));
  m_words->setRows(makeRowList(answer->words, rawWordSchema()));
}

void RawMemoryPanel::showHead() {
  m_owner->setWarning(false);
  if (m_address) m_typed->setText(addressText(m_address));
  if (!m_address) m_owner->setText({});
  m_typed->setEnabled(bool(m_bridge.snapshot()));
  for (QToolButton* button : {m_earlier, m_later}) button->setEnabled(bool(m_address));
}

}  // namespace heapscape::gui
