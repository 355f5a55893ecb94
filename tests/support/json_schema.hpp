// JSON Schema, judged by a program that is not ours: Python's jsonschema (Debian's python3-jsonschema).
#pragma once

#include <cstdio>
#include <string>

namespace throng::test {

/// A schema, and a Python process beside the test that holds documents against it.
class SchemaValidator {
 public:
  /// Throws where the schema is none, or python3-jsonschema is not installed.
  explicit SchemaValidator(const std::string& schema);
  ~SchemaValidator();
  SchemaValidator(const SchemaValidator&) = delete;
  SchemaValidator& operator=(const SchemaValidator&) = delete;

  /// Whether the text is JSON (comments allowed) and fits.
  bool operator()(const std::string& text) const;

 private:
  [[nodiscard]] std::string ask(const std::string& line) const;

  std::FILE* to_ = nullptr;
  std::FILE* from_ = nullptr;
  int child_ = 0;
};

}  // namespace throng::test
