// SPDX-License-Identifier: MIT
#include "core/shop_heap.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>

namespace heapscape::bench {

namespace {

constexpr std::size_t kRoom = 128 << 10;  // more than any of what is added at once
constexpr std::size_t kShard = 4096;
constexpr std::size_t kNear = 1000;
constexpr std::size_t kRecentOrders = 4096;
constexpr std::size_t kFirstProducts = 1000;
constexpr std::size_t kCities = 500;

}  // namespace

ShopHeap::ShopHeap(const TemplateHeap& from, GrownCore& core, std::uint64_t seed)
    : m_from(from), m_writer(core, from.firstObjectOffset()), m_random(seed) {
  const std::string collections = "System.Collections.Generic.";
  m_free = from.kind("Free");
  m_string = from.kind("System.String");
  m_bytes = from.kind("System.Byte[]");
  m_ints = from.kind("System.Int32[]");
  m_references = from.kind("System.Object[]");
  m_customer = from.kind("Catalog.Customer");
  m_address = from.kind("Catalog.Address");
  m_order = from.kind("Catalog.Order");
  m_line = from.kind("Catalog.OrderLine");
  m_product = from.kind("Catalog.Product");
  m_review = from.kind("Catalog.Review");
  m_orderArray = from.kind("Catalog.Order[]");
  m_lineArray = from.kind("Catalog.OrderLine[]");
  m_reviewArray = from.kind("Catalog.Review[]");
  m_customerArray = from.kind("Catalog.Customer[]");
  m_orderList = from.kind(collections + "List<Catalog.Order>");
  m_lineList = from.kind(collections + "List<Catalog.OrderLine>");
  m_reviewList = from.kind(collections + "List<Catalog.Review>");
  m_anyList = from.kind(collections + "List<System.Object>");
  m_node = from.kind(collections + "SortedSet<" + collections + "KeyValuePair<System.Int64, Catalog.Order>>+Node");
  m_linkedList = from.kind(collections + "LinkedList<System.Int32>");
  m_linkedNode = from.kind(collections + "LinkedListNode<System.Int32>");
  m_dictionary = from.kind(collections + "Dictionary<System.Int32, Catalog.Product>");
  m_entries = from.kind(collections + "Dictionary<System.Int32, Catalog.Product>+Entry[]");
  readFields();
  m_writer.reserve(kRoom);
  for (std::size_t i = 0; i < kCities; ++i) m_cities.push_back(addText("City", i));
}

void ShopHeap::readFields() {
  const auto property = [this](const Kind& kind, const char* name) { return m_from.property(kind, name); };
  m_fields = {
      .name = property(m_customer, "Name"),
      .home = property(m_customer, "Home"),
      .referredBy = property(m_customer, "ReferredBy"),
      .orders = property(m_customer, "Orders"),
      .street = property(m_address, "Street"),
      .city = property(m_address, "City"),
      .country = property(m_address, "Country"),
      .customer = property(m_order, "Customer"),
      .lines = property(m_order, "Lines"),
      .number = m_from.field(m_order, "Number"),
      .product = property(m_line, "Product"),
      .quantity = property(m_line, "Quantity"),
      .productName = property(m_product, "Name"),
      .reviews = property(m_product, "Reviews"),
      .author = property(m_review, "Author"),
      .text = property(m_review, "Text"),
      .items = m_from.field(m_orderList, "_items"),
      .size = m_from.field(m_orderList, "_size"),
      .left = property(m_node, "Left"),
      .right = property(m_node, "Right"),
      .item = property(m_node, "Item"),
      .head = m_from.field(m_linkedList, "head"),
      .count = m_from.field(m_linkedList, "count"),
      .list = m_from.field(m_linkedNode, "list"),
      .next = m_from.field(m_linkedNode, "next"),
      .previous = m_from.field(m_linkedNode, "prev"),
      .buckets = m_from.field(m_dictionary, "_buckets"),
      .entries = m_from.field(m_dictionary, "_entries"),
      .entryCount = m_from.field(m_dictionary, "_count"),
  };
}

std::uint32_t ShopHeap::few(double mean) {
  return 1 + static_cast<std::uint32_t>(
                 std::min(40.0, -std::log(1 - std::generate_canonical<double, 53>(m_random)) * (mean - 1)));
}

std::uint64_t ShopHeap::nearMost(const std::vector<std::uint64_t>& all) {
  const std::uint64_t reach = below(5) == 0 ? all.size() : std::min(all.size(), kNear);
  return all[all.size() - 1 - below(reach)];
}

// A few are sold most of the time.
std::uint64_t ShopHeap::someProduct() {
  const double place = std::generate_canonical<double, 53>(m_random);
  return m_products[static_cast<std::size_t>(place * place * place * static_cast<double>(m_products.size()))];
}

std::uint64_t ShopHeap::addText(std::string_view prefix, std::uint64_t number) {
  const std::string text = fmt::format("{} {}", prefix, number);
  const std::uint64_t object = m_writer.add(m_string, static_cast<std::uint32_t>(text.size()));
  std::byte* letters = m_writer.at(object) + 12;
  for (std::size_t i = 0; i < text.size(); ++i) letters[2 * i] = static_cast<std::byte>(text[i]);
  return object;
}

std::uint64_t ShopHeap::addList(const Kind& list, std::uint64_t items, std::uint32_t count) {
  const std::uint64_t object = m_writer.add(list);
  m_writer.set(object + m_fields.items, items);
  m_writer.set(object + m_fields.size, count);
  return object;
}

void ShopHeap::grow(std::uint64_t objects) {
  m_writer.reserve(kRoom);
  for (std::size_t i = 0; i < kFirstProducts; ++i) addProduct();
  while (m_writer.objects() < objects) {
    m_writer.reserve(kRoom);
    addCluster();
    if (below(5) == 0) addGap();
    if (m_unsharded.size() == kShard) addShard();
  }
  m_writer.reserve(kRoom);
  addShard();
  if (m_list) closeList();
  addCatalogue();

  const std::uint64_t list = m_from.heldList();
  m_held.push_back(m_from.read(list + m_from.field(m_anyList, "_items")));
  const auto count = static_cast<std::uint32_t>(m_held.size());
  const std::uint64_t items = m_writer.addLarge(m_references, count, std::as_bytes(std::span(m_held)));
  m_writer.set(list + m_from.field(m_anyList, "_items"), items);
  m_writer.set(list + m_from.field(m_anyList, "_size"), count);
}

void ShopHeap::addCluster() {
  const std::uint64_t which = below(1000);
  if (which < 900 || m_customers.size() < kNear) return addCustomer(true);
  if (which < 940) return addProduct();
  if (which < 950) return addTree();
  if (which < 960) return addListNodes();
  if (which < 980) return addCustomer(false);
  addBuffer();
}

void ShopHeap::addCustomer(bool isHeld) {
  const std::uint64_t customer = m_writer.add(m_customer);
  m_writer.set(customer + m_fields.name, addText("Customer", m_customers.size()));
  const std::uint64_t address = m_writer.add(m_address);
  m_writer.set(customer + m_fields.home, address);
  m_writer.set(address + m_fields.street, addText("Long street", below(100000)));
  m_writer.set(address + m_fields.city, m_cities[below(kCities)]);
  m_writer.set(address + m_fields.country, m_cities[below(10)]);
  if (!m_customers.empty() && below(2) == 0) m_writer.set(customer + m_fields.referredBy, nearMost(m_customers));
  const std::uint32_t count = few(3);
  const std::uint64_t array = m_writer.add(m_orderArray, count);
  m_writer.set(customer + m_fields.orders, addList(m_orderList, array, count));
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint64_t order = addOrder(customer);
    m_writer.setElement(array, i, order);
    if (!isHeld) continue;
    if (m_orders.size() < kRecentOrders)
      m_orders.push_back(order);
    else
      m_orders[below(kRecentOrders)] = order;
  }
  if (!isHeld) return;
  m_customers.push_back(customer);
  m_unsharded.push_back(customer);
}

