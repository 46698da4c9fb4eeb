package io.quorate.install;

import io.quorate.QuorateException;
import io.quorate.store.Database;
import io.quorate.store.Program;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Properties;

/** What is there to run each database with. */
public final class Inventory {
  /**
   * One database. All texts are fit for a terminal.
   *
   * @param installed whether its servers can be run here
   * @param version of the servers; empty if there are none or they do not say
   * @param licence of that version, else of the one that would be installed; an SPDX identifier
   * @param origin what led to the servers, in one or two words; empty if nothing did
   * @param details where they are, what they were made from, or how to get them
   */
  public record Entry(
      Database database,
      boolean installed,
      Optional<String> version,
      String licence,
      String origin,
      List<String> details) {
    public Entry {
      details = List.copyOf(details);
    }
  }

  private static final String APACHE = "Apache-2.0";

  private final Installation installation;

  public Inventory(Installation installation) {
    this.installation = installation;
  }

  /** All databases, in the order of {@link Database}. */
  public List<Entry> entries() {
    return Arrays.stream(Database.values()).map(this::entry).toList();
  }

  private Entry entry(Database database) {
    List<Program> programs = Program.programs(database);
    if (!programs.isEmpty()) {
      return entry(database, programs.get(programs.size() - 1));
    }
    boolean zooKeeper = database == Database.ZOOKEEPER;
    return new Entry(
        database,
        true,
        zooKeeper ? zooKeeperVersion() : Optional.empty(),
        APACHE,
        zooKeeper ? "its jars come with Quorate" : "a map in Quorate itself",
        List.of());
  }

  private Entry entry(Database database, Program own) {
    Optional<Installation.Found> found = Optional.empty();
    List<String> details = new ArrayList<>();
    try {
      found = installation.find(own);
      found.ifPresent(each -> details.addAll(details(each)));
      installation.obstacle(database).ifPresent(details::add);
    } catch (QuorateException wrongVariable) {
      details.add(Printable.of(wrongVariable.getMessage()));
    }
    own.licenceNote().ifPresent(details::add);
    Optional<String> version = found.flatMap(each -> version(own, each));
    return new Entry(
        database,
        isRunnable(database),
        version,
        version.map(own::licence).orElse(own.licence()),
        found.map(each -> origin(own, each)).orElse(""),
        details);
  }

  private boolean isRunnable(Database database) {
    try {
      return installation.isRunnable(database);
    } catch (QuorateException wrongVariable) {
      return false;
    }
  }

  private static List<String> details(Installation.Found found) {
    List<String> details = new ArrayList<>(List.of(Printable.of(found.executable().toString())));
    if (found.source() == Installation.Source.CACHE) {
      Origin.read(found.executable().getParent()).ifPresent(details::add);
    }
    return details;
  }

  private static String origin(Program program, Installation.Found found) {
    return switch (found.source()) {
      case VARIABLE -> program.variable();
      case CACHE -> "./quorate install";
      case PATH -> "PATH";
    };
  }

  /** What it reports; a program that cannot is known if it is in the cache. */
  private static Optional<String> version(Program program, Installation.Found found) {
    try {
      Optional<String> reported = ReportedVersion.of(program, found.executable());
      return reported.isPresent() || found.source() != Installation.Source.CACHE
          ? reported
          : Optional.of(program.version());
    } catch (IOException notRunnable) {
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
