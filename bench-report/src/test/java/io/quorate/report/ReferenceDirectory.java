// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import io.quorate.QuorateException;
import io.quorate.cli.Quorate;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;

/** The golden directory that the reference made, in a place where it may be spoiled. */
public final class ReferenceDirectory {
  public static final String SCENARIO = "a-write-fixed-clients";
  public static final String ETCD = SCENARIO + "/etcd-v3.3.0-go1.9.3-";
  static final String ZOOKEEPER = SCENARIO + "/zookeeper-r3.5.3-beta-java8-";
  static final String CONSUL = SCENARIO + "/consul-v1.0.2-go1.9.3-";

  private static final Pattern INPUT =
      Pattern.compile(
          ".*-(client-.*|server-disk-space-usage-summary|\\d-server-system-metrics-interpolated)"
              + "\\.csv");

  private final Path directory;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  /** Copies what the reference's analysis reads. */
  public ReferenceDirectory(Path directory) {
    this.directory = directory;
    try {
      Files.createDirectories(directory.resolve(SCENARIO));
      Files.copy(golden().resolve("config.yaml"), directory.resolve("config.yaml"));
      for (Path file : list(golden().resolve(SCENARIO))) {
        if (INPUT.matcher(file.toString()).matches()) {
          Files.copy(file, directory.resolve(SCENARIO).resolve(file.getFileName()));
        }
      }
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  /** Leaves only these plots in the configuration, as plots cost more than all else. */
  public ReferenceDirectory plots(String... columns) {
    String text = read("config.yaml");
    int from = text.indexOf("- column: ");
    int to = text.indexOf("analyze_readme:");
    List<String> wanted = Stream.of(columns).map(each -> "- column: " + each).toList();
    String left =
        Stream.of(text.substring(from, to).split("(?=- column: )"))
            .filter(plot -> wanted.contains(plot.lines().findFirst().orElseThrow()))
            .collect(Collectors.joining());
    write("config.yaml", text.substring(0, from) + left + text.substring(to));
    return this;
  }

  private static Path golden() {
    try {
      return Path.of(ReferenceDirectory.class.getResource("reference/config.yaml").toURI())
          .getParent();
    } catch (URISyntaxException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static List<Path> list(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.sorted().toList();
    }
  }

  /** Returns what the reference's analysis wrote, by the name of the file. */
  public static SortedMap<String, String> expected() throws IOException {
    SortedMap<String, String> texts = new TreeMap<>();
    for (Path file : list(golden().resolve(SCENARIO))) {
      if (!INPUT.matcher(file.toString()).matches()) {
        texts.put(file.getFileName().toString(), Files.readString(file));
      }
    }
    return texts;
  }

  /** Returns what we wrote, without plots, by the name of the file. */
  public SortedMap<String, String> written() throws IOException {
    SortedMap<String, String> texts = new TreeMap<>();
    for (Path file : list(directory.resolve("config-report").resolve(SCENARIO))) {
      if (!isPlot(file)) {
        texts.put(file.getFileName().toString(), Files.readString(file));
      }
    }
    return texts;
  }

  /** The names of the plots that we drew, in order. */
  public List<String> plots() throws IOException {
    return list(directory.resolve("config-report").resolve(SCENARIO)).stream()
        .filter(ReferenceDirectory::isPlot)
        .map(file -> file.getFileName().toString())
        .toList();
  }

  private static boolean isPlot(Path file) {
    return file.toString().endsWith(".svg") || file.toString().endsWith(".png");
  }

  public String written(String name) {
    return read("config-report/" + SCENARIO + "/" + name);
  }

  public Path path(String name) {
    return directory.resolve(name);
  }

  public String read(String name) {
    try {
      return Files.readString(path(name));
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  public void write(String name, String text) {
    try {
      Files.createDirectories(path(name).getParent());
      Files.writeString(path(name), text);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  /** Replaces the first occurrence of a text in a file. */
  public void replace(String name, String before, String after) {
    String text = read(name);
    if (!text.contains(before)) {
      throw new IllegalArgumentException(name + " has no " + before);
    }
    int at = text.indexOf(before);
    write(name, text.substring(0, at) + after + text.substring(at + before.length()));
  }

  /** Reports and returns the exit code. */
  public int report(String... options) {
    CommandLine command =
        new CommandLine(new ReportCommand())
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .setExecutionExceptionHandler(
                (failure, line, parsed) -> {
                  err.write(String.valueOf(failure.getMessage()));
                  return failure instanceof QuorateException ? Quorate.FAILED : Quorate.DEFECT;
                });
    String[] all = new String[options.length + 2];
    all[0] = "--reference";
    all[1] = path("config.yaml").toString();
    System.arraycopy(options, 0, all, 2, options.length);
    return command.execute(all);
  }

  public String out() {
    return out.toString();
  }

  public String err() {
    return err.toString();
  }
}
