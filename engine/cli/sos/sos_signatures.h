// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/address.h"
#include "base/bounded_reader.h"
#include "metadata/metadata.h"
#include "metadata/signature.h"

namespace heapscape::cli {

/// Names of what IL refers to, as ILDASM writes them: "class [System.Runtime]System.IO.Stream".
class IlNames {
 public:
  explicit IlNames(const engine::Metadata& metadata) : m_metadata(metadata) {}

  /// What a token in IL stands for: "void System.Threading.Thread::Sleep(int32)", a text in quotation marks.
  std::string ofToken(std::uint32_t token) const;

 private:
  std::string ofType(engine::BoundedReader& reader, std::size_t depth) const;
  std::string ofTypeToken(engine::Token token, std::size_t depth) const;
  std::string ofArray(engine::BoundedReader& reader, std::size_t depth) const;
  std::string ofFunctionPointer(engine::BoundedReader& reader, std::size_t depth) const;
  std::string ofInstance(engine::BoundedReader& reader, std::size_t depth) const;
  std::string ofMember(std::string_view owner, std::string_view name, engine::Bytes signature,
                       std::string_view arguments = {}) const;
  std::string ofParent(engine::Token parent) const;
  std::string ofMethodSpec(std::uint32_t row) const;
  std::string ofText(std::uint32_t offset) const;

  const engine::Metadata& m_metadata;
};

/// Signatures as SOS spells their bytes out: "[DEFAULT] [hasThis] Void (SZArray String)".
class SosSignatures {
 public:
  /// `metadata` names types by their tokens, null for tokens alone; `nameOfType` those that the runtime names by their
  /// method tables.
  SosSignatures(const engine::Metadata* metadata, std::function<std::string(engine::Address)> nameOfType)
      : m_metadata(metadata), m_nameOfType(std::move(nameOfType)) {}

  /// A method's, a field's or that of locals; `name` stands in front of its parameters. Nullopt if the bytes are none.
  std::optional<std::string> ofMember(engine::Bytes signature, std::string_view name) const;
  /// One type.
  std::optional<std::string> ofType(engine::Bytes signature) const;

 private:
  bool addType(engine::BoundedReader& reader, std::string& text, std::size_t depth) const;
  bool addTypes(engine::BoundedReader& reader, std::uint32_t count, std::string& text, std::size_t depth) const;
  bool addArray(engine::BoundedReader& reader, std::string& text, std::size_t depth) const;
  bool addFunctionPointer(engine::BoundedReader& reader, std::string& text, std::size_t depth) const;
  std::string nameOf(engine::Token token) const;

  const engine::Metadata* m_metadata;
  std::function<std::string(engine::Address)> m_nameOfType;
};

/// "Shop.Cart+Line.Add": a method or field by its row, as metadata names it.
std::string metadataNameOf(const engine::Metadata& metadata, engine::Token member);

}  // namespace heapscape::cli