std::uint64_t ShopHeap::addOrder(std::uint64_t customer) {
  const std::uint64_t order = m_writer.add(m_order);
  m_writer.set(order + m_fields.customer, customer);
  m_writer.set(order + m_fields.number, m_writer.objects());
  const std::uint32_t count = few(2.5);
  const std::uint64_t array = m_writer.add(m_lineArray, count);
  m_writer.set(order + m_fields.lines, addList(m_lineList, array, count));
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint64_t line = m_writer.add(m_line);
    m_writer.setElement(array, i, line);
    m_writer.set(line + m_fields.product, someProduct());
    m_writer.set(line + m_fields.quantity, static_cast<std::uint8_t>(1 + below(5)));
  }
  return order;
}

void ShopHeap::addProduct() {
  const std::uint64_t product = m_writer.add(m_product);
  m_products.push_back(product);
  m_writer.set(product + m_fields.productName, addText("Product", m_products.size()));
  if (m_customers.empty()) return;
  const std::uint32_t count = few(4);
  const std::uint64_t array = m_writer.add(m_reviewArray, count);
  m_writer.set(product + m_fields.reviews, addList(m_reviewList, array, count));
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint64_t review = m_writer.add(m_review);
    m_writer.setElement(array, i, review);
    m_writer.set(review + m_fields.author, nearMost(m_customers));
    m_writer.set(review + m_fields.text, addText("It is as good as the one before, number", i));
  }
}

