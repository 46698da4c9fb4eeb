package io.quorate.run;

import io.quorate.results.DatabaseDirectory;
import io.quorate.store.LoginVariables;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Finds the reason why a load generator ended before it had written its first manifest. */
final class StartFailure {
  private static final int MOST_LINES = 8;
  private static final int MOST_CHARACTERS = 1_000;
  private static final int TRIAL_SECONDS = 60;

  private StartFailure() {}

  /**
   * Returns the cause in one line.
   *
   * @param how it ended
   */
  static String reason(String how, DatabaseDirectory directory) throws InterruptedException {
    List<String> said = saidByJava();
    if (!said.isEmpty()) {
      return "the JVM of the load generator cannot be started with %s: %s"
          .formatted(String.join(" ", LoadGenerator.jvmArguments()), joined(said));
    }
    said = lines(LoadGenerator.log(directory));
    return "the load generator ended %s before it began%s"
        .formatted(how, said.isEmpty() ? "" : "; it said: " + joined(said));
  }

  /** Returns the output of java if it cannot start with these arguments; empty if it can. */
  private static List<String> saidByJava() throws InterruptedException {
    List<String> command = new ArrayList<>(List.of(LoadGenerator.java()));
    command.addAll(LoadGenerator.jvmArguments());
    command.add("-version");
    Path output = null;
    try {
      output = Files.createTempFile("quorate-java", ".txt");
      ProcessBuilder builder =
          new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
      LoginVariables.remove(builder.environment());
      Process trial = builder.start();
      if (!trial.waitFor(TRIAL_SECONDS, TimeUnit.SECONDS)) {
        trial.destroyForcibly();
        return List.of();
      }
      return trial.exitValue() == 0 ? List.of() : lines(output);
    } catch (IOException impossible) {
      return List.of(impossible.toString());
    } finally {
      remove(output);
    }
  }

  private static void remove(Path file) {
    try {
      if (file != null) {
        Files.deleteIfExists(file);
      }
    } catch (IOException nothing) {
      // the system empties its directory of temporary files
    }
  }

  private static List<String> lines(Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.UTF_8)
          .lines()
          .map(line -> line.replaceAll("\\p{Cntrl}", "?").strip())
          .filter(line -> !line.isEmpty())
          .limit(MOST_LINES)
          .toList();
    } catch (IOException unreadable) {
      return List.of();
    }
  }

  private static String joined(List<String> lines) {
    String all = lines.stream().distinct().collect(Collectors.joining("; "));
    return all.length() > MOST_CHARACTERS ? all.substring(0, MOST_CHARACTERS) + "..." : all;
  }
}
