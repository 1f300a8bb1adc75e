#pragma once
// JSON values for reports. Only json.cpp includes the library, nlohmann-json, since it adds seconds
// to the compile time of a file.

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace evenfold::cli {

class json {
 public:
  /// null
  json();
  json(bool value);
  json(std::int64_t value);
  json(std::uint64_t value);
  json(int value) : json(std::int64_t{value}) {}
  json(double value);
  json(std::string_view text);
  json(const char* text) : json(std::string_view(text)) {}
  json(const std::string& text) : json(std::string_view(text)) {}
  /// An object whose members have this order.
  json(std::initializer_list<std::pair<const char*, json>> members);
  /// An array.
  template <class T>
  json(const std::vector<T>& elements) : json(array()) {
    for (const T& element : elements) push_back(element);
  }

  json(json&& other) noexcept;
  json& operator=(json&& other) noexcept;
  json(const json& other);
  ~json();

  static json array();
  static json object();
  void push_back(json element);
  /// Sets a member of an object; null becomes an object.
  void set(const std::string& name, json member);

  /// The number of elements of an array.
  std::size_t size() const;

  /// On one line.
  std::string line() const;
  /// In the format of reports: indented, with a replacement character for bytes that are not UTF-8,
  /// and a line feed at the end.
  std::string text() const;

 private:
  struct content;
  std::unique_ptr<content> content_;
};

}  // namespace evenfold::cli
