#include "cli/report/output.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <system_error>

#include "cli/process.hpp"
#include "cli/report/printable.hpp"
#include "evenfold/io/text/output_file.hpp"

namespace evenfold::cli {

namespace {

/// The number of columns of a terminal that a UTF-8 text takes: none for combining marks, two for
/// East Asian characters.
std::size_t width_of(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t length = lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    std::uint32_t sign = length == 1 ? lead : lead & (0xFFu >> (length + 1));
    for (std::size_t j = 1; j < length && i + j < text.size(); ++j) {
      sign = sign << 6 | (static_cast<unsigned char>(text[i + j]) & 0x3Fu);
    }
    const bool mark = (sign >= 0x300 && sign < 0x370) || sign == 0x200B || sign == 0x200D;
    const bool wide = (sign >= 0x1100 && sign < 0x1160) || (sign >= 0x2E80 && sign < 0xA4D0) ||
                      (sign >= 0xAC00 && sign < 0xD7A4) || (sign >= 0xF900 && sign < 0xFB00) ||
                      (sign >= 0xFE30 && sign < 0xFE70) || (sign >= 0xFF00 && sign < 0xFF61) ||
                      (sign >= 0x1F300 && sign < 0x1F650) || (sign >= 0x20000 && sign < 0x40000);
    width += mark ? 0 : wide ? 2 : 1;
    i += length;
  }
  return width;
}

}  // namespace

void text_table::column(std::string title, align side) {
  titles_.push_back(std::move(title));
  sides_.push_back(side);
}

std::string text_table::text() const {
  std::vector<std::vector<std::string>> lines = {titles_};
  lines.insert(lines.end(), rows_.begin(), rows_.end());
  std::vector<std::size_t> widths(titles_.size(), 0);
  for (auto& cells : lines) {
    for (std::size_t c = 0; c < cells.size(); ++c) {
      cells[c] = printable(cells[c]);
      widths[c] = std::max(widths[c], width_of(cells[c]));
    }
  }
  std::string rule;
  for (const std::size_t width : widths) {
    if (!rule.empty()) rule += "  ";
    for (std::size_t i = 0; i < width; ++i) rule += "─";
  }

  std::string text;
  for (std::size_t line = 0; line < lines.size(); ++line) {
    std::size_t blanks = 0;  // not yet written, since none shall stand at the end of a line
    for (std::size_t c = 0; c < lines[line].size(); ++c) {
      const std::string& cell = lines[line][c];
      const std::size_t padding = widths[c] - width_of(cell);
      if (sides_[c] == align::right) blanks += padding;
      if (!cell.empty()) {
        text.append(blanks, ' ');
        text += cell;
        blanks = 0;
      }
      if (sides_[c] == align::left) blanks += padding;
      blanks += 2;
    }
    text += '\n';
    if (line == 0) text += rule + '\n';
  }
  return text;
}

void print(std::string_view text) {
  if (!is_first_process()) return;
  while (!text.empty()) {
    const ssize_t written = write(STDOUT_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      throw output_error("standard output: cannot be written (" +
                         std::string(std::strerror(errno)) + ")");
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

phases::phases() {
  // Without a terminal there is no progress to show.
  if (!is_first_process() || isatty(STDERR_FILENO) != 1) return;
  try {
    shower_ = std::thread([this] { show(); });
  } catch (const std::system_error&) {
    // Without a thread to show the progress, the work continues.
  }
}

phases::~phases() {
  if (!shower_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_one();
  shower_.join();
}

void phases::begin(std::string name) {
  begun_.emplace_back(name, clock::now());
  const std::lock_guard lock(mutex_);
  erase();
  current_ = std::move(name);
}

void phases::progress(std::string text) {
  const std::lock_guard lock(mutex_);
  current_ = std::move(text);
}

std::string phases::finish() {
  const auto now = clock::now();
  {
    const std::lock_guard lock(mutex_);
    erase();
    current_.clear();
  }
  std::string text;
  const auto line = [&](std::string_view name, clock::duration time) {
    text += fmt::format("{:<10}{:10.2f} ms\n", name,
                        std::chrono::duration<double, std::milli>(time).count());
  };
  for (std::size_t i = 0; i < begun_.size(); ++i) {
    line(begun_[i].first, (i + 1 < begun_.size() ? begun_[i + 1].second : now) - begun_[i].second);
  }
  line("total", now - first_);
  return text;
}

void phases::show() {
  constexpr auto patience = std::chrono::milliseconds(500);
  constexpr auto pace = std::chrono::milliseconds(100);
  std::unique_lock lock(mutex_);
  while (!ended_) {
    changed_.wait_for(lock, pace, [this] { return ended_; });
    const auto elapsed = clock::now() - first_;
    if (ended_ || elapsed < patience || current_.empty()) continue;
    const std::string line = fmt::format("\r\x1b[K{} ... {:.1f} s", current_,
                                         std::chrono::duration<double>(elapsed).count());
    shown_ = std::fwrite(line.data(), 1, line.size(), stderr) > 0;
    std::fflush(stderr);
  }
  erase();
}

void phases::erase() {
  if (shown_) std::fputs("\r\x1b[K", stderr);
  shown_ = false;
}

}  // namespace evenfold::cli
