package io.quorate.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.scenario.Shard;
import io.quorate.store.Endpoint;
import java.util.List;
import org.junit.jupiter.api.Test;

class LoadGeneratorTest {
  private static final List<Endpoint> HERE = Endpoint.parseList("127.0.0.1:2379,localhost:2380");
  private static final List<Endpoint> ELSEWHERE = Endpoint.parseList("127.0.0.1:2379,db:2379");
  private static final List<String> ALONE = List.of("-XX:+UseG1GC");

  @Test
  void shards_that_share_a_machine_compile_less_and_collect_with_one_thread() {
    assertThat(LoadGenerator.forMachine(new Shard(2, 8), HERE, "Mac OS X"))
        .containsExactly("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");
  }

  @Test
  void on_linux_they_have_large_pages_too() {
    assertThat(LoadGenerator.forMachine(new Shard(2, 8), HERE, "Linux"))
        .containsExactly(
            "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:+UseTransparentHugePages");
  }

  @Test
  void others_have_the_machine_for_themselves() {
    assertThat(LoadGenerator.forMachine(new Shard(2, 8), ELSEWHERE, "Linux")).isEqualTo(ALONE);
    assertThat(LoadGenerator.forMachine(new Shard(2, 8), List.of(), "Linux")).isEqualTo(ALONE);
    assertThat(LoadGenerator.forMachine(Shard.WHOLE, HERE, "Linux")).isEqualTo(ALONE);
  }
}
