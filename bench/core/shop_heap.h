// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "core/region_writer.h"
#include "core/template_heap.h"

namespace heapscape::bench {

/// Fills regions with what a shop keeps: customers with their orders, which refer to shared products and to earlier
/// customers; trees of orders; lists of up to a million nodes; buffers; and between them gaps and what nothing holds
/// any more. Most references lead to what was allocated a moment before, some anywhere. Needs the types of the program
/// `shop` (tests/targets).
class ShopHeap {
 public:
  ShopHeap(const TemplateHeap& from, GrownCore& core, std::uint64_t seed);

  /// Adds at least so many objects, gaps among them, and has the template's static list hold all that is alive.
  void grow(std::uint64_t objects);
  std::uint64_t objects() const { return m_writer.objects(); }

 private:
  /// From the address of the object that has them.
  struct Fields {
    std::uint64_t name, home, referredBy, orders, street, city, country, customer, lines, number, product, quantity,
        productName, reviews, author, text, items, size, left, right, item, head, count, list, next, previous, buckets,
        entries, entryCount;
  };

  void readFields();
  void addCluster();
  void addCustomer(bool isHeld);
  std::uint64_t addOrder(std::uint64_t customer);
  void addProduct();
  void addTree();
  void addListNodes();
  void closeList();
  void addBuffer();
  void addGap();
  void addShard();
  void addCatalogue();

  std::uint64_t addText(std::string_view prefix, std::uint64_t number);
  std::uint64_t addList(const Kind& list, std::uint64_t items, std::uint32_t count);
  std::uint64_t below(std::uint64_t count) { return m_random() % count; }
  /// How many, at least one, with this mean.
  std::uint32_t few(double mean);
  /// One of what was made so far, most often of the last thousand.
  std::uint64_t nearMost(const std::vector<std::uint64_t>& all);
  std::uint64_t someProduct();

  const TemplateHeap& m_from;
  RegionWriter m_writer;
  std::mt19937_64 m_random;

  Kind m_free, m_string, m_bytes, m_ints, m_references;
  Kind m_customer, m_address, m_order, m_line, m_product, m_review;
  Kind m_orderArray, m_lineArray, m_reviewArray, m_customerArray;
  Kind m_orderList, m_lineList, m_reviewList, m_anyList;
  Kind m_node, m_linkedList, m_linkedNode, m_dictionary, m_entries;

  Fields m_fields{};

  std::vector<std::uint64_t> m_customers, m_orders, m_products;
  std::vector<std::uint64_t> m_unsharded;  // customers that no array holds yet
  std::vector<std::uint64_t> m_held;       // what the static list is to hold
  std::vector<std::uint64_t> m_cities;
  std::uint64_t m_list = 0, m_listHead = 0, m_listTail = 0;
  std::uint32_t m_listCount = 0, m_listEnd = 0;
};

}  // namespace heapscape::bench
