#include "cli/input/row_condition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "cli/commands/options.hpp"
#include "evenfold/io/text/input_error.hpp"

namespace evenfold::cli {

namespace {

struct token {
  enum class kind { end, word, quoted, bracketed, sign, open, close, comma };
  kind what = kind::end;
  /// Without quotes or brackets.
  std::string text{};
  /// Where it begins and ends in the option.
  std::size_t begin = 0, end = 0;
};

/// A parser by recursive descent: one function per rule of the grammar. It looks at one token, and
/// appends the steps of what it has read.
class parser {
 public:
  explicit parser(std::string_view text) : text_(text) { advance(); }

  std::vector<condition_step> condition() {
    expression();
    if (next_.what != token::kind::end) {
      fail("`and`, `or` or the end; a value with blanks or signs needs quotes");
    }
    return std::move(steps_);
  }

 private:
  using step = condition_step::kind;

  void expression() {
    conjunction();
    while (accept("or")) {
      conjunction();
      steps_.push_back({step::disjunction});
    }
  }

  void conjunction() {
    negation();
    while (accept("and")) {
      negation();
      steps_.push_back({step::conjunction});
    }
  }

  void negation() {
    constexpr int most_nested = 200;
    if (++depth_ > most_nested) fail("fewer than 200 conditions inside each other");
    if (accept("not")) {
      negation();
      steps_.push_back({step::negation});
    } else if (next_.what == token::kind::open) {
      advance();
      expression();
      expect(token::kind::close, "`and`, `or` or a closing parenthesis");
    } else {
      test();
    }
    --depth_;
  }

  /// A condition on one column.
  void test() {
    const bool is_name = next_.what == token::kind::quoted ||
                         next_.what == token::kind::bracketed ||
                         (next_.what == token::kind::word && !is_keyword());
    if (!is_name || next_.text.empty()) fail("the name of a column, `not` or a parenthesis");
    const std::size_t begin = next_.begin;
    std::string column = take().text;
    const auto add = [&](condition_step added) {
      added.column = column;
      added.written = text_.substr(begin, last_end_ - begin);
      steps_.push_back(std::move(added));
    };
    if (next_.what == token::kind::sign) return comparison_with(add);
    bool negated = false;
    if (accept("is")) {
      negated = accept("not");
      if (!accept("null")) fail(negated ? "`null`" : "`null` or `not null`");
      add({step::null_test});
    } else {
      negated = accept("not");
      if (accept("in")) {
        add({.what = step::membership, .values = list()});
      } else if (accept("between")) {
        condition_value low = value();
        if (!accept("and")) fail("`and` and the upper bound of `between`");
        condition_value high = value();
        add({.what = step::comparison, .op = comparison::greater_equal, .values = {low}});
        add({.what = step::comparison, .op = comparison::less_equal, .values = {high}});
        steps_.push_back({step::conjunction});
      } else {
        fail(negated ? "`in` or `between`"
                     : "one of = != < <= > >= ~ !~, `is`, `in`, `between` or `not`; a name with "
                       "blanks needs quotes");
      }
    }
    if (negated) steps_.push_back({step::negation});
  }

  template <class Add>
  void comparison_with(const Add& add) {
    constexpr std::array<std::pair<std::string_view, comparison>, 8> operators = {
        {{"=", comparison::equal},
         {"==", comparison::equal},
         {"!=", comparison::not_equal},
         {"<>", comparison::not_equal},
         {"<=", comparison::less_equal},
         {"<", comparison::less},
         {">=", comparison::greater_equal},
         {">", comparison::greater}}};
    if (next_.text == "~" || next_.text == "!~") {
      const bool negated = take().text == "!~";
      const token at = next_;
      if (at.what != token::kind::quoted && at.what != token::kind::word) {
        fail("a regular expression, in quotes");
      }
      advance();
      auto pattern = std::make_shared<const text_pattern>(at.text);
      if (!pattern->fault().empty()) {
        fail(at, fmt::format("a regular expression ({})", pattern->fault()));
      }
      add({.what = step::match, .pattern = std::move(pattern)});
      if (negated) steps_.push_back({step::negation});
      return;
    }
    const auto found = std::find_if(operators.begin(), operators.end(),
                                    [&](const auto& each) { return each.first == next_.text; });
    if (found == operators.end()) fail("one of = != < <= > >= ~ !~");
    advance();
    add({.what = step::comparison, .op = found->second, .values = {value()}});
  }

