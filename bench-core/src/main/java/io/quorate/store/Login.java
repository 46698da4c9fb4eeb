// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

import io.quorate.Named;
import io.quorate.QuorateException;
import io.quorate.Spelling;
import io.quorate.VisibleText;
import io.quorate.tls.PrivateFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The identity that a client presents to the servers of a store, in addition to its certificate.
 * Messages never contain parts of secrets.
 */
public sealed interface Login {
  Login NONE = new Nobody();

  /** The environment variables with a login, which other users of a machine cannot see. */
  List<String> VARIABLES = List.of("QUORATE_USER", "QUORATE_PASSWORD", "QUORATE_TOKEN");

  /** The kinds of logins; a store supports at most one. */
  enum Kind implements Named {
    NONE("no user and no token"),
    PASSWORD("a user and a password"),
    TOKEN("a token");

    private final String description;

    Kind(String description) {
      this.description = description;
    }

    /** Returns the credentials that the user has to provide. */
    @Override
    public String toString() {
      return description;
    }
  }

  Kind kind();

  /** Returns the content of the file of this login; empty if there is none. */
  default Optional<String> content() {
    return Optional.empty();
  }

  /** No login. */
  record Nobody() implements Login {
    @Override
    public Kind kind() {
      return Kind.NONE;
    }
  }

  /** A user name and a password. */
  record Password(String user, String password) implements Login {
    @Override
    public Kind kind() {
      return Kind.PASSWORD;
    }

    @Override
    public Optional<String> content() {
      return Optional.of("user: " + user + "\npassword: " + password + "\n");
    }

    @Override
    public String toString() {
      return Kind.PASSWORD.toString();
    }
  }

  /** A token. */
  record Token(String token) implements Login {
    @Override
    public Kind kind() {
      return Kind.TOKEN;
    }

    @Override
    public Optional<String> content() {
      return Optional.of("token: " + token + "\n");
    }

    @Override
    public String toString() {
      return Kind.TOKEN.toString();
    }
  }

  /**
   * Reads a login from a file that only this user may read: lines {@code user: NAME} and {@code
   * password: ...}, or one line {@code token: ...}.
   *
   * @throws QuorateException if the file is missing, other users may read it, or it has no login
   */
  static Login read(Path file) {
    String shown = VisibleText.of(file.toString());
    List<String> lines = PrivateFiles.read(file, "a password or a token").lines().toList();
    Map<String, String> values = new HashMap<>();
    List<String> problems = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      String[] parts = line.split(":", 2);
      boolean known = Set.of("user", "password", "token").contains(parts[0].strip());
      if (parts.length < 2 || !known || values.put(parts[0].strip(), parts[1].strip()) != null) {
        String expected = "'user: NAME' and 'password: ...', or 'token: ...', each once";
        problems.add("%s:%s: expected the lines %s".formatted(shown, i + 1, expected));
      }
    }
    QuorateException.throwIfAny(problems);
    return of(values, shown + ":");
  }

  /**
   * Reads the login from environment variables, if there is one; fails if a variable is missing or
   * mistyped.
   */
  static Optional<Login> read(Map<String, String> environment) {
    List<String> problems =
        environment.keySet().stream()
            .filter(name -> name.startsWith("QUORATE_") && !VARIABLES.contains(name))
            .sorted()
            .flatMap(
                name ->
                    VARIABLES.stream()
                        .filter(known -> Spelling.edits(name, known) <= 2)
                        .map(
                            known ->
                                "%s: there is no such variable; did you mean %s?"
                                    .formatted(VisibleText.of(name), known)))
            .toList();
    QuorateException.throwIfAny(problems);
    Map<String, String> values = new TreeMap<>();
    for (String name : VARIABLES) {
      if (environment.containsKey(name)) {
        values.put(name.replace("QUORATE_", "").toLowerCase(Locale.ROOT), environment.get(name));
      }
    }
    return values.isEmpty()
        ? Optional.empty()
        : Optional.of(of(values, String.join(", ", VARIABLES) + ":"));
  }

  /**
   * Returns the login with these values.
   *
   * @param values values by {@code user}, {@code password}, {@code token}
   * @param where origin of the values, with which messages begin
   * @throws QuorateException if the values are not a login
   */
  static Login of(Map<String, String> values, String where) {
    if (values.values().stream()
        .anyMatch(text -> text.isEmpty() || text.chars().anyMatch(c -> c < ' ' || c == 0x7f))) {
      throw new QuorateException(
          where + " found an empty value or one with control characters, expected visible text");
    }
    String token = values.get("token");
    if (token != null && values.size() == 1) {
      return new Token(token);
    }
    String user = values.get("user");
    String password = values.get("password");
    if (user != null && password != null && values.size() == 2) {
      return new Password(user, password);
    }
    throw new QuorateException(
        where
            + " found "
            + (values.isEmpty() ? "nothing" : String.join(" and ", new TreeSet<>(values.keySet())))
            + ", expected user and password, or token");
  }
}
