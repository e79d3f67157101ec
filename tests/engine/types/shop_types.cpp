// SPDX-License-Identifier: MIT
#include "shop_types.h"

#include "support/details.h"
#include "support/opened_snapshot.h"

namespace heapscape::test {

const engine::Snapshot& ShopTypes::snapshot() const {
  return openedDump(GetParam());
}

const nlohmann::json& ShopTypes::methodsOfClrMd() const {
  static std::pair<std::string, nlohmann::json> last;
  if (last.first != GetParam()) last = {GetParam(), detailsOf(GetParam())["methods"]};
  return last.second;
}

}  // namespace heapscape::test
