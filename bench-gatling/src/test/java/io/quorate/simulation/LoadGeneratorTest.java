package io.quorate.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.scenario.Shard;
import io.quorate.store.Endpoint;
import java.util.List;
import org.junit.jupiter.api.Test;

class LoadGeneratorTest {
  private static final List<Endpoint> HERE = Endpoint.parseList("127.0.0.1:2379,localhost:2380");
  private static final List<Endpoint> ELSEWHERE = Endpoint.parseList("127.0.0.1:2379,db:2379");

  @Test
  void shards_that_share_a_machine_compile_less() {
    assertThat(LoadGenerator.forSharedMachine(new Shard(2, 8), HERE))
        .containsExactly("-XX:TieredStopAtLevel=1");
  }

  @Test
  void others_compile_as_ever() {
    assertThat(LoadGenerator.forSharedMachine(new Shard(2, 8), ELSEWHERE)).isEmpty();
    assertThat(LoadGenerator.forSharedMachine(new Shard(2, 8), List.of())).isEmpty();
    assertThat(LoadGenerator.forSharedMachine(Shard.WHOLE, HERE)).isEmpty();
  }
}
