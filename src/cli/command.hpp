// What a command of the program is: its name, what it takes, and what it does. One file a command:
//
//   namespace {
//   ExitCode run(const Parsed& parsed) { ... }
//   const Registration registration({"check", "says all that is wrong with a file",
//                                    Arguments().positional("FILE", "environments", Count::one_or_more), run});
//   }  // namespace
//
// Laws
// 1. A command file registers its command at program start and is mentioned nowhere else.
// 2. Every command has `--json` (one object, or a line an item, on standard output) and `--help`; talk goes to standard error.
// 3. `run` sees only arguments that were declared, present where they are required, and numbers that are finite.
// 4. Only main.cpp knows the library that parses the command line.
// Thread-safety: registration happens before main; afterwards everything is read-only.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace throng::cli {

enum class ExitCode {
  done = 0,
  refused = 1,        ///< the input is wrong, or an output cannot be written; what and where was said
  misuse = 2,         ///< the command line is wrong
  fault = 3,          ///< an internal fault
  interrupted = 130,  ///< Ctrl-C (SIGINT) ended it early: what shells use, 128 and the signal's number
  terminated = 143,   ///< SIGTERM did: a scheduler's time limit, a machine that goes down
};

enum class Count { one, optional, one_or_more };
enum class Type { text, number, whole_number };

/// One positional, option or flag.
struct Argument {
  std::string
      names;  ///< "FILE" for a positional, "--grid" or "-o,--output" for an option; the last is the one asked for
  std::string value;  ///< what stands for an option's value in the help: "UNIT"; empty for flags and positionals
  std::string help;
  Count count = Count::optional;
  Type type = Type::text;
  bool positional = false;
  int values = 1;                    ///< an option takes as many words
  std::vector<std::string> choices;  ///< where not empty, the only values allowed
  std::string group = {};            ///< the heading it stands under in the help; empty: the usual one

  [[nodiscard]] bool is_flag() const { return !positional && value.empty(); }
  /// The name `Parsed` knows it by: "FILE", "grid", "output".
  [[nodiscard]] std::string key() const;
};

/// Declares what a command takes, in the order the help shows it.
class Arguments {
 public:
  Arguments& positional(std::string name, std::string help, Count count = Count::one);
  Arguments& option(std::string names, std::string value, std::string help, Type type = Type::text);
  Arguments& choice(std::string names, std::string value, std::string help, std::vector<std::string> choices);
  /// An option of two words: "--snapshot T FILE".
  Arguments& pair(std::string names, std::string values, std::string help);
  /// May be given several times: `list()` has them in order.
  Arguments& repeated(std::string names, std::string value, std::string help);
  Arguments& flag(std::string names, std::string help);
  /// What is declared from here on stands under this heading in the help.
  Arguments& group(std::string heading);
  /// A spelling of the past: refused, with the one of today.
  Arguments& renamed(std::string before, std::string now);

  [[nodiscard]] const std::vector<Argument>& list() const { return list_; }
  /// The new spelling of "--from", or nothing where it never was one.
  [[nodiscard]] std::string new_name_of(const std::string& name) const;

 private:
  void add(Argument argument);

  std::vector<Argument> list_;
  std::string group_;
  std::map<std::string, std::string> renamed_;
};

/// What the user gave. Asking for a name that was not declared is a fault of the command.
class Parsed {
 public:
  explicit Parsed(std::map<std::string, std::vector<std::string>> values) : values_(std::move(values)) {}

  [[nodiscard]] bool json() const { return flag("json"); }
  [[nodiscard]] bool flag(const std::string& key) const { return given(key); }
  /// Whether it was declared at all.
  [[nodiscard]] bool has(const std::string& key) const { return values_.count(key) > 0; }
  [[nodiscard]] bool given(const std::string& key) const { return !list(key).empty(); }
  /// The value, or an empty text where it was not given.
  [[nodiscard]] std::string text(const std::string& key) const {
    return given(key) ? list(key).front() : std::string();
  }
  [[nodiscard]] std::optional<double> number(const std::string& key) const;
  [[nodiscard]] std::optional<long long> whole_number(const std::string& key) const;
  [[nodiscard]] const std::vector<std::string>& list(const std::string& key) const { return values_.at(key); }

 private:
  std::map<std::string, std::vector<std::string>> values_;
};

/// What commands are for: the headings of `throng --help`, in this order.
enum class Use { start, worlds, recordings, research, more };
inline constexpr const char* use_names[] = {"To start with", "Worlds", "Recordings", "Research", "More"};

struct Command {
  std::string name;
  std::string summary;
  Use use = Use::more;
  Arguments arguments;
  ExitCode (*run)(const Parsed&) = nullptr;
  std::string details = {};  ///< more for `--help`, below the options
};

/// Adds a command to the program.
class Registration {
 public:
  explicit Registration(Command command);
};

/// Every registered command, by name.
[[nodiscard]] const std::map<std::string, Command>& commands();

/// A whole text as a number of the given type; nothing where it is not one, or not finite.
[[nodiscard]] bool is_number(const std::string& text, Type type);

}  // namespace throng::cli
