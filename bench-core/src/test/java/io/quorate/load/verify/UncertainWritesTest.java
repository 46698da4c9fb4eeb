// SPDX-License-Identifier: Apache-2.0
package io.quorate.load.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.QuorateException;
import io.quorate.load.TamperedLoad;
import io.quorate.measure.Verification;
import io.quorate.measure.Verification.Fault;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.DriverSettings;
import io.quorate.store.ErrorKind;
import io.quorate.store.Request;
import io.quorate.store.StoreClient;
import io.quorate.store.memory.MemoryStore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Reads back after writes of which not all is known, and from servers that are gone. */
class UncertainWritesTest {
  private final StoreClient memory = MemoryStore.STORE.clients().get(0).start();

  @AfterEach
  void close() {
    memory.close();
  }

  /** A client that passes on requests or answers otherwise than it should. */
  private record AlteredClient(StoreClient client, Alteration alteration) implements StoreClient {
    /** Passes a request on to the store, or ends it. */
    private interface Alteration {
      void submit(Request request, Completion completion, Connection store);
    }

    @Override
    public Connection open(DriverSettings settings) {
      Connection store = client.open(settings);
      return new Connection() {
        @Override
        public void submit(Request request, Completion completion) {
          alteration.submit(request, completion, store);
        }

        @Override
        public void close() {
          store.close();
        }
      };
    }

    @Override
    public void close() {
      client.close();
    }
  }

  @Test
  void a_value_that_the_store_said_it_did_not_write_is_wrong() throws Exception {
    String few =
        TamperedLoad.UPDATES
            .replace("operation: put", "operation: compare-and-set")
            .replace("20000", "20")
            .replace("warm-up: 20", "warm-up: 0")
            .replace("clients: 4", "clients: 1");
    try (TamperedLoad load = TamperedLoad.made(few, denying())) {
      assertThat(load.firstStep().recorder().errorCount()).isEqualTo(7);
      Verification found = load.verify();
      assertThat(found.firstFaults())
          .extracting(Fault::key)
          .containsExactly("0000000000000002", "0000000000000005", "0000000000000008");
      assertThat(found.firstFaults().get(0).found())
          .isEqualTo("the read value belongs to a write that was not carried out");
    }
  }

  /**
   * Returns a client that reports a third of all compare-and-sets as conflicts, though they
   * succeeded.
   */
  private StoreClient denying() {
    AtomicInteger sets = new AtomicInteger();
    return new AlteredClient(
        memory,
        (request, completion, store) -> {
          boolean lies =
              request instanceof Request.CompareAndSet && sets.getAndIncrement() % 3 == 0;
          store.submit(request, lies ? new Denied(completion) : completion);
        });
  }

  private record Denied(Completion completion) implements Completion {
    @Override
    public void answered(Answer answer) {
      completion.answered(Answer.CONFLICT);
    }

    @Override
    public void failed(ErrorKind kind, String message) {
      completion.failed(kind, message);
    }
  }

  @Test
  void writes_of_which_nobody_knows_may_be_there_or_not() throws Exception {
    try (TamperedLoad load =
        TamperedLoad.made(TamperedLoad.CREATES.replace("warm-up: 20", "warm-up: 0"), silencing())) {
      Verification found = load.verify();
      assertThat(load.firstStep().recorder().errorCount()).isPositive();
      assertThat(found.acknowledgedKeys()).isEqualTo(334);
      assertThat(found.failed()).isFalse();
      assertThat(found.keyCount()).hasValue(667);
    }
  }

  /**
   * Returns a client that answers a third of all puts, carries out another third without an answer,
   * and does not carry out the rest.
   */
  private StoreClient silencing() {
    AtomicInteger puts = new AtomicInteger();
    return new AlteredClient(
        memory,
        (request, completion, store) -> {
          int turn = request instanceof Request.Put ? puts.getAndIncrement() % 3 : 0;
          if (turn == 1) {
            completion.failed(ErrorKind.TIMEOUT, "not carried out");
          } else {
            store.submit(request, turn == 2 ? new Silenced(completion) : completion);
          }
        });
  }

  private record Silenced(Completion completion) implements Completion {
    @Override
    public void answered(Answer answer) {
      completion.failed(ErrorKind.TIMEOUT, "carried out");
    }

    @Override
    public void failed(ErrorKind kind, String message) {
      completion.failed(kind, message);
    }
  }

  @Test
  void servers_that_cannot_be_reached_are_said_to_be_so() throws Exception {
    try (TamperedLoad load =
        TamperedLoad.made(TamperedLoad.CREATES, new Unreachable(memory, new AtomicInteger()))) {
      Verification found = load.verify();
      assertThat(found.failed()).isFalse();
      assertThat(found.text())
          .startsWith(
              "0 of 1,000 acknowledged keys verified, 1,000 could not be read: connection: "
                  + "gone");
    }
  }

  /** A client that opens no connection for reading back, whose requests have another deadline. */
  private record Unreachable(StoreClient client, AtomicInteger reads) implements StoreClient {
    @Override
    public Connection open(DriverSettings settings) {
      if (settings.requestTimeout().toSeconds() == 5) {
        throw new QuorateException("connection: gone");
      }
      return client.open(settings);
    }

    @Override
    public void close() {
      client.close();
    }
  }
}
