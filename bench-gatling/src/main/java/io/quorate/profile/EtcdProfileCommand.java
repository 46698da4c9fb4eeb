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
@Command(
    name = "etcd",
    description = {
      "Writes a scenario from the metrics of an etcd cluster.",
      "Reads /metrics of all members for a time. It sends no requests for keys."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  ./quorate profile etcd --endpoints 10.0.0.1:2379,10.0.0.2:2379,10.0.0.3:2379",
      "  ./quorate profile etcd --endpoints 10.0.0.1:2379 --output mine.yaml",
      "  ./quorate run mine.yaml"
    })
final class EtcdProfileCommand extends QuorateCommand implements Callable<Integer> {
  private static final int MAX_KEY_BYTES = 4096;

  @Option(
      names = "--endpoints",
      required = true,
      paramLabel = "HOST:PORT",
      description =
          "Addresses of all members, separated by commas, or env for ETCDCTL_ENDPOINTS. The"
              + " requests to other members are not counted.")
  private String endpoints;

  @Option(
      names = "--duration",
      paramLabel = "TIME",
      defaultValue = "60s",
      converter = ShortTime.class,
      description = "How long to observe, 5s to 10m (default: 60s).")
  private Duration duration;

  @Option(
      names = "--key-size",
      paramLabel = "BYTES",
      description = "Length of keys, 1 to 4096 (default: derived from the requests, otherwise 64).")
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
    err().flush();
  }
}
