package io.quorate.store;

import io.quorate.QuorateException;
import io.quorate.Spelling;
import io.quorate.VisibleText;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Reads a login from environment variables, which other users of a machine cannot see, and keeps
 * them from processes that do not need them.
 */
public final class LoginVariables {
  /** The variables that have a login. */
  public static final List<String> NAMES =
      List.of("QUORATE_USER", "QUORATE_PASSWORD", "QUORATE_TOKEN");

  private static final String PREFIX = "QUORATE_";
  private static final int MAX_EDITS = 2;

  private LoginVariables() {}

  /**
   * Reads the login; empty if there is none.
   *
   * @throws QuorateException if it is not complete, or a variable is mistyped
   */
  public static Optional<Login> read(Map<String, String> environment) {
    refuseMistyped(environment);
    Map<String, String> values = new TreeMap<>();
    for (String name : NAMES) {
      if (environment.containsKey(name)) {
        values.put(name.substring(PREFIX.length()).toLowerCase(Locale.ROOT), environment.get(name));
      }
    }
    return values.isEmpty()
        ? Optional.empty()
        : Optional.of(LoginFile.of(values, "QUORATE_USER, QUORATE_PASSWORD, QUORATE_TOKEN:"));
  }

  private static void refuseMistyped(Map<String, String> environment) {
    String problems =
        environment.keySet().stream()
            .filter(name -> name.startsWith(PREFIX) && !NAMES.contains(name))
            .sorted()
            .flatMap(
                name ->
                    NAMES.stream()
                        .filter(known -> Spelling.edits(name, known) <= MAX_EDITS)
                        .map(
                            known ->
                                "%s: there is no such variable; did you mean %s?"
                                    .formatted(VisibleText.of(name), known)))
            .collect(Collectors.joining("\n"));
    if (!problems.isEmpty()) {
      throw new QuorateException(problems);
    }
  }

  /** Removes them from the environment of a process that does not need them. */
  public static void remove(Map<String, String> environment) {
    environment.keySet().removeAll(NAMES);
  }
}
