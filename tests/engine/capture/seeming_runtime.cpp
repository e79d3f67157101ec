// SPDX-License-Identifier: MIT
#include "engine/capture/seeming_runtime.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <array>
#include <cstring>
#include <stdexcept>

#include "base/bounded_reader.h"
#include "base/unicode.h"

namespace heapscape::test {
namespace {

constexpr std::size_t kHeader = engine::kDiagnosticHeaderBytes;

bool receiveAll(int socket, std::byte* to, std::size_t size) {
  while (size > 0) {
    const ssize_t got = ::recv(socket, to, size, 0);
    if (got <= 0) return false;
    to += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

}  // namespace

void appendProtocolText(FileBytes& to, std::string_view ascii) {
  const auto append = [&to](auto value) {
    const auto* first = reinterpret_cast<const std::byte*>(&value);
    to.insert(to.end(), first, first + sizeof value);
  };
  append(static_cast<std::uint32_t>(ascii.size() + 1));
  for (const char letter : ascii) append(static_cast<std::uint16_t>(letter));
  append(std::uint16_t{0});
}

std::string SeemingRequest::rawDumpPath() const {
  engine::BoundedReader reader(payload);
  const auto length = reader.read<std::uint32_t>();
  const engine::Bytes bytes = reader.readBytes(std::uint64_t{length} * 2);
  std::u16string units(length, u'\0');
  std::memcpy(units.data(), bytes.data(), bytes.size());
  units.pop_back();
  return engine::toUtf8(units);
}

std::filesystem::path SeemingRequest::dumpPath() const {
  std::string path = rawDumpPath();
  for (std::size_t at = 0; (at = path.find("%%", at)) != std::string::npos; ++at) path.erase(at, 1);
  return path;
}

std::uint32_t SeemingRequest::dumpKind() const {
  engine::BoundedReader reader(payload);
  reader.skip(std::uint64_t{reader.read<std::uint32_t>()} * 2);
  return reader.read<std::uint32_t>();
}

void SeemingConnection::send(engine::Bytes bytes) const {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(m_socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return;
    bytes = bytes.subspan(static_cast<std::size_t>(sent));
  }
}

FileBytes SeemingConnection::message(std::uint8_t id, engine::Bytes payload) {
  std::vector<std::byte> bytes = engine::diagnosticMessage(engine::DiagnosticCommand::ProcessInfo, payload);
  bytes[16] = std::byte{0xff};
  bytes[17] = std::byte{id};
  return bytes;
}

void SeemingConnection::refuse(std::uint32_t result, std::string_view text) const {
  FileBytes payload(sizeof result);
  std::memcpy(payload.data(), &result, sizeof result);
  if (!text.empty()) appendProtocolText(payload, text);
  send(message(0xff, payload));
}

void SeemingConnection::stayOpen() const {
  std::byte ignored{};
  while (::recv(m_socket, &ignored, 1, 0) > 0) {
  }
}

FileBytes SeemingRuntime::processInfo() {
  FileBytes payload(4 + 8 + 16);
  payload[0] = std::byte{1};
  payload[4] = std::byte{7};
  for (const char* text : {"dotnet shop.dll", "Linux", "x64", "shop", "10.0.12+abc @Commit: abc", "linux-musl-x64"})
    appendProtocolText(payload, text);
  return payload;
}

SeemingRuntime::SeemingRuntime(const std::filesystem::path& socket, Answer answer) : m_answer(std::move(answer)) {
  m_socket = engine::FileDescriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  // A long path does not fit into an address.
  const engine::FileDescriptor folder(::open(socket.parent_path().c_str(), O_PATH | O_CLOEXEC));
  const std::string name = "/proc/self/fd/" + std::to_string(folder.get()) + "/" + socket.filename().string();
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (name.size() >= sizeof address.sun_path) throw std::runtime_error("too long a name for a socket");
  std::memcpy(address.sun_path, name.data(), name.size());
  if (::bind(m_socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(m_socket.get(), 16) != 0)
    throw std::runtime_error("cannot listen at " + socket.string());
  m_listener = std::jthread([this] { listen(); });
}

SeemingRuntime::~SeemingRuntime() {
  ::shutdown(m_socket.get(), SHUT_RDWR);  // ends accept()
  m_listener.join();
}

std::vector<engine::DiagnosticCommand> SeemingRuntime::commands() const {
  const std::lock_guard lock(m_mutex);
  return m_commands;
}

void SeemingRuntime::listen() {
  for (int socket = 0; (socket = ::accept(m_socket.get(), nullptr, nullptr)) >= 0;)
    m_connections.emplace_back([this, socket] { serve(socket); });
}

void SeemingRuntime::serve(int socket) {
  const engine::FileDescriptor owner(socket);
  std::array<std::byte, kHeader> header{};
  if (!receiveAll(socket, header.data(), header.size())) return;
  std::uint16_t size = 0;
  std::memcpy(&size, header.data() + 14, sizeof size);
  SeemingRequest request;
  request.command = static_cast<engine::DiagnosticCommand>((std::to_integer<unsigned>(header[16]) << 8) |
                                                           std::to_integer<unsigned>(header[17]));
  request.payload.resize(size - kHeader);
  if (!receiveAll(socket, request.payload.data(), request.payload.size())) return;
  {
    const std::lock_guard lock(m_mutex);
    m_commands.push_back(request.command);
  }
  const SeemingConnection connection(socket);
  if (request.command == engine::DiagnosticCommand::ProcessInfo3 && m_answer) {
    connection.answer(processInfo());
  } else if (m_answer) {
    m_answer(request, connection);
  } else {
    connection.stayOpen();
  }
}

}  // namespace heapscape::test
