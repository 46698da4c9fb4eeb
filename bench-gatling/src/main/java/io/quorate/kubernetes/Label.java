package io.quorate.kubernetes;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A label of Kubernetes.
 *
 * @param key a name, which a domain and {@code /} may precede
 * @param value may be empty
 */
record Label(String key, String value) {
  private static final Pattern NAME =
      Pattern.compile("[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?");

  /** Reads {@code KEY=VALUE}; empty if Kubernetes would refuse it. */
  static Optional<Label> parse(String text) {
    int equals = text.indexOf('=');
    if (equals < 0) {
      return Optional.empty();
    }
    Label label = new Label(text.substring(0, equals), text.substring(equals + 1));
    return Optional.of(label).filter(Label::isValid);
  }

  private boolean isValid() {
    int slash = key.indexOf('/');
    return (slash < 0 || ValueSyntax.isSubdomain(key.substring(0, slash)))
        && NAME.matcher(key.substring(slash + 1)).matches()
        && (value.isEmpty() || NAME.matcher(value).matches());
  }
}
