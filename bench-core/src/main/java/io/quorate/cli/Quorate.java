// SPDX-License-Identifier: Apache-2.0
package io.quorate.cli;

import io.quorate.QuorateException;
import io.quorate.Spelling;
import io.quorate.VisibleText;
import io.quorate.format.ConsoleText;
import io.quorate.format.NumberFormats;
import io.quorate.install.Installation;
import io.quorate.install.TemporaryDirectory;
import io.quorate.results.manifest.BuildInfo;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The {@code ./quorate} command line: its own subcommands and the subcommands of other modules. */
@Command(
    name = "quorate",
    description = "Benchmarks quorum-based key-value stores and runs their servers.",
    versionProvider = Quorate.BuildVersion.class,
    mixinStandardHelpOptions = true,
    scope = ScopeType.INHERIT,
    synopsisSubcommandLabel = "COMMAND")
public final class Quorate extends QuorateCommand implements Runnable {
  /** Exit code of a failure that the user can resolve; the message says how. */
  public static final int FAILED = 1;

  /** Exit code of an invalid command line. */
  public static final int USAGE = 2;

  /** Exit code if a threshold, a rule of a gate or the goal of a search was not kept. */
  public static final int LIMIT_BROKEN = 3;

  /** Exit code if the results do not decide whether it was kept. */
  public static final int UNDECIDED = 4;

  /** Exit code of an internal error. */
  public static final int DEFECT = 70;

  /**
   * System property with which the processes of a run show the stack traces of their errors, as
   * asked for on the command line.
   */
  public static final String STACKTRACE = "quorate.stacktrace";

  /** System property with which the processes of a run print details of the load generator. */
  public static final String VERBOSE = "quorate.verbose";

  /** Name of the program in all texts, which is right in a checkout. */
  private static final String NAME = "./quorate";

  /** Message of picocli for a command that only groups others. */
  private static final String MISSING_COMMAND = "Missing required subcommand";

  /** Key of the section of a help text between its examples and its options. */
  private static final String BLANK_LINE = "blankLine";

  private static final String UNKNOWN_COMMAND = "Unknown command: ";

  private static final String NOT_A_PATH =
      "not a path in the encoding of this system; for names beyond ASCII, set LC_ALL=C.UTF-8";

  private static final String[] EXAMPLES = {
    "  ./quorate databases                    what can be run here",
    "  ./quorate install etcd                 get a server",
    "  ./quorate cluster up etcd --members 3  start a cluster that stays",
    "  ./quorate cluster down etcd",
    "  ./quorate run quick                    run a first benchmark",
    "",
    "'quorate COMMAND --help' describes a command."
  };

  @Option(
      names = "--stacktrace",
      scope = ScopeType.INHERIT,
      description = "Show the stack trace of an error, as QUORATE_DEBUG=1 does.")
  private boolean stacktrace;

  @Option(
      names = "--verbose",
      scope = ScopeType.INHERIT,
      description = "Also print details of the load generator, which a run writes to its logs.")
  private boolean verbose;

  private Quorate() {}

  public static void main(String... arguments) {
    System.exit(run(arguments));
  }

  /**
   * Runs a command, with output to the standard streams, and returns its exit code, which is not 0
   * if the output cannot be written.
   */
  public static int run(String... arguments) {
    // numbers in messages look the same everywhere
    Locale.setDefault(Locale.Category.FORMAT, Locale.ROOT);
    TemporaryDirectory.removeAbandoned();
    int exitCode =
        run(
            writer(System.out, false),
            writer(System.err, Integer.getInteger("quorate.columns", 0) > 0),
            Installation.of(System.getenv(), System.getProperties()),
            arguments);
    if (System.out.checkError()) {
      System.err.println(
          "quorate: the output cannot be written: is its disk full, or its reader gone?");
      return FAILED;
    }
    return exitCode;
  }

  /** Returns a text in whose commands the program has the name by which it was called. */
  public static String named(String text) {
    return text.replace(NAME + " ", System.getProperty("quorate.command", NAME) + " ");
  }

