package io.quorate.kubernetes;

import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
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

  private static final int MAX_QUANTITY = 40;
  private static final Pattern QUANTITY =
      Pattern.compile(
          "[+]?(?<number>[0-9]+[.]?[0-9]*|[.][0-9]+)(?<suffix>[KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]{1,2})?");

  private static final Map<String, Integer> DECIMAL =
      Map.of("n", -9, "u", -6, "m", -3, "k", 3, "M", 6, "G", 9, "T", 12, "P", 15, "E", 18);

  /** Suffixes of powers of 1024. */
  private static final String BINARY = "KMGTPE";

  private static final BigDecimal KIBI = BigDecimal.valueOf(1024);

  /** 8Ei, which Kubernetes takes for one byte less, its largest quantity. */
  private static final BigDecimal MAX_BYTES = BigDecimal.valueOf(2).pow(63);

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
      new ValueSyntax("a quantity of 1 byte to 8Ei, such as 20Gi or 500M", ValueSyntax::isSize);

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

  private static boolean isSize(String text) {
    return quantity(text)
        .filter(bytes -> bytes.compareTo(BigDecimal.ONE) >= 0 && bytes.compareTo(MAX_BYTES) <= 0)
        .isPresent();
  }

  /**
   * Reads a quantity without a minus, such as {@code 10Gi}, {@code 1.5T} or {@code 1e9}; empty if
   * it is anything else.
   */
  private static Optional<BigDecimal> quantity(String text) {
    Matcher parts = QUANTITY.matcher(text);
    if (text.length() > MAX_QUANTITY || !parts.matches()) {
      return Optional.empty();
    }
    BigDecimal number = new BigDecimal(parts.group("number"));
    String suffix = parts.group("suffix");
    return Optional.of(suffix == null ? number : multiple(number, suffix));
  }

  private static BigDecimal multiple(BigDecimal number, String suffix) {
    if (suffix.endsWith("i")) {
      return number.multiply(KIBI.pow(BINARY.indexOf(suffix.charAt(0)) + 1));
    }
    return number.scaleByPowerOfTen(
        DECIMAL.containsKey(suffix) ? DECIMAL.get(suffix) : Integer.parseInt(suffix.substring(1)));
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
