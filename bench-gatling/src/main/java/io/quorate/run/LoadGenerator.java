// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import io.gatling.app.Gatling;
import io.gatling.charts.component.ComponentLibrary;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.cli.Quorate;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.RunDirectory;
import io.quorate.run.live.ProgressInterval;
import io.quorate.run.options.RunOptions;
import io.quorate.run.options.RunSettings;
import io.quorate.store.Login;
import io.quorate.store.Store;
import io.quorate.store.server.JavaRuntime;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.prefs.AbstractPreferences;
import java.util.prefs.Preferences;
import java.util.prefs.PreferencesFactory;
import org.jspecify.annotations.Nullable;

/**
 * A separate process that generates the load on one database, so that no database inherits the heap
 * or the compiled code of another. Its messages go to the standard error of this process; Gatling's
 * output goes to {@code gatling.log}.
 */
public record LoadGenerator(Process process, long graceSeconds) {
  /**
   * Default JVM arguments: Gatling's own, and a heap for 1000 clients on 1000 connections. They are
   * the same for every database, rate and number of load generators, so that results are
   * comparable.
   */
  private static final List<String> DEFAULT_JVM_ARGUMENTS =
      List.of(
          "-Xms512m",
          "-Xmx2g",
          // the heap's pages are requested before the load, not by its first requests
          "-XX:+AlwaysPreTouch",
          // garbage of requests is collected rarely, since each collection stops the load
          "-XX:NewSize=256m",
          // otherwise the threads that have memory would continue, and the run would hang
          "-XX:+ExitOnOutOfMemoryError",
          // the JVM's choice would depend on the machine
          "-XX:+UseG1GC",
          // otherwise threads of the compiler end, and their CPU time with them
          "-XX:-UseDynamicNumberOfCompilerThreads",
          "-XX:MetaspaceSize=128m",
          "-XX:MaxInlineLevel=20",
          "-XX:MaxTrivialSize=12",
          // Netty checks one of 128 buffers for leaks, with a stack trace for each
          "-Dio.netty.leakDetection.level=disabled",
          "--add-opens=java.base/java.lang=ALL-UNNAMED",
          "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED");

  private static final int GRACE_SECONDS = 30;

  /** Further time in which a fault ends and all members serve again. */
  private static final int FAULTS_SECONDS = 150;

  /** Generates the load on one database of a run. */
  @FunctionalInterface
  public interface Launcher {
    /**
     * Generates the load to its end, and writes its files into the directory of the database.
     *
     * @param databasesLeft number of databases that the run measures after this one
     * @param early ends the load early
     * @return 0 if all requests were made and all files were written
     */
    int run(
        RunSettings settings, Store database, RunDirectory run, int databasesLeft, EarlyEnd early)
        throws InterruptedException;
  }

  /**
   * Launches a separate process, and waits for its end; the end of this process stops it.
   *
   * @return its exit code
   */
  public static int inProcess(
      RunSettings settings, Store database, RunDirectory run, int databasesLeft, EarlyEnd early)
      throws InterruptedException {
    if (settings.shards().shard().isEmpty()) { // the other shards would wait for this one
      early.listen(true);
    }
    List<String> jvmArguments =
        List.of("-D" + ProgressInterval.DATABASES_LEFT + "=" + databasesLeft);
    LoadGenerator generator = start(settings, database, run, jvmArguments);
    Thread stopping =
        new Thread(
            () -> {
              generator.stop();
              Console.lines("interrupted; " + early.continuation());
            },
            "stop-load-generator");
    Runtime.getRuntime().addShutdownHook(stopping);
    // Process.destroy would close its input as well, which ends it at once
    Runnable ending = generator.process().toHandle()::destroy;
    early.whenRequested(ending);
    int exitCode = generator.process().waitFor();
    early.forget(ending);
    forget(stopping);
    return exitCode;
  }

  /** Removes the shutdown hook; never returns while this process is ending. */
  private static void forget(Thread stopping) throws InterruptedException {
    try {
      Runtime.getRuntime().removeShutdownHook(stopping);
    } catch (IllegalStateException ending) {
      new CountDownLatch(1).await();
    }
  }

  /**
   * Writes the plan of a run, unless it exists, and starts the simulation of a database.
   *
   * @param jvmArguments additional arguments of the JVM
   */
  public static LoadGenerator start(
      RunSettings settings, Store database, RunDirectory run, List<String> jvmArguments) {
    List<String> command = command(jvmArguments);
    command.addAll(
        List.of(
            "-D" + Console.COLUMNS + "=" + Integer.getInteger(Console.COLUMNS, 0),
            "-D" + Quorate.STACKTRACE + "=" + Boolean.getBoolean(Quorate.STACKTRACE),
            "-D" + Quorate.VERBOSE + "=" + Quorate.isVerbose(),
            LoadGenerator.class.getName(),
            settings.plan().orElseThrow().write(run).toString(),
            database.id()));
    try {
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .redirectOutput(
                  log(new DatabaseDirectory(run.path().resolve(database.id()))).toFile())
              .redirectError(ProcessBuilder.Redirect.INHERIT);
      if (settings.servers().endpoints().isEmpty()) {
        builder.environment().keySet().removeAll(Login.VARIABLES);
      }
      return new LoadGenerator(
          builder.start(),
          GRACE_SECONDS
              + (settings.usesExistingCluster() ? RunPrefix.PATIENCE_SECONDS : 0)
              + (settings.readScenario().faults().isPresent() ? FAULTS_SECONDS : 0));
    } catch (IOException failure) {
      throw new QuorateException(
          "%s: the load generator cannot be started: %s".formatted(database, failure), failure);
    }
  }

