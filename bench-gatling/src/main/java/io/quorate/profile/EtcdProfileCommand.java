// SPDX-License-Identifier: Apache-2.0
package io.quorate.profile;

import io.quorate.cli.QuorateCommand;
import io.quorate.run.options.AccessArguments;
import io.quorate.run.options.ShortTime;
import io.quorate.store.etcd.EtcdStore;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Writes a scenario from the metrics of an etcd cluster. */
@Command(name = "etcd", resourceBundle = "io.quorate.run.options.commands")
final class EtcdProfileCommand extends QuorateCommand implements Callable<Integer> {
  private static final int MAX_KEY_BYTES = 4096;

  @Option(names = "--endpoints", required = true, paramLabel = "HOST:PORT")
  private String endpoints;

  @Option(
      names = "--duration",
      paramLabel = "TIME",
      defaultValue = "60s",
      converter = ShortTime.class)
  private Duration duration;

  @Option(names = "--key-size", paramLabel = "BYTES")
  private Optional<Integer> keySize;

  @Mixin private ProfileOutput output;
  @Mixin private AccessArguments access;

  @Override
  public Integer call() throws InterruptedException {
    if (keySize.filter(bytes -> bytes < 1 || bytes > MAX_KEY_BYTES).isPresent()) {
      throw wrongUsage("--key-size: found " + keySize.get() + ", expected 1 to 4096");
    }
    output.check();
    AccessArguments.NamedCluster cluster =
        access.cluster(EtcdStore.STORE, endpoints, System.getenv(), this::say);
    EtcdObservation observation = new EtcdObservation(cluster.endpoints(), cluster.access());
    say("observing etcd for %d s, without requests for keys ...".formatted(duration.toSeconds()));
    EtcdObservation.Result traffic = observation.observe(duration, this::say);
    OptionalInt given = keySize.map(OptionalInt::of).orElse(OptionalInt.empty());
    String scenario =
        new EtcdProfile(traffic, cluster.endpoints().size(), given).profile().scenario();
    output.write(scenario, out(), err());
    return 0;
  }

  private void say(String line) {
    err().println(line);
  }
}
