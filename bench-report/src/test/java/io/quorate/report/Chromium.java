// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A browser without a window that has opened an address, until it is closed. */
final class Chromium implements AutoCloseable {
  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome");

  private final Process process;
  private final Path log;

  private Chromium(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /** The first that is there. */
  static Optional<Path> program() {
    Optional<Path> given = Optional.ofNullable(System.getenv("QUORATE_CHROMIUM")).map(Path::of);
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    Stream<Path> found =
        NAMES.stream()
            .flatMap(
                name ->
                    Stream.of(path.split(File.pathSeparator))
                        .filter(directory -> !directory.isEmpty())
                        .map(directory -> Path.of(directory, name)));
    return Stream.concat(given.stream(), found).filter(Files::isExecutable).findFirst();
  }

  /**
   * Opens an address.
   *
   * @param home for all its files
   * @param dark whether the reader prefers it
   */
  static Chromium open(Path home, String address, boolean dark) {
    Path log = home.resolve("chromium.log");
    List<String> command = new ArrayList<>();
    command.add(program().orElseThrow().toString());
    command.addAll(
        List.of(
            "--headless=new",
            // its own sandbox needs rights that a container often lacks; it only opens our pages
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--enable-logging=stderr",
            "--user-data-dir=" + home.resolve("profile"),
            "--window-size=3000,1200",
            "--blink-settings=preferredColorScheme=" + (dark ? 0 : 1),
            address));
    try {
      ProcessBuilder builder =
          new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
      builder.environment().put("TMPDIR", home.toString());
      return new Chromium(builder.start(), log);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  /** Returns what pages, and the browser about them, wrote to the console. */
  List<String> console() {
    return lines().filter(line -> line.contains("CONSOLE")).toList();
  }

  /** All that it printed. */
  Stream<String> lines() {
    try {
      return Files.readString(log).lines();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  @Override
  public void close() {
    List<ProcessHandle> children = process.descendants().toList();
    process.destroy();
    try {
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException interrupt) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    children.forEach(ProcessHandle::destroyForcibly);
  }
}
