package io.quorate.store;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * A setting of the servers of a store that a scenario may choose. It is a whole number, so that
 * only digits reach a command line or a file. Compared by its id.
 *
 * @param id name in scenarios, manifests and messages, such as {@code snapshot-count}
 * @param least least value, in the unit of its kind
 * @param most largest value, in the unit of its kind
 * @param ours Quorate's default; empty for the default of the servers
 * @param template text for the command line or the settings file of a server: {@code {}} is
 *     replaced by the number, {@code {KiB}} for a number of bytes in KiB
 */
public record Setting(
    String id, Kind kind, long least, long most, OptionalLong ours, String template) {
  private static final long KIB = 1024;
  private static final Pattern NUMBER =
      Pattern.compile("0|[1-9][0-9]{0,17}|[1-9][0-9]{0,2}(_[0-9]{3}){1,5}");

  /** The kinds of values. */
  public enum Kind {
    COUNT(List.of()),

    /** A size in bytes. */
    BYTES(
        List.of(
            new Unit("GiB", KIB * KIB * KIB),
            new Unit("GB", 1_000_000_000),
            new Unit("MiB", KIB * KIB),
            new Unit("MB", 1_000_000),
            new Unit("KiB", KIB),
            new Unit("kB", 1000))),

    /** A duration in milliseconds. */
    MILLIS(
        List.of(
            new Unit("h", 3_600_000),
            new Unit("m", 60_000),
            new Unit("s", 1000),
            new Unit("ms", 1)));

    private final List<Unit> units;

    Kind(List<Unit> units) {
      this.units = units;
    }

    /** Returns the units in which a value may be written, the largest first. */
    public List<Unit> units() {
      return units;
    }

    /** Returns a value as it may be written in a scenario, in the largest unit that fits. */
    public String text(long value) {
      return units.stream()
          .filter(unit -> value > 0 && value % unit.size() == 0)
          .findFirst()
          .map(unit -> value / unit.size() + unit.name())
          .orElseGet(() -> Long.toString(value));
    }
  }

  /**
   * A unit of a value.
   *
   * @param size number of bytes or milliseconds of the unit
   */
  public record Unit(String name, long size) {}

  public static Setting count(String id, long least, long most, String template) {
    return new Setting(id, Kind.COUNT, least, most, OptionalLong.empty(), template);
  }

  public static Setting bytes(String id, long least, long most, String template) {
    return new Setting(id, Kind.BYTES, least, most, OptionalLong.empty(), template);
  }

  public static Setting millis(String id, long least, long most, String template) {
    return new Setting(id, Kind.MILLIS, least, most, OptionalLong.empty(), template);
  }

  public Setting orElse(long value) {
    return new Setting(id, kind, least, most, OptionalLong.of(value), template);
  }

  /** Parses a value as a user writes it, such as {@code 64MiB}; empty if it is not allowed. */
  public Optional<Long> parse(String text) {
    return kind.units().stream()
        .filter(unit -> text.endsWith(unit.name()))
        .max(Comparator.comparingInt(unit -> unit.name().length()))
        .map(
            unit ->
                number(text.substring(0, text.length() - unit.name().length()))
                    .filter(value -> value <= Long.MAX_VALUE / unit.size())
                    .map(value -> value * unit.size()))
        // without a unit: only a count, or a size in bytes
        .orElseGet(() -> kind == Kind.MILLIS ? Optional.empty() : number(text))
        .filter(this::allows);
  }

  private static Optional<Long> number(String text) {
    return NUMBER.matcher(text).matches()
        ? Optional.of(Long.parseLong(text.replace("_", "")))
        : Optional.empty();
  }

  public boolean allows(long value) {
    return least <= value && value <= most && (!isInKib() || value % KIB == 0);
  }

  public String expected() {
    String range = " from " + shown(least) + " to " + shown(most);
    return switch (kind) {
      case COUNT -> "a whole number" + range;
      case BYTES -> "a size" + (isInKib() ? " in whole KiB" : "") + range + ", such as 64MiB";
      case MILLIS -> "a duration" + range + ", such as 500ms or 5s";
    };
  }

  private String shown(long value) {
    return kind == Kind.COUNT
        ? String.format(Locale.ROOT, "%,d", value).replace(',', '_')
        : kind.text(value);
  }

  private boolean isInKib() {
    return template.contains("{KiB}");
  }

  /** Returns a value in the syntax of a server's command line or settings file. */
  public List<String> rendered(long value) {
    String text =
        template.replace("{KiB}", Long.toString(value / KIB)).replace("{}", Long.toString(value));
    return Arrays.asList(text.split(" "));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Setting setting && setting.id.equals(id);
  }

  @Override
  public int hashCode() {
    return id.hashCode();
  }

  @Override
  public String toString() {
    return id;
  }
}
