package io.quorate.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Tests which scheduling Linux gives the threads of an open loop, and those that they start. */
@EnabledOnOs(OS.LINUX)
class RealTimeTest {
  static final String USUAL = "0";
  static final String FIRST_IN_FIRST_OUT = "1";

  private record Seen(boolean given, String policy, String policyOfChild) {}

  @Test
  void aThreadHasItIfItSaysSoAndItsChildrenDoNot() {
    Seen seen =
        onANewThread(
            () -> {
              boolean given = RealTime.ask();
              return new Seen(given, policy(), onANewThread(RealTimeTest::policy));
            });

    assertThat(seen.policy()).isEqualTo(seen.given() ? FIRST_IN_FIRST_OUT : USUAL);
    assertThat(seen.policyOfChild()).isEqualTo(USUAL);
  }

  @Test
  void aThreadGivesItBack() {
    String policy =
        onANewThread(
            () -> {
              RealTime.ask();
              RealTime.end();
              return policy();
            });

    assertThat(policy).isEqualTo(USUAL);
  }

  private static <T> T onANewThread(Supplier<T> work) {
    CompletableFuture<T> result = new CompletableFuture<>();
    new Thread(() -> result.completeAsync(work, Runnable::run)).start();
    return result.join();
  }

  /** Returns the scheduling policy of the current thread: field 41 of {@code proc(5)}'s stat. */
  static String policy() {
    try {
      String stat = Files.readString(Path.of("/proc/thread-self/stat"));
      String afterName = stat.substring(stat.lastIndexOf(')') + 2);
      return afterName.split(" ")[41 - 3];
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
