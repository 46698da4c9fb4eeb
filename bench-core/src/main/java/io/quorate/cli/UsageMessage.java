package io.quorate.cli;

import io.quorate.Spelling;
import io.quorate.VisibleText;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.MutuallyExclusiveArgsException;
import picocli.CommandLine.OverwrittenOptionException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Explains in plain English what is wrong with a command line. */
final class UsageMessage {
  private static final String DASHES = "[-\u2010-\u2015\u2212]";

  private final CommandSpec command;
  private final List<String> arguments;

  private UsageMessage(CommandSpec command, List<String> arguments) {
    this.command = command;
    this.arguments = arguments;
  }

  /**
   * Returns a message of one line or more.
   *
   * @param arguments the command line as it was given
   */
  static String of(ParameterException wrong, String... arguments) {
    CommandSpec command = wrong.getCommandLine().getCommandSpec();
    return new UsageMessage(command, List.of(arguments)).text(wrong);
  }

  private String text(ParameterException wrong) {
    if (wrong instanceof UnmatchedArgumentException unmatched) {
      return unmatched(unmatched.getUnmatched());
    }
    if (wrong instanceof OverwrittenOptionException twice) {
      return name(twice.getOverwritten()) + ": found twice, expected once";
    }
    if (wrong instanceof MissingParameterException missing
        && missing.getMissing().stream().allMatch(each -> each.group() == null || isGiven(each))) {
      return missing.getMissing().stream().map(this::missing).collect(Collectors.joining("\n"));
    }
    if (wrong instanceof MissingParameterException
        || wrong instanceof MutuallyExclusiveArgsException) {
      return "expected " + synopsis();
    }
    return wrong.getArgSpec() == null ? wrong.getMessage() : invalid(wrong);
  }

  /** Describes unknown options; if there are none, excess arguments. */
  private String unmatched(List<String> unmatched) {
    List<String> problems = new ArrayList<>();
    for (String each : unmatched) {
      if (each.matches("(?s)" + DASHES + ".+")) {
        problems.add(unknownOption(each));
      }
    }
    if (problems.isEmpty()) {
      // a dash that an editor made of two is taken for the first argument
      arguments.stream()
          .filter(
              each -> each.matches("(?s)[^-\\p{ASCII}].*") && each.matches("(?s)" + DASHES + ".+"))
          .forEach(each -> problems.add(unknownOption(each)));
    }
    return problems.isEmpty() ? unexpected(unmatched.get(0)) : String.join("\n", problems);
  }

  private String unknownOption(String text) {
    // what stands behind the equals sign may be a password
    String name = text.split("=", 2)[0];
    List<String> names =
        command.options().stream()
            .filter(option -> !option.hidden())
            .flatMap(option -> Arrays.stream(option.names()))
            .toList();
    return "%s: '%s' has no such option%s"
        .formatted(VisibleText.of(name, 60), command.qualifiedName(), Spelling.hint(names, name));
  }

  private String unexpected(String text) {
    List<String> commands = List.copyOf(command.subcommands().keySet());
    String found = "found " + VisibleText.quoted(text);
    if (!commands.isEmpty()) {
      String kind = command.parent() == null ? "a command" : "a command of " + command.name();
      return "%s, expected %s: %s%s"
          .formatted(found, kind, String.join(", ", commands), Spelling.hint(commands, text));
    }
    if (command.positionalParameters().isEmpty()) {
      return found + ", but '" + command.qualifiedName() + "' takes options only";
    }
    return found + " after all that '" + command.qualifiedName() + "' takes: " + synopsis();
  }

  private String missing(ArgSpec argument) {
    return isGiven(argument)
        ? name(argument) + ": found no value, expected " + argument.paramLabel()
        : "missing: " + (argument.isOption() ? name(argument) + " " : "") + argument.paramLabel();
  }

  private boolean isGiven(ArgSpec argument) {
    return argument instanceof OptionSpec option
        && option.arity().min() > 0
        && arguments.stream().anyMatch(Arrays.asList(option.names())::contains);
  }

  private String invalid(ParameterException wrong) {
    ArgSpec argument = wrong.getArgSpec();
    String found = wrong.getValue() == null ? "" : wrong.getValue();
    return name(argument)
        + ": "
        + expected(argument, found)
            .map(expected -> "found " + VisibleText.quoted(found) + ", expected " + expected)
            // our own converters say it themselves
            .orElseGet(() -> wrong.getMessage().replaceFirst("(?s)^Invalid value for [^:]*: ", ""));
  }

  private static Optional<String> expected(ArgSpec argument, String found) {
    Class<?> type = Arrays.stream(argument.auxiliaryTypes()).findFirst().orElse(argument.type());
    if (argument.converters().length > 0) {
      return Optional.empty();
    }
    if (type == boolean.class || type == Boolean.class) {
      return Optional.of("no value: the option is there or not");
    }
    if (type == int.class || type == Integer.class || type == long.class || type == Long.class) {
      return Optional.of("a whole number");
    }
    if (type == Path.class) {
      return Optional.of("a path; " + UnmappablePath.REMEDY);
    }
    if (type.isEnum()) {
      List<String> names =
          Arrays.stream(type.getEnumConstants())
              .map(each -> each.toString().toLowerCase(Locale.ROOT))
              .toList();
      return Optional.of("one of " + String.join(", ", names) + Spelling.hint(names, found));
    }
    return Optional.of(argument.paramLabel());
  }

  private static String name(ArgSpec argument) {
    return argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel();
  }

  /** Returns the command with its parameters, as in its help. */
  private String synopsis() {
    CommandLine.Help help =
        new CommandLine.Help(
            command, CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF));
    return help.synopsis(0).strip().replaceAll("\\s+", " ");
  }
}
