package io.quorate.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/**
 * Thrown when a command that only groups others is given without one of them; its help is shown.
 */
public final class MissingCommandException extends ParameterException {
  private static final long serialVersionUID = 1L;

  public MissingCommandException(CommandLine group) {
    super(group, message(group));
  }

  private static String message(CommandLine group) {
    List<String> names = new ArrayList<>(group.getSubcommands().keySet());
    String last = names.remove(names.size() - 1);
    return "Missing a command: %s %s."
        .formatted(
            group.getCommandSpec().qualifiedName(),
            names.isEmpty() ? last : String.join(", ", names) + " or " + last);
  }
}