  /**
   * Returns a writer with these names.
   *
   * @param wraps whether long lines break at blanks, for people only
   */
  private static PrintWriter writer(PrintStream stream, boolean wraps) {
    return new PrintWriter(stream, true, Charset.defaultCharset()) {
      @Override
      public void println(String text) {
        super.println(
            wraps
                ? text.lines()
                    .flatMap(line -> ConsoleText.wrapped(line).stream())
                    .collect(Collectors.joining(System.lineSeparator()))
                : text);
      }

      @Override
      public void write(String text, int offset, int length) {
        String named = named(text.substring(offset, offset + length));
        super.write(named, 0, named.length());
      }
    };
  }

  static int run(PrintWriter out, PrintWriter err, Installation installation, String... arguments) {
    return run(out, err, installation, ServiceLoader.load(CommandProvider.class), arguments);
  }

  /** Runs a command of these providers, or one of this module, and returns its exit code. */
  public static int run(
      PrintWriter out,
      PrintWriter err,
      Installation installation,
      Iterable<CommandProvider> providers,
      String... arguments) {
    Quorate quorate = new Quorate();
    return commandLine(quorate, installation, providers)
        .setOut(out)
        .setErr(err)
        .setColorScheme(
            CommandLine.Help.defaultColorScheme(
                Boolean.getBoolean("quorate.terminal") ? Ansi.AUTO : Ansi.OFF))
        .registerConverter(int.class, Quorate::wholeNumber)
        .registerConverter(Integer.class, Quorate::wholeNumber)
        .registerConverter(Path.class, Quorate::path)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setAllowSubcommandsAsOptionParameters(true)
        // a value that begins with @ is a text, not the name of an argument file
        .setExpandAtFiles(false)
        .setParameterExceptionHandler(Quorate::wrongUsage)
        .setExecutionStrategy(quorate::execute)
        .setExecutionExceptionHandler(
            (failure, command, parsed) -> failed(failure, command, installation.environment()))
        .execute(arguments);
  }

  static CommandLine commandLine(Installation installation) {
    return commandLine(new Quorate(), installation, ServiceLoader.load(CommandProvider.class));
  }

  private static CommandLine commandLine(
      Quorate quorate, Installation installation, Iterable<CommandProvider> providers) {
    CommandLine commandLine =
        new CommandLine(quorate)
            .addSubcommand(new InstallCommand(installation))
            .addSubcommand(new DatabasesCommand(installation))
            .addSubcommand(ClusterCommand.commandLine(installation))
            .addSubcommand(AgentCommand.commandLine(installation))
            .addSubcommand(new CompletionCommand());
    for (CommandProvider provider : providers) {
      provider.commands().forEach(commandLine::addSubcommand);
    }
    // only now, since subcommands that have none would take it over
    commandLine.getCommandSpec().usageMessage().footerHeading("%nExamples:%n").footer(EXAMPLES);
    showExamplesFirst(commandLine);
    return commandLine;
  }

  /** Moves the examples of a command, and of those below it, before its parameters and options. */
  private static void showExamplesFirst(CommandLine command) {
    UsageMessageSpec help = command.getCommandSpec().usageMessage();
    List<String> keys = new ArrayList<>(help.sectionKeys());
    List<String> examples =
        List.of(
            UsageMessageSpec.SECTION_KEY_FOOTER_HEADING,
            UsageMessageSpec.SECTION_KEY_FOOTER,
            BLANK_LINE);
    keys.removeAll(examples);
    keys.addAll(keys.indexOf(UsageMessageSpec.SECTION_KEY_PARAMETER_LIST_HEADING), examples);
    help.sectionKeys(keys);
    help.sectionMap()
        .put(BLANK_LINE, any -> help.footer().length == 0 ? "" : System.lineSeparator());
    command.getSubcommands().values().forEach(Quorate::showExamplesFirst);
  }

  @Override
  public void run() {
    spec().commandLine().usage(out());
  }

  /**
   * Parses a whole number of ASCII digits; Java would also take digits of other scripts, and a plus
   * sign.
   */
  private static Integer wholeNumber(String text) {
    if (!text.matches("-?[0-9]{1,9}")) {
      throw new TypeConversionException(
          "found " + VisibleText.quoted(text) + ", expected a whole number");
    }
    return Integer.valueOf(text);
  }

