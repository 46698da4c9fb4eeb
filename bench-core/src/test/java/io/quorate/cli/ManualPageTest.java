package io.quorate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.install.Installation;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

class ManualPageTest {
  @Command(name = "quorate", description = "Measures stores.")
  static final class Top {}

  @Command(
      name = "up",
      description = {"Starts members. They stay up.", ".5 is 50 %% of one."},
      footer = {"  ./quorate up etcd"})
  static final class Up {
    @Parameters(paramLabel = "DATABASE", description = "Which one.")
    private String database;

    @Option(
        names = {"-m", "--members"},
        paramLabel = "N",
        description = "How many: \"3\", a \\, 5 %% more.")
    private int members;

    @Option(names = "--secret", hidden = true)
    private boolean secret;
  }

  @Test
  void a_page_says_what_the_help_says_in_the_language_of_man() {
    CommandLine top = new CommandLine(new Top()).addSubcommand(new Up());
    ManualPage page =
        new ManualPage(top.getSubcommands().get("up").getCommandSpec(), "quorate 1.2-x");
    assertThat(page.name()).isEqualTo("quorate-up");
    assertThat(page.text())
        .isEqualTo(
            """
            .TH "QUORATE\\-UP" "1" "" "quorate 1.2\\-x" "Quorate"
            .SH NAME
            quorate\\-up \\- Starts members
            .SH SYNOPSIS
            .B quorate up [\\-m=N] DATABASE
            .SH DESCRIPTION
            .PP
            Starts members. They stay up.
            .PP
            \\&.5 is 50 % of one.
            .SH OPTIONS
            .TP
            .B DATABASE
            Which one.
            .TP
            .B \\-m, \\-\\-members=N
            How many: \\(dq3\\(dq, a \\e, 5 % more.
            .SH EXAMPLES
            .nf
              quorate up etcd
            .fi
            .SH SEE ALSO
            .BR quorate (1)
            """);
  }

  @Test
  void each_command_has_a_page_and_that_of_all_lists_them() throws Exception {
    CommandLine commands = Quorate.commandLine(Installation.of(Map.of(), new Properties()));
    Map<String, String> files = CommandLineFiles.files(commands);
    assertThat(files)
        .containsKeys(
            "completion/quorate.sh",
            "man/man1/quorate.1",
            "man/man1/quorate-cluster.1",
            "man/man1/quorate-cluster-up.1",
            "man/man1/quorate-install.1");
    assertThat(files.get("man/man1/quorate.1"))
        .contains(".SH COMMANDS\n", ".B quorate\\-cluster(1)\n", ".SH EXIT STATUS\n", ".B 70\n");
    assertThat(files.get("man/man1/quorate-cluster-up.1")).contains(".BR quorate\\-cluster (1)\n");
  }
}
