// SPDX-License-Identifier: Apache-2.0
package io.quorate.distribution;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.quorate.results.manifest.BuildInfo;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipFile;

/** A zip that this build has made, unpacked in a directory without a checkout above it. */
public final class UnpackedZip {
  /** The tools that the launcher and the guard of servers use: no mvn, go or git. */
  private static final List<String> TOOLS =
      List.of("sh", "bash", "cat", "locale", "readlink", "rm", "sed", "setsid", "sleep");

  private final Path home;
  private final Path tools;
  private final Path emptyHome;

  private UnpackedZip(Path home, Path tools, Path emptyHome) {
    this.home = home;
    this.tools = tools;
    this.emptyHome = emptyHome;
  }

  /** The zip of this version, which the build puts below the top directory before it tests. */
  static Path file() {
    String version = BuildInfo.ofThisBuild().version().orElseThrow();
    return Path.of(System.getProperty("quorate.home"), "target", "quorate-" + version + ".zip");
  }

  public static UnpackedZip in(Path directory) throws IOException {
    return in(directory, file());
  }

  static UnpackedZip in(Path directory, Path file) throws IOException {
    Path unpacked = Files.createDirectory(directory.resolve("with spaces, and ü"));
    try (ZipFile zip = ZipFile.builder().setPath(file).get()) {
      for (ZipArchiveEntry entry : Collections.list(zip.getEntries())) {
        Path path = unpacked.resolve(entry.getName());
        if (entry.isDirectory()) {
          Files.createDirectories(path);
        } else {
          Files.createDirectories(path.getParent());
          Files.copy(zip.getInputStream(entry), path);
          boolean executable = (entry.getUnixMode() & 0100) != 0;
          Files.setPosixFilePermissions(
              path, PosixFilePermissions.fromString(executable ? "r-xr-xr-x" : "r--r--r--"));
        }
      }
    }
    Path tools = Files.createDirectory(directory.resolve("tools"));
    for (String tool : TOOLS) {
      Files.createSymbolicLink(tools.resolve(tool), onPath(tool));
    }
    String name = file.getFileName().toString().replaceFirst("\\.zip$", "");
    return new UnpackedZip(
        unpacked.resolve(name), tools, Files.createDirectory(directory.resolve("empty-home")));
  }

  /** The directory with bin, lib and all others. */
  public Path home() {
    return home;
  }

  /** A process that has ended. */
  public record Ended(int exitCode, String output) {}

  /** Runs a command with nothing but Java and the tools on PATH. */
  public Ended run(Path directory, String... command) throws IOException, InterruptedException {
    return run(directory, Path.of(System.getProperty("java.home"), "bin"), command);
  }

  /** Runs a command with a directory of Java, and the tools, on PATH. */
  Ended run(Path directory, Path java, String... command) throws IOException, InterruptedException {
    Path output = Files.createTempFile(emptyHome.getParent(), "output", ".txt");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    Map<String, String> environment = builder.environment();
    environment.clear();
    environment.put("PATH", java + File.pathSeparator + tools);
    environment.put("HOME", emptyHome.toString());
    Process process = builder.start();
    if (!process.waitFor(5, TimeUnit.MINUTES)) {
      process.destroy();
      throw new AssertionError("still running: " + Files.readString(output, UTF_8));
    }
    return new Ended(process.exitValue(), Files.readString(output, UTF_8));
  }

  static Path onPath(String tool) {
    for (String each : System.getenv("PATH").split(File.pathSeparator)) {
      if (Files.isExecutable(Path.of(each, tool))) {
        return Path.of(each, tool);
      }
    }
    throw new AssertionError("no " + tool + " on PATH");
  }
}
