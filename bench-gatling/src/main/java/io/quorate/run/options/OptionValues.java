package io.quorate.run.options;

import io.quorate.QuorateException;
import io.quorate.VisibleText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Function;

/** Reads options from system properties, and collects errors in their values. */
final class OptionValues {
  /** Value that Maven and others give to {@code -Dname}. */
  private static final String WITHOUT_VALUE = "true";

  private final Properties properties;
  private final List<String> problems = new ArrayList<>();

  OptionValues(Properties properties) {
    this.properties = properties;
  }

  /** Reads an option; empty if it is not set, or its value is wrong. */
  <T> Optional<T> read(String name, Function<String, T> reader) {
    String text = properties.getProperty(name);
    if (text == null) {
      return Optional.empty();
    }
    if (text.isBlank() || text.equals(WITHOUT_VALUE)) {
      problems.add(
          "-D%1$s= (or %2$s): found nothing, expected a value; leave the option out"
              .formatted(name, commandLineOption(name)));
      return Optional.empty();
    }
    if (text.contains("\uFFFD") || text.contains("\\ufffd")) {
      problems.add(
          "-D%s: Maven could not read all characters of its value: set LC_ALL=C.UTF-8 (or another locale of UTF-8)"
              .formatted(name));
      return Optional.empty();
    }
    try {
      return Optional.of(reader.apply(text));
    } catch (QuorateException wrong) {
      problems.add(wrong.getMessage());
      return Optional.empty();
    }
  }

  /** Reads an option that is on or off; false if it is not set, or its value is wrong. */
  boolean isOn(String name) {
    String text = properties.getProperty(name, "false");
    if (!text.isEmpty() && !text.equals("true") && !text.equals("false")) {
      problems.add(
          "%s: found %s, expected true or false".formatted(name, VisibleText.quoted(text)));
    }
    return text.isEmpty() || text.equals("true");
  }

  /** Returns the option of the command line that sets a property. */
  static String commandLineOption(String name) {
    return switch (name) {
      case CapacityOptions.LIMITS -> "--limit";
      case CapacityOptions.SEARCH -> "--quick";
      case CapacityOptions.CONTINUE -> "--continue";
      case CapacityOptions.LOAD -> "--clients";
      case CapacityOptions.PRELOAD -> "--preload";
      default -> "--" + name.replace('.', '-');
    };
  }

  void throwIfWrong() {
    if (!problems.isEmpty()) {
      throw new QuorateException(String.join("\n", problems));
    }
  }
}