  private static int wrongUsage(ParameterException wrong, String... arguments) {
    CommandLine command = wrong.getCommandLine();
    PrintWriter err = command.getErr();
    String message = message(wrong);
    err.println(VisibleText.lines(message));
    if (MISSING_COMMAND.equals(wrong.getMessage())) {
      command.usage(err);
    } else {
      if (!message.startsWith(UNKNOWN_COMMAND)) {
        UnmatchedArgumentException.printSuggestions(wrong, err);
      }
      err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
    }
    err.flush();
    return USAGE;
  }

  /** Returns the message of picocli, without values of unknown options: one may be a password. */
  private static String message(ParameterException wrong) {
    if (wrong instanceof UnmatchedArgumentException unmatched) {
      String options =
          unmatched.getUnmatched().stream()
              .filter(each -> each.startsWith("-"))
              .map(each -> VisibleText.quoted(each.split("=", 2)[0]))
              .distinct()
              .collect(Collectors.joining(", "));
      if (!options.isEmpty()) {
        return "Unknown option: " + options;
      }
      String found = unmatched.getUnmatched().get(0);
      Set<String> commands = wrong.getCommandLine().getSubcommands().keySet();
      return commands.isEmpty()
          ? "Unexpected argument: " + VisibleText.quoted(found)
          : UNKNOWN_COMMAND + VisibleText.quoted(found) + Spelling.hint(commands, found);
    }
    return String.valueOf(wrong.getMessage());
  }

  private static Path path(String text) {
    try {
      return Path.of(text);
    } catch (InvalidPathException unmappable) {
      throw new TypeConversionException(VisibleText.quoted(text) + " is " + NOT_A_PATH);
    }
  }

  private int execute(ParseResult parsed) {
    if (stacktrace) {
      System.setProperty(STACKTRACE, "true");
    }
    if (verbose) {
      System.setProperty(VERBOSE, "true");
    }
    try {
      return new RunLast().execute(parsed);
    } catch (OutOfMemoryError | StackOverflowError full) {
      if (String.valueOf(full.getMessage()).contains("native thread")) {
        throw full;
      }
      String found =
          "The files need more memory than the %s MB of memory that Java may use (JAVA_TOOL_OPTIONS=-Xmx... changes it)"
              .formatted(NumberFormats.commas(Runtime.getRuntime().maxMemory() >> 20));
      throw new ExecutionException(
          parsed.commandSpec().commandLine(), found, new QuorateException(found, full));
    }
  }

  /** Returns whether details are printed. */
  public static boolean isVerbose() {
    return Boolean.getBoolean(VERBOSE);
  }

  /** Returns whether errors show their stack traces. */
  public static boolean showsStackTraces(Map<String, String> environment) {
    return Boolean.getBoolean(STACKTRACE)
        || !environment.getOrDefault("QUORATE_DEBUG", "").isEmpty();
  }

  private static int failed(
      Exception failure, CommandLine command, Map<String, String> environment) {
    PrintWriter err = command.getErr();
    Optional<String> reason =
        failure instanceof QuorateException known
            ? Optional.of(known.getMessage())
            : failure instanceof InvalidPathException invalid
                ? Optional.of(VisibleText.quoted(invalid.getInput()) + ": " + NOT_A_PATH)
                : Optional.empty();
    reason.map(VisibleText::lines).ifPresent(err::println);
    if (showsStackTraces(environment)) {
      failure.printStackTrace(err);
    } else if (reason.isEmpty()) {
      err.println(
          "quorate: internal error (a bug in Quorate): "
              + VisibleText.of(failure.toString())
              + " (--stacktrace or QUORATE_DEBUG=1 shows where)");
    }
    err.flush();
    return reason.isPresent() ? FAILED : DEFECT;
  }

  /** Provides the version, commit and date of the commit that the build recorded. */
  static final class BuildVersion implements IVersionProvider {
    private static final DateTimeFormatter DATE =
        DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

    @Override
    public String[] getVersion() {
      return new String[] {line(BuildInfo.ofThisBuild(), BuildInfo.commitDate())};
    }

    static String line(BuildInfo build, Optional<Instant> commitDate) {
      String date = commitDate.map(time -> " of " + DATE.format(time)).orElse("");
      String changes = build.dirty() ? ", with changes" : "";
      return "quorate "
          + build.version().orElse("of an unknown version")
          + build
              .commit()
              .map(id -> " (commit " + id + date + changes + ")")
              .orElse(" (built without Git: commit and date are unknown)");
    }
  }
}
