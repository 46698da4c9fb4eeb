// SPDX-License-Identifier: Apache-2.0
package io.quorate.network;

import io.quorate.Pause;
import io.quorate.QuorateException;
import io.quorate.format.StateFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/** Runs a relay until the process is ended. */
public final class RelayProcess {
  private static final String PLAN = "relay.json";
  private static final String READY = "relay.ready";

  private RelayProcess() {}

  /** Starts the relay whose plan is in a directory, and creates a file there when it is ready. */
  public static void main(String[] arguments) throws InterruptedException {
    Path directory = Path.of(arguments[0]);
    try {
      RelayPlan plan = read(directory);
      Relay relay = Relay.start(plan, LinkBytes.in(directory, plan), System.err::println);
      Files.createFile(directory.resolve(READY));
      if (plan.takesOrders()) {
        carryOutOrders(relay, new RelayControl(directory));
      }
      new CountDownLatch(1).await();
    } catch (IOException | QuorateException failure) {
      System.err.println("the relay ends: " + failure.getMessage());
      Runtime.getRuntime().exit(1);
    }
  }

  /** Never returns. */
  private static void carryOutOrders(Relay relay, RelayControl control)
      throws InterruptedException {
    while (true) {
      Optional<RelayOrder> order = control.nextOrder();
      if (order.isPresent()) {
        control.write(relay.carryOut(order.get()));
      }
      Pause.of(RelayControl.ORDER_POLL, "an order");
    }
  }

  public static void write(RelayPlan plan, Path directory) {
    plan(directory).write(plan);
  }

  /** Reads the plan of the relay in a directory. */
  static RelayPlan read(Path directory) {
    return plan(directory).read(RelayPlan.class).orElseThrow();
  }

  private static StateFile plan(Path directory) {
    return new StateFile(directory.resolve(PLAN));
  }

  public static boolean isReady(Path directory) {
    return Files.exists(directory.resolve(READY));
  }
}
