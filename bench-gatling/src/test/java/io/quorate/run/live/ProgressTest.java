// SPDX-License-Identifier: Apache-2.0
package io.quorate.run.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.load.Connector;
import io.quorate.load.Load;
import io.quorate.load.RequestListener;
import io.quorate.load.RequestLog;
import io.quorate.load.RunningStep;
import io.quorate.measure.RunClock;
import io.quorate.scenario.LoadShare;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.yaml.ScenarioReader;
import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.StoreClient;
import io.quorate.store.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ProgressTest {
  private static final String SECONDS = "quorate.progress.seconds";
  private static final Pattern RATE = Pattern.compile("([\\d,]+)/s");

  @BeforeEach
  void set() {
    System.setProperty(SECONDS, "1");
  }

  @AfterEach
  void restore() {
    System.clearProperty(SECONDS);
  }

  @Test
  void the_first_line_counts_requests_per_second_from_the_first_request_on() throws Exception {
    Scenario scenario =
        ScenarioReader.read(
            "test.yaml",
            """
            title: Writes
            operation: put
            requests: 10_000
            cold-start: true
            keys: {size: 16}
            values: {size: 16}
            load: {clients: 1}
            databases: [memory]
            """,
            1);
    List<String> lines = new ArrayList<>();
    try (StoreClient memory = MemoryStore.STORE.clients().get(0).start()) {
      Load load =
          new Load(LoadShare.whole(scenario, scenario.databases().get(0)), RunClock.start());
      load.connectTo(
          new Connector(
              memory, List.of(new Endpoint("127.0.0.1", 1)), Duration.ofSeconds(5), Access.PLAIN));
      Progress progress = new Progress(MemoryStore.STORE, load, false, lines::add);
      long madeNanos = System.nanoTime();
      TimeUnit.SECONDS.sleep(1);

      RunningStep step = load.steps().get(0);
      step.join(new RequestLog(RequestListener.NOBODY)).get(60, TimeUnit.SECONDS);
      progress.add(step.recorder().operations().get(0).interval());
      progress.tick();

      double seconds = (System.nanoTime() - madeNanos) / 1e9;
      assertThat(lines).hasSize(1);
      Matcher rate = RATE.matcher(lines.get(0));
      assertThat(rate.find()).isTrue();
      assertThat(Double.parseDouble(rate.group(1).replace(",", "")))
          .isGreaterThan(10_000 / (seconds - 0.5));
    }
  }
}
