// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

import io.quorate.ByteSize;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A setting of the servers of a store that a scenario may choose. It is a whole number, or one of a
 * few names, so that only digits or these names reach a command line or a file. Compared by its id.
 *
 * @param id name in scenarios, manifests and messages, such as {@code snapshot-count}
 * @param names allowed names; the value is the place of one of them, from 0. Empty for numbers
 * @param least least value, in the unit of its kind
 * @param most largest value, in the unit of its kind
 * @param ours Quorate's default; empty for the default of the servers
 * @param theirs default of the servers; empty if Quorate does not need to know it
 * @param unsafe value with which a power cut loses acknowledged writes; empty if none does
 * @param template text for the command line or the settings file of a server: {@code {}} is
 *     replaced by the number or the name, {@code {KiB}} for a number of bytes in KiB
 */
public record Setting(
    String id,
    Kind kind,
    List<String> names,
    long least,
    long most,
    OptionalLong ours,
    OptionalLong theirs,
    OptionalLong unsafe,
    String template) {
  private static final long KIB = 1024;
  private static final Pattern DURATION = Pattern.compile("([0-9_]{1,12})(ms|s|m|h)");
  private static final Map<String, Long> DURATIONS = new LinkedHashMap<>();

  static {
    DURATIONS.put("h", 3_600_000L);
    DURATIONS.put("m", 60_000L);
    DURATIONS.put("s", 1000L);
    DURATIONS.put("ms", 1L);
  }

  /** The kinds of values. */
  public enum Kind {
    COUNT,

    /** One of a few names. */
    NAME,

    /** A size in bytes. */
    BYTES,

    /** A duration in milliseconds. */
    MILLIS;

    /** Returns a value as it may be written in a scenario, in the largest unit that fits. */
    public String text(long value) {
      return switch (this) {
        case COUNT, NAME -> Long.toString(value);
        case BYTES -> ByteSize.text(value);
        case MILLIS ->
            DURATIONS.entrySet().stream()
                .filter(unit -> value > 0 && value % unit.getValue() == 0)
                .findFirst()
                .map(unit -> value / unit.getValue() + unit.getKey())
                .orElseGet(() -> Long.toString(value));
      };
    }
  }

  public static Setting count(String id, long least, long most, String template) {
    return of(id, Kind.COUNT, List.of(), least, most, template);
  }

  public static Setting bytes(String id, long least, long most, String template) {
    return of(id, Kind.BYTES, List.of(), least, most, template);
  }

  public static Setting millis(String id, long least, long most, String template) {
    return of(id, Kind.MILLIS, List.of(), least, most, template);
  }

  /** Returns a setting whose value is one of these names. */
  public static Setting name(String id, String template, String... names) {
    return of(id, Kind.NAME, List.of(names), 0, names.length - 1L, template);
  }

  private static Setting of(
      String id, Kind kind, List<String> names, long least, long most, String template) {
    return new Setting(
        id,
        kind,
        names,
        least,
        most,
        OptionalLong.empty(),
        OptionalLong.empty(),
        OptionalLong.empty(),
        template);
  }

  public Setting orElse(long value) {
    return new Setting(
        id, kind, names, least, most, OptionalLong.of(value), theirs, unsafe, template);
  }

  public Setting withDefaultOfServers(long value) {
    return new Setting(
        id, kind, names, least, most, ours, OptionalLong.of(value), unsafe, template);
  }

  /** Returns the setting, of which the last name lets a power cut lose acknowledged writes. */
  public Setting unsafeIfLast() {
    return new Setting(id, kind, names, least, most, ours, theirs, OptionalLong.of(most), template);
  }

  /** Returns a value as it may be written in a scenario. */
  public String text(long value) {
    return kind == Kind.NAME && allows(value) ? names.get((int) value) : kind.text(value);
  }

  /** Parses a value as a user writes it, such as {@code 64MiB}; empty if it is not allowed. */
  public Optional<Long> parse(String text) {
    Optional<Long> value =
        switch (kind) {
          case COUNT -> ByteSize.wholeNumber(text);
          case NAME -> Optional.of((long) names.indexOf(text));
          case BYTES -> ByteSize.parse(text);
          case MILLIS -> millis(text);
        };
    return value.filter(this::allows);
  }

  private static Optional<Long> millis(String text) {
    Matcher duration = DURATION.matcher(text);
    return duration.matches()
        ? ByteSize.wholeNumber(duration.group(1))
            .map(value -> value * Objects.requireNonNull(DURATIONS.get(duration.group(2))))
        : Optional.empty();
  }

  public boolean allows(long value) {
    return least <= value && value <= most && (!isInKib() || value % KIB == 0);
  }

  public String expected() {
    String range = " from " + shown(least) + " to " + shown(most);
    return switch (kind) {
      case COUNT -> "a whole number" + range;
      case NAME -> "one of " + String.join(", ", names);
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
        template
            .replace("{KiB}", Long.toString(value / KIB))
            .replace("{}", kind == Kind.NAME ? text(value) : Long.toString(value));
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