// A balanced tree whose nodes lie in the order in which they came.
void ShopHeap::addTree() {
  std::vector<std::uint64_t> nodes(50 + below(350));
  for (std::uint64_t& node : nodes) {
    node = m_writer.add(m_node);
    m_writer.set(node + m_fields.item, m_orders[below(m_orders.size())]);
  }
  std::ranges::shuffle(nodes, m_random);
  const std::function<std::uint64_t(std::size_t, std::size_t)> top = [&](std::size_t from, std::size_t to) {
    if (from == to) return std::uint64_t{0};
    const std::size_t middle = (from + to) / 2;
    m_writer.set(nodes[middle] + m_fields.left, top(from, middle));
    m_writer.set(nodes[middle] + m_fields.right, top(middle + 1, to));
    return nodes[middle];
  };
  m_held.push_back(top(0, nodes.size()));
}

// Lists of a hundred to a million nodes, as many of each order of magnitude; they grow while all else comes between.
void ShopHeap::addListNodes() {
  if (!m_list) {
    m_list = m_writer.add(m_linkedList);
    m_held.push_back(m_list);
    m_listCount = 0;
    m_listEnd = static_cast<std::uint32_t>(std::pow(10, 2 + 4 * std::generate_canonical<double, 53>(m_random)));
  }
  for (std::uint64_t added = 100 + below(300); added > 0 && m_listCount < m_listEnd; --added, ++m_listCount) {
    const std::uint64_t node = m_writer.add(m_linkedNode);
    m_writer.set(node + m_fields.list, m_list);
    if (m_listCount == 0) {
      m_listHead = node;
    } else {
      m_writer.set(node + m_fields.previous, m_listTail);
      m_writer.set(m_listTail + m_fields.next, node);
    }
    m_listTail = node;
  }
  if (m_listCount == m_listEnd) closeList();
}

void ShopHeap::closeList() {
  m_writer.set(m_listTail + m_fields.next, m_listHead);
  m_writer.set(m_listHead + m_fields.previous, m_listTail);
  m_writer.set(m_list + m_fields.head, m_listHead);
  m_writer.set(m_list + m_fields.count, m_listCount);
  m_list = 0;
}

void ShopHeap::addBuffer() {
  m_held.push_back(m_writer.add(m_bytes, static_cast<std::uint32_t>(200 + below(8000))));
}

void ShopHeap::addGap() {
  m_writer.add(m_free, static_cast<std::uint32_t>(8 * below(30)));
}

void ShopHeap::addShard() {
  const std::uint64_t shard = m_writer.add(m_customerArray, static_cast<std::uint32_t>(m_unsharded.size()));
  for (std::size_t i = 0; i < m_unsharded.size(); ++i) m_writer.setElement(shard, i, m_unsharded[i]);
  m_held.push_back(shard);
  m_unsharded.clear();
}

// All products by their number: the cache that everybody shares.
void ShopHeap::addCatalogue() {
  struct Entry {
    std::uint64_t value = 0;
    std::uint32_t hashCode = 0;
    std::int32_t next = -1;
    std::int32_t key = 0;
    std::uint32_t padding = 0;
  };
  static_assert(sizeof(Entry) == 24);
  if (m_entries.componentSize != sizeof(Entry)) fail("The entries of the template's dictionaries have another size.");
  const std::size_t count = m_products.size();
  std::vector<Entry> entries(count);
  std::vector<std::int32_t> buckets(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto key = static_cast<std::int32_t>(i);
    entries[i] = {.value = m_products[i], .hashCode = static_cast<std::uint32_t>(key), .key = key};
    buckets[i] = key + 1;
  }
  const std::uint64_t dictionary = m_writer.add(m_dictionary);
  m_held.push_back(dictionary);
  const auto length = static_cast<std::uint32_t>(count);
  m_writer.close();
  m_writer.set(dictionary + m_fields.entryCount, length);
  m_writer.set(dictionary + m_fields.buckets, m_writer.addLarge(m_ints, length, std::as_bytes(std::span(buckets))));
  m_writer.set(dictionary + m_fields.entries, m_writer.addLarge(m_entries, length, std::as_bytes(std::span(entries))));
}

}  // namespace heapscape::bench