  /** Returns a command with these arguments of the JVM, to which its main class is to be added. */
  public static List<String> command(List<String> more) {
    JavaRuntime java = JavaRuntime.of(System.getProperties());
    List<String> command = new ArrayList<>(List.of(java.executable().toString()));
    command.addAll(jvmArguments());
    command.addAll(more);
    command.addAll(List.of("-cp", java.classPath()));
    return command;
  }

  /** Returns the file for the output of Gatling, and of a JVM that cannot start. */
  static Path log(DatabaseDirectory directory) {
    return directory.path().resolve("gatling.log");
  }

  public static List<String> jvmArguments() {
    List<String> arguments = new ArrayList<>(DEFAULT_JVM_ARGUMENTS);
    arguments.addAll(JavaRuntime.optionsOfLibraries());
    String own = System.getProperty("quorate.jvmArgs", "").strip();
    arguments.addAll(own.isEmpty() ? List.of() : List.of(own.split("\\s+")));
    return arguments;
  }

  /** Ends it at once, and waits for its files, its servers and the removal of its keys. */
  public void stop() {
    try {
      process.getOutputStream().close();
    } catch (IOException ended) {
      process.destroy();
    }
    try {
      if (!process.waitFor(graceSeconds, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException interrupt) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  /** Runs the process {@code PLAN DATABASE}; it ends when the process that started it ends. */
  public static void main(String[] arguments) {
    Locale.setDefault(Locale.Category.FORMAT, Locale.ROOT);
    ParentProcess.exitWhenInputEnds(System.in);
    // Gatling creates the simulation, which gets no arguments
    System.setProperty(RunOptions.PLAN, arguments[0]);
    System.setProperty(RunOptions.DATABASE, arguments[1]);
    InMemoryPreferences.use();
    RunSettings settings = RunSettings.of(System.getProperties());
    System.setProperty(
        ProgressInterval.SECONDS, settings.options().values().get(ProgressInterval.SECONDS));
    String headline = settings.readScenario().headline();
    Path results = Path.of(arguments[0]).resolveSibling(arguments[1]);
    List<String> options =
        new ArrayList<>(
            List.of(
                "-s",
                simulation(settings.onlyDatabase()),
                "-rf",
                new DatabaseDirectory(results).gatling().toString(),
                // Gatling decodes a description that is valid Base64
                "-rd",
                Base64.getEncoder().encodeToString(headline.getBytes(StandardCharsets.UTF_8))));
    if (!settings.hasGatlingReport() || !hasCharts()) {
      System.setProperty("gatling.conf.file", "gatling-without-report.conf");
      options.add("--no-reports");
    }
    Gatling.main(options.toArray(String[]::new));
  }

  /** Returns the simulation that Gatling runs on a store, which is above this package. */
  private static String simulation(Store database) {
    String name =
        switch (database.base().id()) {
          case "etcd" -> "Etcd";
          case "zookeeper" -> "ZooKeeper";
          case "consul" -> "Consul";
          default -> "Database";
        };
    return "io.quorate.simulation." + name + "Simulation";
  }

  /**
   * Returns whether Gatling can write its report: the license of its chart module permits use but
   * not redistribution, so distributions of Quorate do not contain it.
   */
  static boolean hasCharts() {
    String service = "/META-INF/services/" + ComponentLibrary.class.getName();
    return LoadGenerator.class.getResource(service) != null;
  }

  static String absenceOfCharts(Path home) {
    // the version of the charts is that of Gatling's module that uses them
    String version = ComponentLibrary.class.getPackage().getImplementationVersion();
    String jar = "gatling-charts-highcharts-" + (version == null ? "VERSION" : version) + ".jar";
    return "Gatling's HTML report is not written, as its charts may not come with Quorate: for the"
        + " next run, put %s (io.gatling.highcharts, from Maven's repository) into %s"
            .formatted(jar, VisibleText.of(home.resolve("lib").toString()));
  }

  /**
   * Keeps the preferences of a load generator in memory only. They record a recent failed check for
   * a new release of Gatling, so Gatling contacts no host on the internet during the measurement.
   * It also needs no home directory, and does not complain about one that it cannot lock.
   */
  public static final class InMemoryPreferences implements PreferencesFactory {
    /** Key of the time of the last check in Gatling 3.15, which waits after a failure. */
    static final String LAST_LOOK = "lastCheckTimestamp";

    private final Preferences root = new Node(null, "");

    /** Makes Java use this class, unless preferences were used before. */
    static void use() {
      System.setProperty(PreferencesFactory.class.getName(), InMemoryPreferences.class.getName());
    }

    @Override
    public Preferences systemRoot() {
      return root;
    }

    @Override
    public Preferences userRoot() {
      return root;
    }

    private static final class Node extends AbstractPreferences {
      private final Map<String, String> values = new ConcurrentHashMap<>();

      Node(@Nullable AbstractPreferences parent, String name) {
        super(parent, name);
        values.put(LAST_LOOK, Long.toString(System.currentTimeMillis()));
      }

      @Override
      protected void putSpi(String key, String value) {
        values.put(key, value);
      }

      @Override
      protected @Nullable String getSpi(String key) {
        return values.get(key);
      }

      @Override
      protected void removeSpi(String key) {
        values.remove(key);
      }

      @Override
      protected void removeNodeSpi() {
        values.clear();
      }

      @Override
      protected String[] keysSpi() {
        return values.keySet().toArray(String[]::new);
      }

      @Override
      protected String[] childrenNamesSpi() {
        return new String[0]; // the superclass knows the existing nodes
      }

      @Override
      protected AbstractPreferences childSpi(String name) {
        return new Node(this, name);
      }

      @Override
      protected void syncSpi() {
        // there is no other storage
      }

      @Override
      protected void flushSpi() {
        // they are not stored
      }
    }
  }
}
