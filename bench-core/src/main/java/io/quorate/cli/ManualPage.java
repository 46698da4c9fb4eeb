package io.quorate.cli;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The page of a command for {@code man}, written with the macros of {@code man(7)}. */
final class ManualPage {
  private static final List<String> EXIT_CODES =
      List.of(
          "0|All went well.",
          "1|It failed, for a reason that the message names.",
          "2|The command line is wrong; nothing was done.",
          "3|A limit of a scenario or of a comparison is broken.",
          "70|A defect of Quorate; QUORATE_DEBUG=1 shows where.");

  private static final List<String> VARIABLES =
      List.of(
          "JAVA_HOME|The Java to use instead of the one on PATH; 17 or newer.",
          "QUORATE_CACHE|Where installed servers are; ~/.cache/quorate without it.",
          "QUORATE_ETCD, QUORATE_CONSUL, QUORATE_ZETCD, QUORATE_CETCD|An executable to use instead"
              + " of what is installed.",
          "QUORATE_USER, QUORATE_PASSWORD, QUORATE_TOKEN|The login at given servers.",
          "QUORATE_MIRROR|Where release archives are fetched from.",
          "QUORATE_DEBUG|If it is not empty, failures show their stack traces.");

  private final CommandSpec command;
  private final String version;
  private final StringBuilder page = new StringBuilder();

  ManualPage(CommandSpec command, String version) {
    this.command = command;
    this.version = version;
  }

  /** Returns the name of the page: {@code quorate-cluster-up} for {@code quorate cluster up}. */
  String name() {
    return name(command);
  }

  private static String name(CommandSpec command) {
    return command.qualifiedName("-");
  }

  /** Returns the page as troff. */
  String text() {
    page.setLength(0);
    String title = name().toUpperCase(Locale.ROOT);
    page.append(".TH \"").append(escaped(title)).append("\" \"1\" \"\" \"");
    page.append(escaped(version)).append("\" \"Quorate\"\n");
    List<String> description = lines(command.usageMessage().description());
    section("NAME");
    line(name() + " - " + firstSentence(description));
    section("SYNOPSIS");
    page.append(".B ").append(escaped(synopsis())).append('\n');
    section("DESCRIPTION");
    paragraphs(description);
    arguments();
    commands();
    examples();
    if (command.parent() == null) {
      section("EXIT STATUS");
      EXIT_CODES.forEach(this::term);
      section("ENVIRONMENT");
      VARIABLES.forEach(this::term);
    } else {
      section("SEE ALSO");
      page.append(".BR ").append(escaped(name(command.parent()))).append(" (1)\n");
    }
    return page.toString();
  }

  private void section(String name) {
    page.append(".SH ").append(name).append('\n');
  }

  private void paragraphs(List<String> paragraphs) {
    for (String paragraph : paragraphs) {
      page.append(".PP\n");
      line(paragraph);
    }
  }

  private void arguments() {
    List<ArgSpec> all =
        Stream.<ArgSpec>concat(
                command.positionalParameters().stream(),
                command.options().stream().sorted(byName()))
            .filter(each -> !each.hidden())
            .toList();
    if (!all.isEmpty()) {
      section("OPTIONS");
      // picocli has formatted these already
      all.forEach(each -> term(head(each), List.of(each.description())));
    }
  }

  private static Comparator<OptionSpec> byName() {
    return Comparator.comparing(OptionSpec::longestName);
  }

  private static String head(ArgSpec argument) {
    if (!(argument instanceof OptionSpec option)) {
      return argument.paramLabel();
    }
    String value = option.arity().max() == 0 ? "" : "=" + option.paramLabel();
    return String.join(", ", option.names()) + value;
  }

  private void commands() {
    List<CommandLine> all =
        command.subcommands().values().stream().filter(each -> !isHidden(each)).toList();
    if (!all.isEmpty()) {
      section("COMMANDS");
      for (CommandLine each : all) {
        term(
            name(each.getCommandSpec()) + "(1)",
            List.of(
                firstSentence(lines(each.getCommandSpec().usageMessage().description())) + "."));
      }
    }
  }

  private static boolean isHidden(CommandLine command) {
    return command.getCommandSpec().usageMessage().hidden();
  }

  private void examples() {
    UsageMessageSpec usage = command.usageMessage();
    List<String> footer = lines(usage.footer());
    if (!footer.isEmpty()) {
      section("EXAMPLES");
      page.append(".nf\n");
      footer.forEach(each -> line(each.replace("./quorate", "quorate")));
      page.append(".fi\n");
    }
  }

  private void term(String headAndText) {
    int bar = headAndText.indexOf('|');
    term(headAndText.substring(0, bar), List.of(headAndText.substring(bar + 1)));
  }

  private void term(String head, List<String> text) {
    page.append(".TP\n.B ").append(escaped(head)).append('\n');
    line(String.join(" ", text));
  }

  private void line(String text) {
    String escaped = escaped(text);
    // a line that begins with one of these would be a request to troff
    page.append(escaped.matches("[.'].*") ? "\\&" : "").append(escaped).append('\n');
  }

  private String synopsis() {
    Help help = new Help(command, Help.defaultColorScheme(Help.Ansi.OFF));
    return help.synopsis(0).strip().replaceAll("\\s+", " ");
  }

  private static String firstSentence(List<String> description) {
    return String.join(" ", description).split("(?<=[a-z)])[.:](\\s|$)", 2)[0];
  }

  /** Returns texts of picocli, which are formats, as they are shown. */
  private static List<String> lines(String... formats) {
    return Stream.of(formats)
        .map(String::formatted)
        .flatMap(String::lines)
        .filter(each -> !each.isBlank())
        .toList();
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\e").replace("-", "\\-").replace("\"", "\\(dq");
  }
}
