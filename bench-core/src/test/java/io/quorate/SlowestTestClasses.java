// SPDX-License-Identifier: Apache-2.0
package io.quorate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Prints the classes of tests that took the longest time, from the reports of Surefire and
 * Failsafe.
 */
public final class SlowestTestClasses {
  private static final int COUNT = 10;
  private static final Pattern SUITE =
      Pattern.compile("<testsuite [^>]*?name=\"([^\"]+)\"[^>]*? time=\"([0-9.,]+)\"");

  private record TestClass(String name, double seconds) {}

  private SlowestTestClasses() {}

  /** Prints them; the argument is the directory of the root module. */
  public static void main(String... arguments) throws IOException {
    List<TestClass> all = new ArrayList<>();
    for (String module : List.of("bench-core", "bench-report", "bench-gatling")) {
      for (String reports : List.of("surefire-reports", "failsafe-reports")) {
        read(Path.of(arguments[0], module, "target", reports), all);
      }
    }
    if (all.isEmpty()) {
      return;
    }
    System.out.println("Slowest test classes:");
    all.stream()
        .sorted(Comparator.comparingDouble(TestClass::seconds).reversed())
        .limit(COUNT)
        .forEach(each -> System.out.println("%6.0f s  %s".formatted(each.seconds, each.name)));
  }

  private static void read(Path reports, List<TestClass> into) throws IOException {
    if (!Files.isDirectory(reports)) {
      return;
    }
    try (Stream<Path> files = Files.list(reports)) {
      for (Path file :
          files.filter(each -> each.getFileName().toString().startsWith("TEST-")).toList()) {
        Matcher suite = SUITE.matcher(Files.readString(file));
        if (suite.find()) {
          into.add(
              new TestClass(suite.group(1), Double.parseDouble(suite.group(2).replace(",", ""))));
        }
      }
    }
  }
}
