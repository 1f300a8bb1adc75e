#pragma once
// JSON values for reports. The library behind it, nlohmann-json, is seen by json.cpp alone: each
// file that included it would compile for seconds more.

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
  /// Sets a member of an object, which `null` becomes.
  void set(const std::string& name, json member);

  /// How many elements an array has.
  std::size_t size() const;

  /// On one line.
  std::string line() const;
  /// As reports have it: indented, with a replacement character for what is not UTF-8, and a line
  /// feed at the end.
  std::string text() const;

 private:
  struct content;
  std::unique_ptr<content> content_;
};

}  // namespace evenfold::cli
