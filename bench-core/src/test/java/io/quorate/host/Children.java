// SPDX-License-Identifier: Apache-2.0
package io.quorate.host;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Programs that use a machine in ways that are known. They end when their input does. */
final class Children implements AutoCloseable {
  private final List<Process> processes = new ArrayList<>();

  /** Starts this class's main in a separate JVM and waits until it does what it should. */
  Process start(String what, String... arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-Xint", // without compiler threads, which start and end
                "-cp",
                System.getProperty("java.class.path"),
                Children.class.getName(),
                what));
    command.addAll(List.of(arguments));
    try {
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      processes.add(process);
      if (process.getInputStream().read() != '!') {
        throw new AssertionError(what + " did not start");
      }
      return process;
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  @Override
  public void close() {
    processes.forEach(Process::destroyForcibly);
  }

  /** One of: burn; threads COUNT; write FILE. */
  public static void main(String... arguments) throws IOException {
    switch (arguments[0]) {
      case "burn" -> inBackground(Children::burn);
      case "threads" -> {
        for (int i = 0; i < Integer.parseInt(arguments[1]); i++) {
          inBackground(Children::wakeAgainAndAgain);
        }
      }
      case "write" -> inBackground(() -> writeAgainAndAgain(Path.of(arguments[1])));
      default -> throw new IllegalArgumentException(arguments[0]);
    }
    System.out.print('!');
    System.out.flush();
    if (System.in.read() < 0) {
      Runtime.getRuntime().halt(0);
    }
  }

  private static void inBackground(Runnable work) {
    Thread thread = new Thread(work);
    thread.setDaemon(true);
    thread.start();
  }

  private static void burn() {
    double sum = 0;
    while (sum >= 0) {
      sum += Math.abs(Math.sin(sum));
    }
  }

  private static void wakeAgainAndAgain() {
    try {
      while (true) {
        Thread.sleep(5);
      }
    } catch (InterruptedException end) {
      Thread.currentThread().interrupt();
    }
  }

  private static void writeAgainAndAgain(Path file) {
    byte[] block = new byte[65_536];
    try {
      while (true) {
        try (OutputStream out = Files.newOutputStream(file)) {
          for (int i = 0; i < 64; i++) {
            out.write(block);
            Thread.sleep(2);
          }
        }
      }
    } catch (IOException | InterruptedException end) {
      throw new IllegalStateException(end);
    }
  }
}
