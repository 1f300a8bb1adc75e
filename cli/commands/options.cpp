#include "cli/commands/options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <limits>
#include <new>
#include <sstream>
#include <type_traits>
#include <utility>
#include <vector>

#include "cli/process.hpp"
#include "evenfold/io/text/name_list.hpp"
#include "evenfold/io/text/number_text.hpp"

namespace evenfold::cli {

option_error::option_error(const std::string& option, const std::string& what)
    : std::runtime_error(option + ": " + what) {}

template <class T>
option_check within(T low, T high) {
  return [low, high](const std::string& text) {
    T value{};
    if (parse_number(text, value) == std::errc{} && low <= value && value <= high) {
      return std::string();
    }
    return fmt::format("'{}' is not valid, expected {} {}", text,
                       std::is_integral_v<T> ? "an integer" : "a number",
                       high == std::numeric_limits<T>::max()
                           ? fmt::format("of at least {}", low)
                           : fmt::format("from {} to {}", low, high));
  };
}
template option_check within(int, int);
template option_check within(std::int64_t, std::int64_t);
template option_check within(double, double);

namespace {

/// The type of the numbers that an option takes; void if it takes none.
template <class T>
struct number_in {
  using type = std::conditional_t<std::is_arithmetic_v<T>, T, void>;
};
template <class T>
struct number_in<std::optional<T>> : number_in<T> {};

/// CLI11 takes 010 for 8, and rounds what its type cannot represent; so it only gets decimal
/// integers, and hexadecimal fractions, from here.
template <class T>
std::string read_number_option(std::string& text) {
  T value{};
  if (parse_number(text, value) != std::errc{}) {
    return fmt::format("'{}' is not valid, expected {}", text,
                       std::is_floating_point_v<T>
                           ? std::string("a number")
                           : fmt::format("an integer from {} to {}", std::numeric_limits<T>::min(),
                                         std::numeric_limits<T>::max()));
  }
  if constexpr (std::is_floating_point_v<T>) {
    text = fmt::format("{:a}", value);
  } else {
    text = fmt::format("{}", value);
  }
  return {};
}

/// The texts between commas, without blanks around them.
std::vector<std::string> items_in(std::string_view list) {
  std::vector<std::string> items;
  for (;;) {
    const std::size_t comma = list.find(',');
    items.emplace_back(trimmed(list.substr(0, comma)));
    if (comma == list.npos) return items;
    list.remove_prefix(comma + 1);
  }
}

}  // namespace

option_spec::option_spec(CLI::Option* self, number_reader reader) : self_(self), reader_(reader) {
  // First in the list of validators, and the only one that may change the text.
  self_->transform(CLI::Validator(
      [this](std::string& text) {
        for (const std::string& value : is_list_ ? items_in(text) : std::vector{text}) {
          for (const option_check& check : checks_) {
            if (std::string wrong = check(value); !wrong.empty()) return wrong;
          }
        }
        return reader_ != nullptr ? reader_(text) : std::string();
      },
      ""));
}

option_spec* option_spec::required() {
  self_->required();
  return this;
}
option_spec* option_spec::type_name(const std::string& name) {
  self_->type_name(name);
  return this;
}
option_spec* option_spec::check(option_check check) {
  checks_.push_back(std::move(check));
  return this;
}
option_spec* option_spec::capture_default_str() {
  self_->capture_default_str();
  return this;
}
option_spec* option_spec::default_str(const std::string& text) {
  self_->default_str(text);
  return this;
}
option_spec* option_spec::group(const std::string& heading) {
  self_->group(heading);
  return this;
}
option_spec* option_spec::excludes(const option_spec* other) {
  self_->excludes(other->self_);
  return this;
}
option_spec* option_spec::excludes(const std::string& other) {
  self_->excludes(other);
  return this;
}
option_spec* option_spec::needs(const std::string& other) {
  self_->needs(other);
  return this;
}

command_spec::command_spec(const std::string& about, const std::string& name)
    : owned_(std::make_unique<CLI::App>(about, name)), self_(owned_.get()) {
  self_->set_help_flag("-h,--help", "Print this help and exit");
}
command_spec::command_spec(CLI::App* self) : self_(self) {}
command_spec::~command_spec() = default;

command_spec* command_spec::add_subcommand(const std::string& name, const std::string& about) {
  commands_.push_back(
      std::unique_ptr<command_spec>(new command_spec(self_->add_subcommand(name, about))));
  commands_.back()->parent_ = this;
  return commands_.back().get();
}
void command_spec::footer(const std::string& text) { self_->footer(text); }
void command_spec::group(const std::string& heading) { self_->group(heading); }
void command_spec::require_subcommand(int least, int most) {
  self_->require_subcommand(static_cast<std::size_t>(least), static_cast<std::size_t>(most));
}
void command_spec::version(const std::string& text) {
  self_->set_version_flag("--version", text, "Print the version and exit");
}
void command_spec::callback(std::function<void()> run) {
  self_->callback([this, run = std::move(run)] {
    if (ranks_ == ranks_of_command::one && processes() != nullptr) {
      throw misuse(
          fmt::format("{}: this command runs in one process, but {} have been started; run it "
                      "without mpirun and EVENFOLD_MEET. The commands that run in several are {}",
                      self_->get_name(), processes()->size(), commands_on_ranks()));
    }
    run();
  });
}

std::string command_spec::commands_on_ranks() const {
  if (parent_ != nullptr) return parent_->commands_on_ranks();
  std::vector<std::string> names;
  for (const auto& command : commands_) {
    if (command->ranks_ == ranks_of_command::several) names.push_back(command->self_->get_name());
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

option_spec* command_spec::keep(CLI::Option* added, number_reader reader) {
  options_.push_back(std::make_unique<option_spec>(added, reader));
  return options_.back().get();
}

template <class T>
option_spec* command_spec::add_option(const std::string& name, T& value, const std::string& about) {
  CLI::Option* const added = self_->add_option(name, value, about);
  if constexpr (std::is_same_v<T, std::string>) {
    // An empty file name is usually the value of a shell variable that is not set.
    const auto lacks_file = [added](const std::string& text) {
      const std::string type = added->get_type_name();
      return text.empty() && (type.empty() || type == "FILE")
                 ? std::string("its value is empty, expected the name of a file")
                 : std::string();
    };
    return keep(added)->check(lacks_file);
  } else {
    using number = typename number_in<T>::type;
    if constexpr (std::is_void_v<number>) {
      return keep(added);
    } else {
      return keep(added, read_number_option<number>);
    }
  }
}
template option_spec* command_spec::add_option(const std::string&, std::string&,
                                               const std::string&);
template option_spec* command_spec::add_option(const std::string&, int&, const std::string&);
template option_spec* command_spec::add_option(const std::string&, std::int64_t&,
                                               const std::string&);
template option_spec* command_spec::add_option(const std::string&, std::uint64_t&,
                                               const std::string&);
template option_spec* command_spec::add_option(const std::string&, double&, const std::string&);
template option_spec* command_spec::add_option(const std::string&, std::optional<std::int64_t>&,
                                               const std::string&);
template option_spec* command_spec::add_option(const std::string&, std::optional<double>&,
                                               const std::string&);

option_spec* command_spec::add_text_option(const std::string& name,
                                           std::function<void(const std::string&)> take,
                                           const std::string& about) {
  return keep(self_->add_option_function<std::string>(name, std::move(take), about));
}
option_spec* command_spec::add_texts_option(
    const std::string& name, std::function<void(const std::vector<std::string>&)> take,
    const std::string& about) {
  CLI::Option* const added =
      self_->add_option_function<std::vector<std::string>>(name, std::move(take), about);
  // One text each time: the arguments behind it are those of the command.
  added->allow_extra_args(false);
  return keep(added);
}
template <class T>
option_spec* command_spec::add_list_option(const std::string& name, std::vector<T>& values,
                                           const std::string& about) {
  // The library would split the texts, too, but it leaves out empty items.
  option_spec* const added = add_texts_option(
      name,
      [&values](const std::vector<std::string>& texts) {
        values.clear();
        for (const std::string& text : texts) {
          for (const std::string& item : items_in(text)) {
            if constexpr (std::is_same_v<T, std::string>) {
              values.push_back(item);
            } else {
              parse_number(item, values.emplace_back());
            }
          }
        }
      },
      about);
  added->is_list_ = true;
  if constexpr (std::is_same_v<T, double>) {
    added->check([](const std::string& item) {
      double value = 0;
      return parse_number(item, value) == std::errc{}
                 ? std::string()
                 : fmt::format("'{}' is not valid, expected numbers with commas between them",
                               item);
    });
  }
  return added;
}
template option_spec* command_spec::add_list_option(const std::string&, std::vector<std::string>&,
                                                    const std::string&);
template option_spec* command_spec::add_list_option(const std::string&, std::vector<double>&,
                                                    const std::string&);

option_spec* command_spec::add_flag(const std::string& name, bool& value,
                                    const std::string& about) {
  return keep(self_->add_flag(name, value, about));
}

option_spec* command_spec::add_action(const std::string& name, std::function<void()> act,
                                      const std::string& about) {
  return keep(self_->add_flag_callback(name, std::move(act), about));
}

void command_spec::remove_option(const std::string& name) {
  self_->remove_option(self_->get_option(name));
}

namespace {

/// A hint at the help of the command, or of the program if no command was named.
std::string see_help(const CLI::App& program) {
  std::string path = program.get_name();
  const CLI::App* named = &program;
  while (!named->get_subcommands().empty()) {
    named = named->get_subcommands().front();
    path += " " + named->get_name();
  }
  return " (see " + path + " --help)";
}

/// The names of the commands that a command has, or the program.
std::vector<std::string> names_of_commands(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::App* each : command.get_subcommands({})) names.push_back(each->get_name());
  return names;
}

/// What is wrong with a command line that names a command or an option that there is not, lacks the
/// second word of a command, or has an argument too many; empty if it does not.
std::string unknown_name(const CLI::App& program, const char* first) {
  const auto is_option = [](const std::string& text) {
    return text.size() > 1 && text.starts_with("-");
  };
  const std::vector<std::string> left = program.remaining(true);
  const auto end_of_options = std::find(left.begin(), left.end(), "--");
  if (end_of_options != left.end()) {
    // What follows are arguments, even if they begin like options.
    const auto extra = end_of_options + 1;
    return extra == left.end() ? std::string()
                               : fmt::format("the argument '{}' is one too many", *extra);
  }
  const CLI::App* named = &program;
  if (!named->get_subcommands().empty()) {
    named = named->get_subcommands().front();
  } else if (first != nullptr && !is_option(first)) {
    return fmt::format("there is no command '{}'{}", first,
                       detail::suggestion(names_of_commands(program), first));
  }
  const std::vector<std::string> names = names_of_commands(*named);
  if (!named->get_subcommands().empty()) {
    named = named->get_subcommands().front();
  } else if (named != &program && !names.empty()) {
    const std::string& command = named->get_name();
    if (left.empty()) {
      return fmt::format("{}: a second word is required, expected one of {}", command,
                         fmt::join(names, ", "));
    }
    if (!is_option(left.front())) {
      return fmt::format("there is no command '{} {}'{}", command, left.front(),
                         detail::suggestion(names, left.front()));
    }
  }
  if (left.empty()) return {};
  const auto unknown = std::find_if(left.begin(), left.end(), is_option);
  if (unknown == left.end()) {
    return fmt::format("the argument '{}' is one too many", left.front());
  }
  const std::string option = unknown->substr(0, unknown->find('='));
  std::vector<std::string> options;
  for (const CLI::Option* each : named->get_options()) {
    for (const std::string& name : each->get_lnames()) options.push_back("--" + name);
  }
  if (std::find(options.begin(), options.end(), option) != options.end()) {
    return fmt::format("{}: it stands before the command, expected after '{}'", option,
                       named->get_name());
  }
  return fmt::format("there is no option '{}'{}", option, detail::suggestion(options, option));
}

/// The message of CLI11, in the words of other errors where an option has no value, has two, or
/// does not go with another one.
std::string message_of(const CLI::ParseError& wrong) {
  const std::string what = wrong.what();
  const std::size_t colon = what.find(": ");
  const std::string_view name = std::string_view(what).substr(0, std::min(colon, what.size()));
  const auto between = [&](std::string_view begin, std::string_view end) -> std::string_view {
    const std::size_t at = what.find(begin);
    if (at == what.npos || !what.ends_with(end)) return {};
    const std::size_t from = at + begin.size();
    return std::string_view(what).substr(from, what.size() - end.size() - from);
  };
  if (const auto type = between(": 1 required ", " missing"); !type.empty()) {
    return fmt::format("{}: its value is missing, expected {}", name, type);
  }
  if (const auto count = between(": At Most 1 required but received ", ""); !count.empty()) {
    return fmt::format("{}: it is given {} times, expected once", name, count);
  }
  if (const auto other = between(" excludes ", ""); !other.empty()) {
    return fmt::format("{} cannot be used together with {}", what.substr(0, what.find(' ')), other);
  }
  return what;
}

}  // namespace

std::string command_spec::run(int argc, char** argv) {
  try {
    self_->parse(argc, argv);
  } catch (const option_error& wrong) {
    throw misuse(wrong.what() + see_help(*self_));
  } catch (const CLI::ParseError& stop) {
    if (stop.get_exit_code() != static_cast<int>(CLI::ExitCodes::Success)) {
      const std::string unknown = unknown_name(*self_, argc > 1 ? argv[1] : nullptr);
      throw misuse((unknown.empty() ? message_of(stop) : unknown) + see_help(*self_));
    }
    // If memory is exhausted, the streams that make the text end it early and report nothing.
    static bool exhausted = false;
    std::set_new_handler([] {
      exhausted = true;
      throw std::bad_alloc();
    });
    std::ostringstream text;
    self_->exit(stop, text, text);
    if (exhausted) throw std::bad_alloc();
    return text.str();
  }
  // Reported here, in better words than the parser's. Not by self_->get_subcommands(), which
  // allocates: the outputs of a command that has run are in place, so that nothing may fail any
  // more.
  const auto has_run = [](const auto& command) { return command->self_->parsed(); };
  if (std::none_of(commands_.begin(), commands_.end(), has_run)) {
    throw misuse("a command is required" + see_help(*self_));
  }
  return {};
}

}  // namespace evenfold::cli
