package io.quorate.kubernetes;

import java.io.PrintWriter;
import java.time.Instant;
import java.util.Iterator;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The {@code quorate kubernetes render} command. */
@Command(
    name = "render",
    description = {
      "Prints manifests for Kubernetes: a Job of load generators that make the load of a scenario"
          + " on given servers together, and one that merges their runs.",
      "The scenario is checked as by 'quorate run', and is part of the manifests. Nothing is"
          + " started, and no cluster is asked."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  ./quorate kubernetes render --scenario ycsb-a --database etcd --shards 8 \\",
      "      --endpoints etcd-0.etcd:2379,etcd-1.etcd:2379 | kubectl apply -f -",
      "  ./quorate kubernetes render --scenario my.yaml --endpoints 10.0.0.1:2379 \\",
      "      --shards 2 --overlay one-node --image quorate:0.1"
    })
final class RenderCommand implements Callable<Integer> {
  @Option(
      names = "--scenario",
      required = true,
      paramLabel = "SCENARIO",
      description = "The name of a scenario, or a file.")
  private String scenario;

  @Option(
      names = "--shards",
      defaultValue = "1",
      paramLabel = "N",
      description = "Number of load generators, a Pod each (default: ${DEFAULT-VALUE}).")
  private int shards;

  @Option(
      names = "--endpoints",
      required = true,
      paramLabel = "HOST:PORT",
      description = "Addresses of the servers as Pods see them, separated by commas.")
  private String endpoints;

  @Option(
      names = "--database",
      paramLabel = "ID",
      description = "The database that the servers are (default: the only one of the scenario).")
  private Optional<String> database;

  @Option(
      names = "--scale",
      paramLabel = "PART",
      description = "Fraction of the requests to make, such as 0.01.")
  private Optional<String> scale;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description =
          "Name that all objects begin with, and directory of the results; a new one for each run"
              + " (default: the scenario's and the time).")
  private Optional<String> name;

  @Option(
      names = "--namespace",
      paramLabel = "NAMESPACE",
      description = "Namespace of all objects (default: kubectl's).")
  private Optional<String> namespace;

  @Option(
      names = "--image",
      defaultValue = "quorate",
      paramLabel = "IMAGE",
      description =
          "Image of src/docker/Dockerfile.load-generator, where the cluster gets it (default:"
              + " ${DEFAULT-VALUE}).")
  private String image;

  @Option(
      names = "--claim",
      paramLabel = "CLAIM",
      description =
          "A PersistentVolumeClaim that is there, for results (default: quorate-results, which is"
              + " among the manifests).")
  private Optional<String> claim;

  @Option(
      names = "--servers",
      paramLabel = "LABEL=VALUE",
      description =
          "Label of the servers' Pods, on whose nodes no load generator may run (default:"
              + " app.kubernetes.io/name is etcd, zookeeper or consul).")
  private Optional<String> servers;

  @Option(
      names = "--cpus",
      paramLabel = "CPUS",
      description = "Processors of each load generator, such as 4 or 500m (default: 2).")
  private Optional<String> cpus;

  @Option(
      names = "--memory",
      paramLabel = "MEMORY",
      description = "Memory of each load generator, such as 6Gi (default: 4Gi).")
  private Optional<String> memory;

  @Option(
      names = "--tls-secret",
      paramLabel = "SECRET",
      description =
          "Connect over TLS; ca.crt of this Secret has the certificates of the authorities to"
              + " trust.")
  private Optional<String> tlsSecret;

  @Option(
      names = "--client-certificate-secret",
      paramLabel = "SECRET",
      description = "Secret with tls.crt and tls.key, if the servers require a certificate.")
  private Optional<String> clientCertificateSecret;

  @Option(
      names = "--credentials-secret",
      paramLabel = "SECRET",
      description =
          "Secret whose entry credentials has the lines user: and password:, or the line token:.")
  private Optional<String> credentialsSecret;

  @Option(
      names = "--overlay",
      paramLabel = "OVERLAY",
      completionCandidates = Overlays.class,
      description =
          "one-node: on a cluster of one node, with the results in a directory of it;"
              + " no-shared-volume: without a volume for all Pods, and without merging.")
  private Optional<String> overlay;

  @Option(
      names = "--results",
      paramLabel = "DIR",
      description =
          "With --overlay one-node: the directory, which belongs to user 10001 (default:"
              + " /var/lib/quorate/results).")
  private Optional<String> results;

  @Option(
      names = "--start-at",
      paramLabel = "TIME",
      description =
          "With --overlay no-shared-volume: when to begin measuring, such as"
              + " 2026-11-22T12:00:00Z.")
  private Optional<String> startAt;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    AskedRun asked =
        new AskedRun(
            scenario,
            shards,
            endpoints,
            database,
            scale,
            name,
            namespace,
            image,
            claim,
            servers,
            cpus,
            memory,
            tlsSecret,
            clientCertificateSecret,
            credentialsSecret,
            overlay,
            results,
            startAt);
    String text = RenderedRun.of(asked, System.getProperties(), Instant.now()).text();
    PrintWriter out = spec.commandLine().getOut();
    out.print(text);
    out.flush();
    return 0;
  }

  /** The overlays, for shells to complete. */
  static final class Overlays implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return AskedRun.OVERLAYS.iterator();
    }
  }
}
