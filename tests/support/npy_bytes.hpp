#pragma once
// The bytes of .npy files with any header.

#include <string>

namespace evenfold::testing {

/// A file of version 1.0 with exactly this dict, followed by these bytes.
inline std::string npy(const std::string& dict, const std::string& data = "") {
  return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(dict.size() & 0xFF) +
         static_cast<char>(dict.size() >> 8) + dict + data;
}

inline std::string dict_of(const std::string& descr, const std::string& shape,
                           const std::string& fortran = "False") {
  return "{'descr': '" + descr + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }\n";
}

}  // namespace evenfold::testing
