package io.quorate.network;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** Runs a relay until the process is ended. */
public final class RelayProcess {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final String PLAN = "relay.json";
  private static final String READY = "relay.ready";

  private RelayProcess() {}

  /**
   * Starts the relay that is planned in a directory, and makes a file there when it is ready.
   *
   * @param arguments the directory
   */
  public static void main(String[] arguments) throws InterruptedException {
    Path directory = Path.of(arguments[0]);
    try {
      RelayPlan plan = JSON.readValue(directory.resolve(PLAN).toFile(), RelayPlan.class);
      Relay.start(plan, System.err::println);
      Files.createFile(directory.resolve(READY));
      new CountDownLatch(1).await();
    } catch (IOException failure) {
      System.err.println("the relay cannot start: " + failure.getMessage());
      Runtime.getRuntime().exit(1);
    }
  }

  /** Writes the plan of a relay into its directory. */
  public static void write(RelayPlan plan, Path directory) throws IOException {
    JSON.writeValue(directory.resolve(PLAN).toFile(), plan);
  }

  /** Returns whether the relay of a directory has opened its gates. */
  public static boolean isReady(Path directory) {
    return Files.exists(directory.resolve(READY));
  }
}
