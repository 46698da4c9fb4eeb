// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.quorate.cluster.Await;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A browser without a window, in which tabs are opened one after the other until it is closed. */
final class Chromium implements AutoCloseable {
  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome");
  private static final Pattern PORT = Pattern.compile("DevTools listening on ws://[^:]*:(\\d+)/");
  private static final Duration LIMIT = Duration.ofMinutes(2);

  private final Process process;
  private final Path log;
  private final HttpClient tools = HttpClient.newHttpClient();
  private final String port;

  private Chromium(Process process, Path log) {
    this.process = process;
    this.log = log;
    Await.until("Chromium listens", LIMIT, () -> lines().anyMatch(Chromium::isListening));
    Matcher found = PORT.matcher(lines().filter(Chromium::isListening).findFirst().orElseThrow());
    found.find();
    port = found.group(1);
  }

  private static boolean isListening(String line) {
    return PORT.matcher(line).find();
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
   * Starts a browser.
   *
   * @param home for all its files
   * @param dark whether the reader prefers it
   */
  static Chromium start(Path home, boolean dark) {
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
            "--remote-debugging-port=0",
            "about:blank"));
    try {
      ProcessBuilder builder =
          new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
      builder.environment().put("TMPDIR", home.toString());
      Process started = builder.start();
      try {
        return new Chromium(started, log);
      } catch (AssertionError never) {
        started.destroyForcibly();
        throw never;
      }
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  /** Opens an address in a new tab. */
  Tab open(String address) {
    long before = lines().count();
    String description =
        tool("new?" + URLEncoder.encode(address, StandardCharsets.UTF_8).replace("+", "%20"));
    try {
      return new Tab(new ObjectMapper().readTree(description).path("id").asText(), before);
    } catch (IOException unexpected) {
      throw new AssertionError(description, unexpected);
    }
  }

  /** A tab, until it is closed. */
  final class Tab implements AutoCloseable {
    private final String id;
    private final long before;

    private Tab(String id, long before) {
      this.id = id;
      this.before = before;
    }

    /** Returns what its pages, and the browser about them, wrote to the console. */
    List<String> console() {
      return lines().filter(line -> line.contains("CONSOLE")).toList();
    }

    /** All that the browser printed since it was opened. */
    Stream<String> lines() {
      return Chromium.this.lines().skip(before);
    }

    @Override
    public void close() {
      tool("close/" + id);
    }
  }

  private String tool(String command) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/json/" + command))
            .PUT(HttpRequest.BodyPublishers.noBody())
            .timeout(LIMIT)
            .build();
    try {
      HttpResponse<String> answer = tools.send(request, HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() != 200) {
        throw new AssertionError(command + ": " + answer.statusCode() + " " + answer.body());
      }
      return answer.body();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw new AssertionError(interrupt);
    }
  }

  private Stream<String> lines() {
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
