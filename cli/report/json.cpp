#include "cli/report/json.hpp"

#include <nlohmann/json.hpp>

namespace evenfold::cli {

struct json::content {
  nlohmann::ordered_json of;
};

json::json() : content_(std::make_unique<content>()) {}
json::json(bool b) : content_(std::make_unique<content>(content{b})) {}
json::json(std::int64_t n) : content_(std::make_unique<content>(content{n})) {}
json::json(std::uint64_t n) : content_(std::make_unique<content>(content{n})) {}
json::json(double x) : content_(std::make_unique<content>(content{x})) {}
json::json(std::string_view text) : content_(std::make_unique<content>(content{text})) {}
json::json(std::initializer_list<std::pair<const char*, json>> members) : json(object()) {
  for (const auto& [name, member] : members) content_->of[name] = member.content_->of;
}

json::json(json&& other) noexcept = default;
json& json::operator=(json&& other) noexcept = default;
json::json(const json& other) : content_(std::make_unique<content>(*other.content_)) {}
json::~json() = default;

json json::array() {
  json result;
  result.content_->of = nlohmann::ordered_json::array();
  return result;
}
// Not null: converting a null value to an object crashes when memory is exhausted.
json json::object() {
  json result;
  result.content_->of = nlohmann::ordered_json::object();
  return result;
}
void json::push_back(json element) { content_->of.push_back(std::move(element.content_->of)); }
void json::set(const std::string& name, json member) {
  content_->of[name] = std::move(member.content_->of);
}

std::size_t json::size() const { return content_->of.size(); }

std::string json::line() const { return content_->of.dump(); }
std::string json::text() const {
  return content_->of.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace evenfold::cli
