// SPDX-License-Identifier: MIT
#include "support/temporary_folder.h"

#include <cstdlib>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace heapscape::test {

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "heapscape-test-XXXXXX").string();
  if (!::mkdtemp(name.data())) throw std::runtime_error("cannot make " + name);
  m_path = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(m_path, ignored);
}

ScopedVariable::ScopedVariable(std::string name, const std::string& value) : m_name(std::move(name)) {
  const char* before = std::getenv(m_name.c_str());
  m_wasSet = before != nullptr;
  if (before) m_before = before;
  ::setenv(m_name.c_str(), value.c_str(), 1);
}

ScopedVariable::~ScopedVariable() {
  if (m_wasSet) {
    ::setenv(m_name.c_str(), m_before.c_str(), 1);
  } else {
    ::unsetenv(m_name.c_str());
  }
}

}  // namespace heapscape::test
