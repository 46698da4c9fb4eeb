package io.quorate.load;

import io.quorate.load.workload.Workload;
import io.quorate.measure.RunClock;
import io.quorate.measure.StepRecorder;
import io.quorate.scenario.LoadModel;
import io.quorate.scenario.RequestLimit;
import io.quorate.store.Connection;
import io.quorate.store.Operation;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.LongConsumer;

/**
 * Makes one load after the other on connections that stay open, with further requests of a
 * workload: no number is used twice, so that what was acknowledged can be read back in the end. For
 * one thread, one trial at a time.
 */
public final class LoadTrials implements AutoCloseable {
  /** More requests than a closed loop of any of the stores makes. */
  private static final long MOST_PER_SECOND = 200_000;

  private final Workload workload;
  private final List<Operation> operations;
  private final List<Connection> connections;
  private final RunClock clock;
  private final Duration timeout;
  private final long seed;
  private final long end;
  private long next;

  /**
   * @param connections are closed with this
   * @param timeout after which a request has ended in any case
   * @param first number of a request that is not taken yet
   * @param end of the numbers
   */
  LoadTrials(
      Workload workload,
      List<Operation> operations,
      List<Connection> connections,
      RunClock clock,
      Duration timeout,
      long seed,
      long first,
      long end) {
    this.workload = workload;
    this.operations = operations;
    this.connections = connections;
    this.clock = clock;
    this.timeout = timeout;
    this.seed = seed;
    this.next = first;
    this.end = end;
  }

  /** Returns how many requests are left for trials. */
  public long requestsLeft() {
    return end - next;
  }

  /** Returns over how many connections requests are spread. */
  public int connections() {
    return connections.size();
  }

  /**
   * Begins a trial, which goes on until it is stopped, or for so long.
   *
   * @param settleSeconds that are not measured
   * @param seconds that it lasts at most, with those
   */
  public RunningTrial start(
      LoadModel model, List<RequestLimit> limits, int settleSeconds, int seconds) {
    return start(model, limits, settleSeconds, seconds, taken -> next += taken);
  }

  private RunningTrial start(
      LoadModel model,
      List<RequestLimit> limits,
      int settleSeconds,
      int seconds,
      LongConsumer whenEnded) {
    long most =
        model instanceof LoadModel.Open open
            ? Math.min(requestsLeft(), open.ratePerSecond() * seconds)
            : requestsLeft();
    StepRecorder recorder =
        new StepRecorder(
            connections.size(), clock, workload.operations(), model instanceof LoadModel.Open);
    CountedRequests requests =
        new CountedRequests(
            workload.measured(), operations, limits, settleSeconds, seconds, underWay(model));
    Budget budget = new Budget(next, most);
    Loop loop =
        model instanceof LoadModel.Open open
            ? new OpenLoop(
                budget,
                new Pacer(new DueTimes(open, seed + next), open.ratePerSecond(), most),
                requests,
                recorder,
                open.maxOutstanding(),
                connections.size())
            : new ClosedLoop(budget, requests, recorder, new RequestSpacing(OptionalLong.empty()));
    int clients = model instanceof LoadModel.Closed closed ? closed.clients() : connections.size();
    RunningTrial trial =
        new RunningTrial(budget, requests, recorder, connections, settleSeconds, seconds);
    trial.begin(loop, clients, whenEnded);
    return trial;
  }

  /**
   * Begins a load that goes on for its whole time, so that another one may begin before all of its
   * requests have ended.
   *
   * @param seconds that it lasts
   */
  public RunningTrial startWhole(LoadModel.Open load, List<RequestLimit> limits, int seconds) {
    RunningTrial trial = start(load, limits, 0, seconds, taken -> {});
    next += Math.min(requestsLeft(), load.ratePerSecond() * seconds);
    return trial;
  }

  /** Returns how far the numbers of requests that are under way may be apart. */
  private long underWay(LoadModel model) {
    long margin = 2;
    if (model instanceof LoadModel.Open open) {
      return margin * (open.ratePerSecond() * (timeout.toSeconds() + 1) + open.maxOutstanding());
    }
    int clients = ((LoadModel.Closed) model).clients();
    // the others make so many requests at most while one of them waits for its timeout
    return Math.max(clients, MOST_PER_SECOND * (timeout.toSeconds() + 1));
  }

  @Override
  public void close() {
    connections.forEach(Connection::close);
  }
}
