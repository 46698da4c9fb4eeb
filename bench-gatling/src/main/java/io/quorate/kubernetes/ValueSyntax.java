// SPDX-License-Identifier: Apache-2.0
package io.quorate.kubernetes;

import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The syntax of a value in manifests, by the rules of Kubernetes.
 *
 * @param expected describes it to a person
 */
record ValueSyntax(String expected, Predicate<String> rule) {
  private static final String PART = "[a-z0-9]([a-z0-9-]*[a-z0-9])?";
  private static final Pattern SUBDOMAIN = Pattern.compile(PART + "([.]" + PART + ")*");
  private static final int MAX_SUBDOMAIN = 253;

  private static final String HOST =
      "([A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?([.][A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*|\\[[0-9a-fA-F:]+\\])(:[0-9]+)?";
  private static final String COMPONENT = "[a-z0-9]+(([._]|__|-+)[a-z0-9]+)*";
  private static final String TAG = ":[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}";
  private static final String DIGEST =
      "@[A-Za-z][A-Za-z0-9]*([-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}";
  private static final int MAX_IMAGE = 500;

  /** The beginning of the names of Pods, which have 63 characters, and are names of hosts. */
  static final ValueSyntax RUN =
      new ValueSyntax(
          "at most 40 of a-z, 0-9 and -, such as run-17",
          pattern("[a-z]([a-z0-9-]{0,38}[a-z0-9])?"));

  static final ValueSyntax NAMESPACE =
      new ValueSyntax(
          "the name of a namespace: at most 63 of a-z, 0-9 and '-', with a letter or digit at both"
              + " ends",
          pattern("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?"));

  static final ValueSyntax CLAIM = name("PersistentVolumeClaim");
  static final ValueSyntax SECRET = name("Secret");

  /** Without a name, the volume is one that belongs to no class. */
  static final ValueSyntax STORAGE_CLASS =
      new ValueSyntax(
          name("StorageClass").expected() + ", or '' for a volume without a class",
          text -> text.isEmpty() || isSubdomain(text));

  /** The grammar of image references of the OCI registries. */
  static final ValueSyntax IMAGE =
      new ValueSyntax(
          "an image, such as registry.example.com/quorate:0.1, with names in lower case",
          pattern("(%s/)?%s(/%2$s)*(%s)?(%s)?".formatted(HOST, COMPONENT, TAG, DIGEST), MAX_IMAGE));

  static final ValueSyntax LABEL =
      new ValueSyntax(
          "a label such as app=etcd: letters, digits, '-', '_' and '.', at most 63 each, with a"
              + " letter or digit at both ends",
          text -> Label.parse(text).isPresent());

  static final ValueSyntax CPUS =
      new ValueSyntax(
          "a number of CPUs such as 4, 1.5 or 500m",
          pattern("[1-9]\\d{0,3}(\\.\\d{1,3})?|[1-9]\\d{0,5}m"));

  static final ValueSyntax MEMORY =
      new ValueSyntax("a size such as 512Mi or 6Gi", pattern("[1-9]\\d{0,5}(Mi|Gi)"));

  static final ValueSyntax STORAGE_SIZE =
      new ValueSyntax(
          "a size such as 20Gi or 500M", pattern("[1-9]\\d{0,5}(\\.\\d{1,3})?([KMGTP]i|[kMGTP])"));

  static final ValueSyntax TTL =
      new ValueSyntax(
          "a number of seconds from 0 to %d, such as 86400".formatted(Integer.MAX_VALUE),
          text -> text.matches("[0-9]{1,10}") && Long.parseLong(text) <= Integer.MAX_VALUE);

  private static ValueSyntax name(String kind) {
    return new ValueSyntax(
        "the name of a %s: at most %d of a-z, 0-9, '-' and '.', with a letter or digit at both ends of each part"
            .formatted(kind, MAX_SUBDOMAIN),
        ValueSyntax::isSubdomain);
  }

  /** Returns whether a text is a name of objects, or a domain before a key of a label. */
  static boolean isSubdomain(String text) {
    return text.length() <= MAX_SUBDOMAIN && SUBDOMAIN.matcher(text).matches();
  }

  private static Predicate<String> pattern(String regex) {
    return Pattern.compile(regex).asMatchPredicate();
  }

  private static Predicate<String> pattern(String regex, int maxLength) {
    Predicate<String> shortEnough = text -> text.length() <= maxLength;
    return shortEnough.and(pattern(regex));
  }

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
      return Optional.of(new Label(text.substring(0, equals), text.substring(equals + 1)))
          .filter(Label::isValid);
    }

    private boolean isValid() {
      int slash = key.indexOf('/');
      return (slash < 0 || ValueSyntax.isSubdomain(key.substring(0, slash)))
          && NAME.matcher(key.substring(slash + 1)).matches()
          && (value.isEmpty() || NAME.matcher(value).matches());
    }
  }
}
