package io.quorate.install;

import io.quorate.driver.Database;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What is there to run each database with. */
public final class Inventory {
  /**
   * One database.
   *
   * @param installed whether its servers can be run here
   * @param version of the servers; empty if there are none or they do not say
   * @param origin where the program is from, or how to get it
   */
  public record Entry(
      Database database, boolean installed, Optional<String> version, String origin) {}

  private static final long ANSWER_SECONDS = 10;
  private static final Pattern VERSION = Pattern.compile("\\d+\\.\\d+\\.\\d+\\S*");

  private final Installation installation;

  public Inventory(Installation installation) {
    this.installation = installation;
  }

  /** All databases, in the order of {@link Database}. */
  public List<Entry> entries() {
    return Arrays.stream(Database.values()).map(this::entry).toList();
  }

  private Entry entry(Database database) {
    return switch (database) {
      case ETCD -> entry(database, Program.ETCD);
      case CONSUL -> entry(database, Program.CONSUL);
      case ZETCD -> entry(database, Program.ZETCD);
      case CETCD -> entry(database, Program.CETCD);
      case ZOOKEEPER -> new Entry(database, true, zooKeeperVersion(), "its jars come with Quorate");
      case MEMORY -> new Entry(database, true, Optional.empty(), "a map in Quorate itself");
    };
  }

  private Entry entry(Database database, Program program) {
    return installation
        .find(program)
        .map(
            found ->
                new Entry(
                    database,
                    true,
                    reportedVersion(found),
                    found.executable()
                        + switch (found.source()) {
                          case VARIABLE -> " (" + program.variable() + ")";
                          case CACHE -> " (./quorate install)";
                          case PATH -> " (PATH)";
                        }))
        .orElseGet(() -> new Entry(database, false, Optional.empty(), program.missing()));
  }

  /** The first thing that looks like one in what {@code --version} prints. */
  private static Optional<String> reportedVersion(Installation.Found found) {
    try {
      Process process =
          new ProcessBuilder(found.executable().toString(), "--version")
              .redirectErrorStream(true)
              .start();
      process.getOutputStream().close();
      if (!process.waitFor(ANSWER_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        return Optional.empty();
      }
      byte[] output = process.getInputStream().readNBytes(4_096);
      Matcher version = VERSION.matcher(new String(output, StandardCharsets.UTF_8));
      return version.find() ? Optional.of(version.group()) : Optional.empty();
    } catch (IOException notRunnable) {
      return Optional.empty();
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  private static Optional<String> zooKeeperVersion() {
    String resource = "/META-INF/maven/org.apache.zookeeper/zookeeper/pom.properties";
    try (InputStream in = Inventory.class.getResourceAsStream(resource)) {
      if (in == null) {
        return Optional.empty();
      }
      Properties properties = new Properties();
      properties.load(in);
      return Optional.ofNullable(properties.getProperty("version"));
    } catch (IOException unreadable) {
      return Optional.empty();
    }
  }
}
