package io.quorate.store;

import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.tls.PrivateFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Reads a login from a file that only this user may read: lines {@code user: NAME} and {@code
 * password: ...}, or one line {@code token: ...}. No message has a part of it.
 */
public final class LoginFile {
  private static final Set<String> KEYS = Set.of("user", "password", "token");
  private static final String EXPECTED =
      "expected the lines 'user: NAME' and 'password: ...', or 'token: ...'";

  private LoginFile() {}

  /**
   * Reads a file.
   *
   * @throws QuorateException if it is missing, others may read it, or it has no login
   */
  public static Login read(Path file) {
    String shown = VisibleText.of(file.toString());
    List<String> lines = PrivateFiles.read(file, "a password or a token").lines().toList();
    Map<String, String> values = new HashMap<>();
    List<String> problems = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      int colon = line.indexOf(':');
      String key = colon < 0 ? "" : line.substring(0, colon).strip();
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      if (!KEYS.contains(key) || values.put(key, line.substring(colon + 1).strip()) != null) {
        problems.add("%s:%s: %s, each once".formatted(shown, i + 1, EXPECTED));
      }
    }
    if (!problems.isEmpty()) {
      throw new QuorateException(String.join("\n", problems));
    }
    return of(values, shown + ":");
  }

  /**
   * Returns the login of these values.
   *
   * @param values by {@code user}, {@code password}, {@code token}
   * @param where they are from, to begin a message with
   * @throws QuorateException if they make none
   */
  public static Login of(Map<String, String> values, String where) {
    Optional<String> user = Optional.ofNullable(values.get("user"));
    Optional<String> password = Optional.ofNullable(values.get("password"));
    Optional<String> token = Optional.ofNullable(values.get("token"));
    if (values.values().stream().anyMatch(LoginFile::isUnusable)) {
      throw new QuorateException(
          where + " found an empty value or one with control characters, expected visible text");
    }
    if (token.isPresent() && user.isEmpty() && password.isEmpty()) {
      return new Login.Token(token.get());
    }
    if (token.isEmpty() && user.isPresent() && password.isPresent()) {
      return new Login.Password(user.get(), password.get());
    }
    throw new QuorateException(
        where
            + " found "
            + (values.isEmpty() ? "nothing" : String.join(" and ", new TreeSet<>(values.keySet())))
            + ", expected user and password, or token");
  }

  private static boolean isUnusable(String value) {
    return value.isEmpty() || value.chars().anyMatch(each -> each < ' ' || each == 0x7f);
  }

  /** Returns the content of the file of a login; empty if there is none. */
  public static Optional<String> content(Login login) {
    if (login instanceof Login.Password known) {
      return Optional.of("user: " + known.user() + "\npassword: " + known.password() + "\n");
    }
    return login instanceof Login.Token known
        ? Optional.of("token: " + known.token() + "\n")
        : Optional.empty();
  }
}
