// SPDX-License-Identifier: Apache-2.0
package io.quorate.jmh;

import io.quorate.run.LoadGenerator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.NoBenchmarksException;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs the benchmarks of this module and writes their results as JSON; started by {@code mvn verify
 * -Pjmh}. {@code src/jmh/README.md} describes its properties.
 */
public final class Benchmarks {
  private static final DateTimeFormatter NAME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private Benchmarks() {}

  /** Runs the benchmarks; exit code 1 if one failed, or if no benchmark has the requested name. */
  public static void main(String... arguments) throws IOException, RunnerException {
    String include = System.getProperty("jmh.include", ".*");
    boolean smoke = Boolean.getBoolean("jmh.smoke");
    Options options = options(include, smoke);
    Collection<RunResult> measured = List.of();
    try {
      measured = new Runner(options).run();
    } catch (NoBenchmarksException none) {
      System.err.println("jmh.include '" + include + "': no benchmark has such a name; there are:");
      new Runner(new OptionsBuilder().build()).list();
      System.exit(1);
    }
    if (smoke) {
      System.out.println("every benchmark runs: " + measured.size());
      return;
    }
    Path results = Files.createDirectories(Path.of(System.getProperty("results", "results/jmh")));
    Path file = results.resolve(NAME.format(Instant.now()) + ".json");
    ResultFormatFactory.getInstance(ResultFormatType.JSON, file.toString()).writeOut(measured);
    System.out.println();
    measured.forEach(each -> System.out.println(line(each)));
    System.out.println("\nresults: " + file);
  }

  private static Options options(String include, boolean smoke) {
    OptionsBuilder options = new OptionsBuilder();
    options.include(include).shouldFailOnError(true);
    if (smoke) {
      options.forks(0).warmupIterations(0).measurementIterations(1);
      options.measurementTime(TimeValue.milliseconds(1));
      options.threads(1).verbosity(VerboseMode.SILENT);
      return options.build();
    }
    boolean quick = Boolean.getBoolean("jmh.quick");
    options.forks(quick ? 1 : 3);
    options.warmupIterations(quick ? 3 : 5).warmupTime(TimeValue.seconds(1));
    options.measurementIterations(quick ? 3 : 5).measurementTime(TimeValue.seconds(1));
    options.jvmArgs(LoadGenerator.jvmArguments().toArray(String[]::new));
    options.addProfiler(GCProfiler.class);
    return options.build();
  }

  /**
   * Formats a result as one line; JMH's own table has a column for each parameter of each
   * benchmark, and wraps.
   */
  private static String line(RunResult result) {
    BenchmarkParams benchmark = result.getParams();
    String name = benchmark.getBenchmark();
    StringBuilder text = new StringBuilder();
    text.append(name.substring(name.lastIndexOf('.', name.lastIndexOf('.') - 1) + 1));
    for (String parameter : benchmark.getParamsKeys()) {
      text.append(' ').append(parameter).append('=').append(benchmark.getParam(parameter));
    }
    Result<?> time = result.getPrimaryResult();
    Result<?> allocated =
        Objects.requireNonNull(result.getSecondaryResults().get("gc.alloc.rate.norm"));
    return String.format(
        Locale.ROOT,
        "%-60s %12.1f +- %-10.1f %s %12.2f B/op",
        text,
        time.getScore(),
        time.getScoreError(),
        time.getScoreUnit(),
        allocated.getScore());
  }
}
