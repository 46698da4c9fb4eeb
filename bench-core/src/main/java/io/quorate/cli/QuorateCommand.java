// SPDX-License-Identifier: Apache-2.0
package io.quorate.cli;

import io.quorate.format.StrictJson;
import java.io.PrintWriter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command of {@code ./quorate}, with the output streams of its command line. */
public abstract class QuorateCommand implements CommandProvider {
  @Spec private CommandSpec spec;

  protected final CommandSpec spec() {
    return spec;
  }

  protected final PrintWriter out() {
    return spec.commandLine().getOut();
  }

  protected final PrintWriter err() {
    return spec.commandLine().getErr();
  }

  protected final Colors colors() {
    return new Colors(spec.commandLine().getColorScheme().ansi());
  }

  /** Prints the only document of a command for programs. */
  protected final void print(Record document) {
    out().print(StrictJson.text(document));
    out().flush();
  }

  protected final ParameterException wrongUsage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
