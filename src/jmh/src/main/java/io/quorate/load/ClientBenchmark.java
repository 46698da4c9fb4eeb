// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import io.gatling.commons.stats.Status;
import io.gatling.core.session.Block;
import io.gatling.core.session.Session;
import io.quorate.simulation.GatlingStatistics;
import io.quorate.simulation.LoadShape;
import io.quorate.load.workload.KeySequence;
import io.quorate.load.workload.RequestSource;
import io.quorate.load.workload.ValueCheck;
import io.quorate.load.workload.ValueSource;
import io.quorate.measure.RunClock;
import io.quorate.measure.StepRecorder;
import io.quorate.scenario.KeySpace;
import io.quorate.scenario.ValueSizes;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.ReadConsistency;
import io.quorate.store.Request;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import scala.collection.immutable.List$;
import scala.collection.immutable.Map$;

/**
 * Measures the cost of a request from the end of the previous one to its own end, with a driver
 * without cost: key, value, loop and recorder. It also measures the additional cost of Gatling's
 * statistics, which write their file on a separate thread.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ClientBenchmark {
  private static final int REQUESTS = 10_000;
  private static final long SEED = 42;

  private final RunClock clock = RunClock.start();
  private final StepRecorder recorder = new StepRecorder(1, clock, List.of(""), false);
  private final KeySequence keys =
      KeySequence.measured(
          new KeySpace(256, KeySpace.Order.SEQUENTIAL, 1_000_000, false, KeySpace.USUAL_HOT_SET),
          SEED);
  private final ValueSource values = new ValueSource(ValueSizes.fixed(1024), 1_000_000, SEED);
  private final RequestSource request =
      (connection, index, completion) ->
          connection.submit(Request.create(keys.ofRequest(index), values.at(index)), completion);
  private final byte[] prepared = values.at(0);
  private final RequestSource read =
      new RequestSource() {
        @Override
        public void send(Connection connection, long index, Completion completion) {
          connection.submit(
              new Request.Get(keys.ofRequest(index), ReadConsistency.SERIALIZABLE), completion);
        }

        @Override
        public ValueCheck check(long index, Answer answer) {
          return values.check(0, ((Answer.Found) answer).value());
        }
      };
  private GatlingStatistics statistics;
  private RequestLog log;

  @Setup
  public void start() throws IOException {
    statistics = new GatlingStatistics();
    Session session =
        new Session(
            "scenario",
            1,
            Map$.MODULE$.empty(),
            Status.apply("OK"),
            List$.MODULE$.<Block>empty(),
            Session.NothingOnExit(),
            null);
    log =
        new RequestLog(
            new LoadShape.StatsEngineListener(
                statistics.engine(), clock, session, List.of("request")));
  }

  @TearDown
  public void stop() throws IOException {
    RequestLog.told().join();
    statistics.close();
  }

  @Benchmark
  @OperationsPerInvocation(REQUESTS)
  public void withoutStatistics() {
    run(request, new RequestLog(RequestListener.NOBODY));
  }

  @Benchmark
  @OperationsPerInvocation(REQUESTS)
  public void withStatistics() {
    run(request, log);
  }

  @Benchmark
  @OperationsPerInvocation(REQUESTS)
  public void readWithoutStatistics() {
    run(read, new RequestLog(RequestListener.NOBODY));
  }

  private void run(RequestSource request, RequestLog told) {
    ClosedLoop loop =
        new ClosedLoop(
            new RequestCounter(0, REQUESTS),
            request,
            recorder,
            new RateLimiter(OptionalLong.empty()),
            ThinkTime.NONE);
    new ClosedLoop.Client(loop, 0, new NullDriver(prepared), told, () -> {}).start();
  }

  /** A driver whose requests succeed at once. */
  private record NullDriver(byte[] prepared) implements Connection {
    @Override
    public void submit(Request request, Completion completion) {
      completion.answered(
          request instanceof Request.Get
              ? new Answer.Found(prepared, Answer.NO_REVISION)
              : Answer.WRITTEN);
    }

    @Override
    public void close() {}
  }
}
