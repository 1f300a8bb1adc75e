#include "cli/report/fold_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "cli/report/report.hpp"

namespace evenfold::cli {

namespace {

/// A line of the picture, character by character; a character may be several bytes.
class line {
 public:
  explicit line(std::size_t width) : signs_(width, " ") {}

  std::string_view& operator[](std::size_t column) { return signs_[column]; }
  void fill(std::size_t begin, std::size_t end, std::string_view sign) {
    std::fill(signs_.begin() + static_cast<std::ptrdiff_t>(begin),
              signs_.begin() + static_cast<std::ptrdiff_t>(end), sign);
  }
  /// The characters after the label, without blanks at the end.
  std::string text(std::string_view label) const {
    std::string result = fmt::format("{:<8}  ", label);
    for (const std::string_view sign : signs_) result += sign;
    result.erase(result.find_last_not_of(' ') + 1);
    return result + '\n';
  }

 private:
  std::vector<std::string_view> signs_;
};

/// The layout: cell i is between the walls at columns i * pitch and (i + 1) * pitch.
class picture {
 public:
  picture(fold_strategy strategy, const std::vector<numbers>& rounds)
      : strategy_(strategy), count_(count_of(rounds[0])) {
    std::size_t widest = 0;
    for (const numbers& cells : rounds) {
      const int round = static_cast<int>(texts_.size());
      std::vector<std::string>& texts = texts_.emplace_back(count_);
      for (std::size_t i = 0; i < count_; ++i) {
        if (!has_box(round, i)) continue;
        texts[i] = std::visit([i](const auto& all) { return text_of(all[i]); }, cells);
        widest = std::max(widest, texts[i].size());
      }
    }
    pitch_ = widest + 3;
  }

  std::string text() const {
    std::string result;
    for (int round = 0; round < static_cast<int>(texts_.size()); ++round) {
      if (round > 0) result += arrows(round);
      result += boxes(round);
    }
    return result;
  }

 private:
  bool has_box(int round, std::size_t cell) const {
    return cell < count_ && holds_fold(strategy_, count_, round, cell);
  }

  std::string boxes(int round) const {
    line top = blank(), middle = blank(), bottom = blank();
    for (std::size_t i = 0; i <= count_; ++i) {
      const bool left = i > 0 && has_box(round, i - 1);
      const bool right = has_box(round, i);
      const std::size_t wall = i * pitch_;
      if (left || right) {
        top[wall] = left && right ? "┬" : left ? "┐" : "┌";
        middle[wall] = "│";
        bottom[wall] = left && right ? "┴" : left ? "┘" : "└";
      }
      if (right) {
        top.fill(wall + 1, wall + pitch_, "─");
        bottom.fill(wall + 1, wall + pitch_, "─");
        const std::string& digits = texts_[static_cast<std::size_t>(round)][i];
        const std::size_t first = wall + pitch_ - 1 - digits.size();
        for (std::size_t j = 0; j < digits.size(); ++j) {
          middle[first + j] = std::string_view(digits).substr(j, 1);
        }
      }
    }
    const std::string label = round == 0 ? "values" : fmt::format("round {}", round);
    return top.text("") + middle.text(label) + bottom.text("");
  }

  /// The arrows from the cells that are combined in a round to the cells that take them.
  std::string arrows(int round) const {
    const std::size_t distance = strategy_ == fold_strategy::array_folding
                                     ? detail::ceil_div(count_, std::size_t{1} << round)
                                     : std::size_t{1} << (round - 1);
    line result = blank();
    for (std::size_t i = distance; i < count_; ++i) {
      if (!has_box(round - 1, i) || has_box(round, i)) continue;
      const std::size_t from = middle_of(i), to = middle_of(i - distance);
      for (std::size_t column = to; column < from; ++column) {
        if (result[column] == " ") result[column] = "─";
        if (result[column] == "┘") result[column] = "┴";
      }
      result[to] = "▲";
      result[from] = "┘";
    }
    return result.text("");
  }

  line blank() const { return line(count_ * pitch_ + 1); }
  std::size_t middle_of(std::size_t cell) const { return cell * pitch_ + pitch_ / 2; }

  fold_strategy strategy_;
  std::size_t count_;
  std::size_t pitch_ = 0;
  /// By round and cell.
  std::vector<std::vector<std::string>> texts_;
};

}  // namespace

std::string draw_rounds(fold_strategy strategy, const std::vector<numbers>& rounds) {
  return picture(strategy, rounds).text();
}

}  // namespace evenfold::cli
