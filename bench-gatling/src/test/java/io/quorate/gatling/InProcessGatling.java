// SPDX-License-Identifier: Apache-2.0
package io.quorate.gatling;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatling.app.Gatling$;
import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.core.Simulation;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * Gatling with its injector in the JVM of a test, one at a time. Its users are counted at their
 * end.
 */
public final class InProcessGatling {
  private static final AtomicInteger SUCCEEDED = new AtomicInteger();
  private static final AtomicInteger FAILED = new AtomicInteger();

  private InProcessGatling() {}

  /** Returns the last step of each user. */
  public static Function<Session, Session> end() {
    return session -> {
      (session.isFailed() ? FAILED : SUCCEEDED).incrementAndGet();
      return session;
    };
  }

  /** Runs a simulation, all of whose users succeed, and returns their number. */
  public static int run(Class<? extends Simulation> simulation, Path directory) {
    SUCCEEDED.set(0);
    FAILED.set(0);
    // its log would need access to the internals of java.lang
    System.setProperty("gatling.conf.file", "gatling-without-report.conf");
    try {
      int exitCode =
          Gatling$.MODULE$.fromArgs(
              new String[] {
                "-s", simulation.getName(), "-rf", directory.toString(), "--no-reports"
              });
      assertThat(exitCode).isZero();
    } finally {
      System.clearProperty("gatling.conf.file");
    }
    assertThat(FAILED).hasValue(0);
    return SUCCEEDED.get();
  }
}
