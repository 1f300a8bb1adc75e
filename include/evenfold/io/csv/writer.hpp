#pragma once
// Writes records of comma-separated values (RFC 4180) into a string, with quotes only where they
// are needed.

#include <string>
#include <string_view>

namespace evenfold {

/// Appends records to a text, line ends being a single LF. What it writes, csv_table reads back.
class csv_writer {
 public:
  explicit csv_writer(char delimiter = ',') : special_{delimiter, '"', '\r', '\n'} {}

  /// Appends a field of the current record.
  void field(std::string_view text) {
    const bool first_of_all = text_.empty();
    raw_ = false;
    if (fields_++ > 0) text_ += special_[0];
    if (text.find_first_of(std::string_view(special_, sizeof special_)) == std::string_view::npos &&
        !(first_of_all && looks_like_a_mark(text))) {
      text_ += text;
      return;
    }
    text_ += '"';
    for (const char c : text) {
      if (c == '"') text_ += '"';
      text_ += c;
    }
    text_ += '"';
  }

  /// Appends a field as it stands, such as the bytes that csv_table::field gave.
  void raw_field(std::string_view bytes) {
    raw_ = true;
    if (fields_++ > 0) text_ += special_[0];
    text_ += bytes;
  }

  /// Ends the current record. A lone empty field is written as "", since an empty line may be
  /// skipped; not so a raw one. Behind a raw field that ends with CR the line ends with CR LF,
  /// which leaves the CR of the field what it is.
  void end_record() {
    if (!raw_ && fields_ == 1 && (text_.empty() || text_.back() == '\n')) text_ += "\"\"";
    if (text_.ends_with('\r')) text_ += '\r';
    text_ += '\n';
    fields_ = 0;
  }

  /// What has been written so far.
  const std::string& text() const { return text_; }

 private:
  /// At the beginning of a file these bytes would say how to read it.
  static bool looks_like_a_mark(std::string_view text) {
    for (const std::string_view mark : {"\xEF\xBB\xBF", "\xFF\xFE", "\xFE\xFF", "\x1F\x8B"}) {
      if (text.starts_with(mark)) return true;
    }
    return false;
  }

  char special_[4];
  std::string text_;
  std::size_t fields_ = 0;
  bool raw_ = false;  ///< whether the last field is
};

}  // namespace evenfold