  std::vector<condition_value> list() {
    expect(token::kind::open, "a list of values in parentheses");
    std::vector<condition_value> values = {value()};
    while (next_.what == token::kind::comma) {
      advance();
      values.push_back(value());
    }
    expect(token::kind::close, "a comma or a closing parenthesis");
    return values;
  }

  condition_value value() {
    if (is_word("null")) fail("a value; `is null` and `is not null` test for null");
    if (is_keyword()) fail("a value; a text that is a word of the language needs quotes");
    using of = condition_value::kind;
    switch (next_.what) {
      case token::kind::word:
        return {take().text, of::word};
      case token::kind::quoted:
        return {take().text, of::text};
      case token::kind::bracketed:
        return {take().text, of::column};
      default:
        fail("a value; '' is the empty text");
    }
  }

  /// Reads the next token.
  void advance() {
    last_end_ = next_.end;
    const std::size_t begin = std::min(text_.find_first_not_of(" \t\r\n", next_.end), text_.size());
    next_ = {token::kind::end, {}, begin, begin};
    if (begin == text_.size()) return;
    constexpr std::string_view signs = "=!<>~";
    const char first = text_[begin];
    const auto until = [&](std::size_t end) {
      next_.end = std::min(end, text_.size());
      next_.text = text_.substr(begin, next_.end - begin);
    };
    if (first == '\'' || first == '"' || first == '`' || first == '[') return quoted(first);
    if (first == '(' || first == ')' || first == ',') {
      next_.what = first == '('   ? token::kind::open
                   : first == ')' ? token::kind::close
                                  : token::kind::comma;
      until(begin + 1);
    } else if (signs.find(first) != signs.npos) {
      next_.what = token::kind::sign;
      until(text_.find_first_not_of(signs, begin));
    } else {
      next_.what = token::kind::word;
      until(text_.find_first_of(" \t\r\n(),=!<>~", begin));
    }
  }

  void quoted(char open) {
    const bool is_text = open == '\'' || open == '"';
    next_.what = is_text ? token::kind::quoted : token::kind::bracketed;
    const char close = open == '[' ? ']' : open;
    std::size_t at = next_.begin + 1;
    for (;; ++at) {
      if (at == text_.size()) {
        next_.end = at;
        next_.text = text_.substr(next_.begin);
        fail(fmt::format("the closing {}", close));
      }
      if (text_[at] == close) {
        if (!text_.substr(at + 1).starts_with(close)) break;
        ++at;
      }
      next_.text += text_[at];
    }
    next_.end = at + 1;
  }

  token take() {
    token taken = next_;
    advance();
    return taken;
  }

  /// Whether the next token is this word of the language.
  bool is_word(std::string_view word) const {
    if (next_.what != token::kind::word || next_.text.size() != word.size()) return false;
    return std::equal(word.begin(), word.end(), next_.text.begin(), [](char a, char b) {
      return a == (b >= 'A' && b <= 'Z' ? static_cast<char>(b - 'A' + 'a') : b);
    });
  }
  bool is_keyword() const {
    constexpr std::array words = {"and", "or", "not", "in", "is", "null", "between"};
    return std::any_of(words.begin(), words.end(), [&](const char* word) { return is_word(word); });
  }
  bool accept(std::string_view word) {
    if (!is_word(word)) return false;
    advance();
    return true;
  }
  void expect(token::kind wanted, const char* what) {
    if (next_.what != wanted) fail(what);
    advance();
  }

  [[noreturn]] void fail(const std::string& expected) const { fail(next_, expected); }
  [[noreturn]] void fail(const token& at, const std::string& expected) const {
    const auto position =
        1 + std::count_if(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at.begin),
                          [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
    const std::string found =
        at.what == token::kind::end ? "the end" : shown(text_.substr(at.begin, at.end - at.begin));
    throw option_error(
        "--where " + shown(text_),
        fmt::format("at character {}: found {}, expected {}", position, found, expected));
  }

  std::string_view text_;
  token next_;
  /// Where the last token that was read ends.
  std::size_t last_end_ = 0;
  int depth_ = 0;
  std::vector<condition_step> steps_;
};

}  // namespace

std::vector<condition_step> parse_row_condition(std::string_view text) {
  return parser(text).condition();
}

std::vector<std::string> columns_of(const std::vector<condition_step>& condition) {
  std::vector<std::string> columns;
  for (const condition_step& step : condition) {
    if (!step.column.empty()) columns.push_back(step.column);
    for (const condition_value& value : step.values) {
      if (value.what == condition_value::kind::column) columns.push_back(value.text);
    }
  }
  return columns;
}

}  // namespace evenfold::cli
