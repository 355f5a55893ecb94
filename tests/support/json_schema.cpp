#include "support/json_schema.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

namespace throng::test {
namespace {

// A line in, a line out: first the schema, then documents. Debian's own python3 has Debian's packages, another one on the PATH has not.
constexpr const char* program = R"(
import json, sys
import jsonschema
kind = None
for line in sys.stdin:
    document = json.loads(line)
    if kind is None:
        jsonschema.Draft7Validator.check_schema(document)
        kind = jsonschema.validators.validator_for(document, default=jsonschema.Draft7Validator)(document)
        print('ready', flush=True)
    else:
        print('yes' if kind.is_valid(document) else 'no', flush=True)
)";

}  // namespace

SchemaValidator::SchemaValidator(const std::string& schema) {
  int in[2], out[2];
  if (pipe(in) != 0 || pipe(out) != 0) throw std::runtime_error("no pipes for a JSON Schema validator");
  child_ = fork();
  if (child_ == 0) {
    dup2(in[0], STDIN_FILENO), dup2(out[1], STDOUT_FILENO);
    for (const int end : {in[0], in[1], out[0], out[1]}) close(end);
    // By its whole name: it looks for its packages beside the first of that name on the PATH.
    execl("/usr/bin/python3", "/usr/bin/python3", "-c", program, nullptr);
    _exit(127);
  }
  close(in[0]), close(out[1]);
  to_ = fdopen(in[1], "w"), from_ = fdopen(out[0], "r");
  if (ask(nlohmann::json::parse(schema).dump()) != "ready")
    throw std::runtime_error("the schema is none, or python3-jsonschema is not installed (`make test` installs it)");
}

SchemaValidator::~SchemaValidator() {
  std::fclose(to_), std::fclose(from_);
  waitpid(child_, nullptr, 0);
}

bool SchemaValidator::operator()(const std::string& text) const {
  const auto document = nlohmann::json::parse(text, nullptr, false, true);
  if (document.is_discarded()) return false;
  const std::string answer = ask(document.dump());
  if (answer != "yes" && answer != "no") throw std::runtime_error("the JSON Schema validator ended");
  return answer == "yes";
}

std::string SchemaValidator::ask(const std::string& line) const {
  std::fputs((line + "\n").c_str(), to_);
  std::fflush(to_);
  std::string answer;
  for (int c = std::fgetc(from_); c != EOF && c != '\n'; c = std::fgetc(from_)) answer += char(c);
  return answer;
}

}  // namespace throng::test
