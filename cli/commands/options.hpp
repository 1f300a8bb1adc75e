#pragma once
// The command line: commands and their options. Only options.cpp includes the library, CLI11, since
// it adds seconds to the compile time of a file.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace evenfold::cli {

/// The value of an option cannot be used, or does not go with another option. It ends the program
/// with status 2 and a hint at the help.
class option_error : public std::runtime_error {
 public:
  option_error(const std::string& option, const std::string& what);
};

/// Returns an error about the text of an option, or nothing if the text is valid.
using option_check = std::function<std::string(const std::string&)>;

/// Refuses a text that is not a number from `low` to `high`. For int, std::int64_t and double.
template <class T>
option_check within(T low, T high);

/// Replaces the text of a number, or returns an error.
using number_reader = std::string (*)(std::string& text);

/// One option of a command, which owns it. Each function changes one thing and returns the option.
class option_spec {
 public:
  /// If the option takes numbers, `reader` reads the text of one of them and writes it in a form
  /// that the library reads as the same number.
  explicit option_spec(CLI::Option* self, number_reader reader = nullptr);

  option_spec* required();
  /// The name of the value in the help.
  option_spec* type_name(const std::string& name);
  /// Checks are made in the order in which they were added.
  option_spec* check(option_check check);
  /// Shows the present value of the variable, or a text, as the default in the help.
  option_spec* capture_default_str();
  option_spec* default_str(const std::string& text);
  /// The heading under which the help lists it.
  option_spec* group(const std::string& heading);
  option_spec* excludes(const option_spec* other);
  option_spec* excludes(const std::string& other);
  option_spec* needs(const std::string& other);

 private:
  friend class command_spec;

  CLI::Option* self_;
  number_reader reader_;
  /// Whether a text is a list, each item of which is checked.
  bool is_list_ = false;
  std::vector<option_check> checks_;
};

/// Whether a command has operations that run on several ranks.
enum class ranks_of_command { one, several };

/// A command of the program, or the program itself.
class command_spec {
 public:
  /// The program.
  command_spec(const std::string& about, const std::string& name);
  ~command_spec();

  command_spec* add_subcommand(const std::string& name, const std::string& about);
  /// The last one added.
  command_spec* last_subcommand() { return commands_.back().get(); }
  /// The text at the end of the help.
  void footer(const std::string& text);
  void group(const std::string& heading);
  /// The least and the largest number of subcommands.
  void require_subcommand(int least, int most);
  void version(const std::string& text);
  /// Sets the function that runs after the options have been read.
  void callback(std::function<void()> run);
  /// Whether the processes that mpirun has started run the command, each as one rank. By default,
  /// the command refuses to run there.
  void runs_on(ranks_of_command ranks) { ranks_ = ranks; }

  /// An option whose value goes to a variable, which must live as long. For std::string, int,
  /// std::int64_t, std::uint64_t, double and optional numbers of these. Numbers are decimal. The
  /// name of a file is not empty; an option that takes one has the type name FILE, or none.
  template <class T>
  option_spec* add_option(const std::string& name, T& value, const std::string& about);
  /// An option whose text goes to a function, or all texts of one that is repeated.
  option_spec* add_text_option(const std::string& name,
                               std::function<void(const std::string&)> take,
                               const std::string& about);
  option_spec* add_texts_option(const std::string& name,
                                std::function<void(const std::vector<std::string>&)> take,
                                const std::string& about);
  /// An option with several values with commas between them, which may be repeated for more. For
  /// std::string and double. A value may be empty only if the checks of the option accept it.
  template <class T>
  option_spec* add_list_option(const std::string& name, std::vector<T>& values,
                               const std::string& about);
  option_spec* add_flag(const std::string& name, bool& value, const std::string& about);
  /// A flag that calls a function.
  option_spec* add_action(const std::string& name, std::function<void()> act,
                          const std::string& about);

  /// Removes an option that a group of commands shares and this command does not need.
  void remove_option(const std::string& name);

  /// Reads the command line and runs the command that it names. Returns the text of the help or
  /// the version, where that was asked for.
  ///
  /// Errors: misuse; what the command throws.
  std::string run(int argc, char** argv);

 private:
  explicit command_spec(CLI::App* self);
  option_spec* keep(CLI::Option* added, number_reader reader = nullptr);
  /// The commands of the program that several processes can run, with commas between them.
  std::string commands_on_ranks() const;

  /// The command that this is a subcommand of; null for the program.
  const command_spec* parent_ = nullptr;
  std::unique_ptr<CLI::App> owned_;
  CLI::App* self_;
  ranks_of_command ranks_ = ranks_of_command::one;
  std::vector<std::unique_ptr<command_spec>> commands_;
  std::vector<std::unique_ptr<option_spec>> options_;
};

/// A command line that cannot be understood, or an option_error, with a hint at the help.
class misuse : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace evenfold::cli
