// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "insight/detectors/detector.h"
#include "insight/insight.h"

namespace heapscape::engine {

/// The objects of an insight as they are found.
class InsightGroup {
 public:
  explicit InsightGroup(TypeId type = {}, bool isFramework = false) : m_type(type), m_isFramework(isFramework) {}

  TypeId type() const { return m_type; }
  bool isFramework() const { return m_isFramework; }
  /// An object of the insight, and what would be won back of it and with it: the claims of these bytes.
  void add(std::uint32_t object, std::uint64_t bytes) {
    m_shares.push_back({object, bytes});
    m_bytes += bytes;
  }
  void claim(std::uint32_t object, std::uint64_t bytes) {
    m_claims.push_back({object, static_cast<std::uint32_t>(bytes / 8)});
  }
  /// Both, of an object alone.
  void addAlone(std::uint32_t object, std::uint64_t bytes) {
    add(object, bytes);
    claim(object, bytes);
  }
  void append(const InsightGroup& other);
  /// For what will be appended.
  void reserve(std::size_t objects, std::size_t claims);

  std::uint64_t bytes() const { return m_bytes; }
  std::uint64_t objects() const { return m_shares.size(); }
  std::size_t claims() const { return m_claims.size(); }
  const std::vector<Ownership::Share>& shares() const { return m_shares; }

  using TextOf = std::function<std::string(std::uint32_t object)>;
  /// Returns the insight with bytes, objects, the costliest items and owners. `textOf` may be empty. Takes claims out.
  FoundInsight finish(const InsightInput& input, InsightKind kind, const TextOf& textOf);

 private:
  TypeId m_type;
  bool m_isFramework;
  std::vector<Ownership::Share> m_shares;
  std::vector<Claim> m_claims;
  std::uint64_t m_bytes = 0;
};

/// Groups by a type, those that the framework holds apart from the program's.
class GroupsByType {
 public:
  /// The group that an object of this subject belongs to.
  InsightGroup& of(const InsightInput& input, TypeId type, std::uint32_t object);
  /// All of these, which are empty then, in their order.
  static GroupsByType join(std::span<GroupsByType> parts);

  /// Makes insights of groups that are large enough; `describe` gives each its title, advice and facts.
  using Describe = std::function<void(Insight& insight, const InsightGroup& group)>;
  void finish(const InsightInput& input, InsightKind kind, const Describe& describe, FoundInsights& found,
              const InsightGroup::TextOf& textOf = {});

 private:
  std::map<std::pair<std::uint32_t, bool>, InsightGroup> m_groups;  // by TypeId, and whether the framework's
};

/// A group of insights of one kind with more of them than this is told as one.
inline constexpr std::size_t kFewInsights = 12;

/// A line in a list of insights: one of them, or all of a kind that mean the same and that the same side holds.
struct InsightRow {
  InsightKind kind = InsightKind::Suspect;
  InsightMeaning meaning = InsightMeaning::Waste;
  bool isFramework = false;
  std::uint64_t bytes = 0;  // of several without what earlier kinds count already
  std::uint64_t objects = 0;
  std::vector<std::uint32_t> insights = {};  // indices; the most bytes first

  bool isGroup() const { return insights.size() > 1; }
};

/// All groups, however few they are; the most bytes first.
std::vector<InsightRow> groupsOfInsights(const InsightList& list);

/// All insights, those of groups of more than `few` together: first those whose bytes could be won back; of these
/// the most bytes first.
std::vector<InsightRow> insightRows(const InsightList& list, std::size_t few = kFewInsights);

/// "1,100 texts, 15,000 strings": what several insights of a kind are about; the objects left out where there are none.
std::string insightGroupTitle(InsightKind kind, std::uint64_t insights, std::uint64_t objects);

}  // namespace heapscape::engine
