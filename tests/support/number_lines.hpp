#pragma once
// Files with lines of numbers, the form of published answers.

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace evenfold::testing {

/// The numbers of each line that has any.
template <class T>
std::vector<std::vector<T>> number_lines(const std::string& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  std::vector<std::vector<T>> lines;
  for (std::string text; std::getline(file, text);) {
    std::istringstream line(text);
    std::vector<T> numbers;
    for (T number{}; line >> number;) numbers.push_back(number);
    if (!numbers.empty()) lines.push_back(numbers);
  }
  return lines;
}

}  // namespace evenfold::testing
