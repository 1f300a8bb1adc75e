#pragma once
// Writes records of comma-separated values (RFC 4180) to a string, with quotes only where they are
// needed.

#include <initializer_list>
#include <string>
#include <string_view>

namespace evenfold {

/// Appends records to a text. Lines end with LF. csv_table reads the same fields from this text.
class csv_writer {
 public:
  explicit csv_writer(char delimiter = ',') : special_{delimiter, '"', '\r', '\n'} {}

  /// Appends a field of the current record.
  void field(std::string_view text) {
    const bool first_of_all = text_.empty();
    raw_ = false;
    if (fields_++ > 0) text_ += special_[0];
    if (text.find_first_of(std::string_view(special_, sizeof special_)) == std::string_view::npos &&
        !(first_of_all && begins_with_mark(text))) {
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

  /// Appends a field without adding quotes, such as the bytes that csv_table::field returns.
  void raw_field(std::string_view bytes) {
    raw_ = true;
    if (fields_++ > 0) text_ += special_[0];
    text_ += bytes;
  }

  /// Ends the current record. A single empty field is written as "", since readers may skip empty
  /// lines, unless it is raw. After a raw field that ends with CR the line ends with CR LF, so that
  /// the CR remains a part of the field.
  void end_record() {
    if (!raw_ && fields_ == 1 && (text_.empty() || text_.back() == '\n')) text_ += "\"\"";
    if (text_.ends_with('\r')) text_ += '\r';
    text_ += '\n';
    fields_ = 0;
  }

  /// Appends a record of the texts of a list or of a range.
  template <class Texts = std::initializer_list<std::string_view>>
  void record(const Texts& texts) {
    for (const std::string_view text : texts) field(text);
    end_record();
  }

  /// The text so far.
  const std::string& text() const { return text_; }

 private:
  /// Whether a text begins with a byte order mark or the magic bytes of gzip.
  static bool begins_with_mark(std::string_view text) {
    for (const std::string_view mark : {"\xEF\xBB\xBF", "\xFF\xFE", "\xFE\xFF", "\x1F\x8B"}) {
      if (text.starts_with(mark)) return true;
    }
    return false;
  }

  char special_[4];
  std::string text_;
  std::size_t fields_ = 0;
  bool raw_ = false;  ///< whether the last field is raw
};

}  // namespace evenfold
