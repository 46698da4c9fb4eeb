package io.quorate.gatling;

import io.quorate.QuorateException;
import io.quorate.driver.KeyValueDriver;
import io.quorate.measure.ErrorTally;
import io.quorate.measure.RunClock;
import io.quorate.measure.StepMeasurement;
import io.quorate.measure.StepRecorder;
import io.quorate.scenario.DatabaseLoad;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The load that one database gets: what is prepared, the warm-up, and the steps that are measured.
 * Made before the servers are there; {@link #connectTo} tells where they are.
 */
public final class Load {
  /** Enough to keep any of the stores busy. */
  private static final int PREPARING_CLIENTS = 100;

  private final Scenario scenario;
  private final Workload workload;
  private final RunClock clock;
  private final List<LoadStep> steps = new ArrayList<>();
  private final int mostClients;
  private final int mostConnections;
  private final CompletableFuture<Connector> connector = new CompletableFuture<>();

  public Load(Scenario scenario, DatabaseLoad load, RunClock clock) {
    this.scenario = scenario;
    this.workload = new Workload(scenario);
    this.clock = clock;
    this.mostClients = load.steps().stream().mapToInt(Step::clients).max().orElseThrow();
    this.mostConnections = load.steps().stream().mapToInt(Step::connections).max().orElseThrow();
    long firstIndex = 0;
    for (Step step : load.steps()) {
      steps.add(new LoadStep(step, firstIndex, workload.measured(), clock, this::open));
      firstIndex += step.requests();
    }
  }

  /** The measured steps, in order. */
  public List<LoadStep> steps() {
    return List.copyOf(steps);
  }

  /** Where the servers are; before the first request. */
  public void connectTo(Connector servers) {
    connector.complete(servers);
  }

  /** Lets no further request begin; those under way end as they may. */
  public void cancel() {
    steps.forEach(LoadStep::cancel);
  }

  /**
   * Writes the keys that have to be there, makes the warm-up requests and removes what they left.
   * Blocks until that is done.
   *
   * @param announcement told in words what begins
   * @throws QuorateException if a key could not be written or no warm-up request succeeded
   */
  public void prepare(Consumer<String> announcement) {
    List<KeyValueDriver> connections = open(mostConnections);
    try {
      if (!workload.createsItsKeys()) {
        long keys = scenario.keys().count();
        announcement.accept("writing the " + keys + " keys that the requests work on");
        run(workload.prepare(), keys, PREPARING_CLIENTS, connections, keys);
      }
      if (scenario.warmUp() > 0) {
        announcement.accept("warming up with " + scenario.warmUp() + " requests");
        run(workload.warmUp(), scenario.warmUp(), mostClients, connections, 1);
        if (workload.createsItsKeys()) {
          run(workload.cleanUp(), scenario.warmUp(), PREPARING_CLIENTS, connections, 0);
        }
      }
    } finally {
      connections.forEach(KeyValueDriver::close);
    }
  }

  private void run(
      Request request,
      long requests,
      int clients,
      List<KeyValueDriver> connections,
      long neededSuccesses) {
    StepRecorder recorder = new StepRecorder(clients, clock);
    ClosedLoop loop = new ClosedLoop(new Budget(0, requests), request, recorder);
    loop.run((int) Math.min(clients, requests), connections).join();
    StepMeasurement measured = recorder.measurement();
    if (measured.successes().count() < neededSuccesses) {
      ErrorTally most = measured.errors().get(0);
      throw new QuorateException(
          "%d of %d requests before the first measured one failed, most often (%d times): %s: %s"
              .formatted(
                  requests - measured.successes().count(),
                  requests,
                  most.count(),
                  most.kind(),
                  most.message()));
    }
  }

  private List<KeyValueDriver> open(int connections) {
    return connector.join().open(connections);
  }
}
