// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.quorate.load.workload.RequestSource;
import io.quorate.load.workload.Workload;
import io.quorate.scenario.KeySpace;
import io.quorate.scenario.LoadShare;
import io.quorate.scenario.OperationMix;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.Scenarios;
import io.quorate.scenario.Steps;
import io.quorate.scenario.StoreLoad;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.ErrorKind;
import io.quorate.store.Operation;
import io.quorate.store.ReadConsistency;
import io.quorate.store.Request;
import io.quorate.store.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/** Makes the requests of a mix, keeps what is sent, and answers it as a test wishes. */
public abstract class SentRequests {
  public static final int REQUESTS = 20_000;
  public static final int KEYS = 500;

  public final List<Request> sent = new ArrayList<>();
  public final List<String> outcomes = new ArrayList<>();

  /** Connection that keeps what it was asked, and answers as a test wishes. */
  public Connection answering(BiConsumer<Request, Completion> answer) {
    return new Connection() {
      @Override
      public void submit(Request request, Completion completion) {
        sent.add(request);
        answer.accept(request, completion);
      }

      @Override
      public void close() {}
    };
  }

  public final Completion outcome =
      new Completion() {
        @Override
        public void answered(Answer answer) {
          outcomes.add(answer.getClass().getSimpleName());
        }

        @Override
        public void failed(ErrorKind kind, String message) {
          outcomes.add(kind + ": " + message);
        }
      };

  public static RequestSource requests(OperationMix mix, KeySpace.Order order, int valueBytes) {
    Scenario scenario =
        Scenarios.of(
            mix,
            ReadConsistency.SERIALIZABLE,
            REQUESTS,
            100,
            new KeySpace(6, order, KEYS, true, KeySpace.USUAL_HOT_SET),
            valueBytes,
            Duration.ofSeconds(5),
            new StoreLoad(MemoryStore.STORE, List.of(Steps.closed(1, 1, REQUESTS))));
    return workload(scenario).measured();
  }

  private static Workload workload(Scenario scenario) {
    return new Workload(LoadShare.whole(scenario, scenario.databases().get(0)));
  }

  public static RequestSource prepared() {
    Scenario scenario =
        Scenarios.of(
            OperationMix.of(Operation.COMPARE_AND_SET),
            ReadConsistency.SERIALIZABLE,
            REQUESTS,
            100,
            new KeySpace(6, KeySpace.Order.SEQUENTIAL, KEYS, true, KeySpace.USUAL_HOT_SET),
            16,
            Duration.ofSeconds(5),
            new StoreLoad(MemoryStore.STORE, List.of(Steps.closed(1, 1, REQUESTS))));
    return workload(scenario).preparing().writeKeys();
  }

  public static String text(byte[] bytes) {
    return new String(bytes, US_ASCII);
  }
}
