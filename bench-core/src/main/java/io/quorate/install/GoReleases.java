// SPDX-License-Identifier: Apache-2.0
package io.quorate.install;

import io.quorate.QuorateException;
import io.quorate.store.server.Program;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The releases of a program that its Go module has: those that the module proxy lists, which may
 * lack some that it serves, and those that are installed.
 */
public final class GoReleases {
  private static final int NEAR = 6;

  /** Orders versions by their first three numbers. */
  static final Comparator<String> ORDER =
      Comparator.comparing(GoReleases::numbers, Arrays::compare);

  private GoReleases() {}

  /**
   * Returns the final releases from one version to another, in their order. Both are included, also
   * if neither the list nor this machine has them.
   *
   * @throws QuorateException if there is no Go, no list, or the first version is the later one
   */
  public static List<String> between(
      Installation installation, Program program, String first, String last) {
    Path go =
        installation
            .onPath("go")
            .orElseThrow(
                () -> new QuorateException("the list of releases needs Go (https://go.dev/dl/)"));
    Path anywhere = Path.of("").toAbsolutePath();
    BuildTool tool = new BuildTool("go", go, anywhere, GoBuild.environment(installation));
    if (ORDER.compare(first, last) > 0) {
      throw new QuorateException(
          "found %s..%s, expected the older release first".formatted(first, last));
    }
    List<String> listed = of(tool, program);
    if (listed.isEmpty()) {
      throw new QuorateException(
          "the list of releases of %s cannot be had: name the versions, such as --bad %s,%s"
              .formatted(program.id(), first, last));
    }
    List<String> between =
        Stream.of(listed, installed(installation, program))
            .flatMap(List::stream)
            .filter(each -> !each.contains("-"))
            .filter(each -> ORDER.compare(each, first) >= 0 && ORDER.compare(each, last) <= 0)
            .sorted(ORDER)
            .toList();
    return Stream.of(List.of(first), between, List.of(last))
        .flatMap(List::stream)
        .distinct()
        .toList();
  }

  /** Returns all releases in their order; empty if the list cannot be had. */
  static List<String> of(BuildTool go, Program program) {
    List<String> lines = new ArrayList<>();
    try {
      go.run(
          "listing the releases of " + program.id(),
          lines::add,
          List.of("list", "-m", "-versions", program.packages().get(0).path()));
    } catch (QuorateException unreachable) {
      return List.of();
    }
    return lines.stream()
        .flatMap(line -> Stream.of(line.split(" ")))
        .filter(word -> word.matches("v[0-9].*"))
        .map(word -> word.substring(1))
        .toList();
  }

  private static List<String> installed(Installation installation, Program program) {
    String[] names = installation.cache().resolve(program.id()).toFile().list();
    return Stream.of(names == null ? new String[0] : names)
        .filter(name -> name.matches("[0-9]+(\\.[0-9]+)+"))
        .toList();
  }

  /** Returns the releases around a version, at most six. */
  static List<String> near(List<String> releases, String version) {
    List<String> sorted = releases.stream().sorted(ORDER).toList();
    int place = (int) sorted.stream().filter(each -> ORDER.compare(each, version) < 0).count();
    int from = Math.max(0, Math.min(place - NEAR / 2, sorted.size() - NEAR));
    return sorted.subList(from, Math.min(sorted.size(), from + NEAR));
  }

  private static int[] numbers(String version) {
    String[] parts = version.replaceFirst("-.*", "").split("\\.");
    return IntStream.range(0, 3)
        .map(
            i ->
                i < parts.length && parts[i].matches("[0-9]{1,9}") ? Integer.parseInt(parts[i]) : 0)
        .toArray();
  }
}
