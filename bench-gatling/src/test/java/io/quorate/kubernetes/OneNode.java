// SPDX-License-Identifier: Apache-2.0
package io.quorate.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.quorate.install.Installation;
import io.quorate.store.etcd.EtcdStore;
import io.quorate.stores.Stores;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A real Kubernetes of one node on this machine, which needs root, and is taken down in the end.
 */
final class OneNode implements AutoCloseable {
  private static final String TAG = ":test";

  /** The image of the load generator; containerd has it under Docker's registry. */
  static final String IMAGE = "quorate" + TAG;

  private static final Path HOME = Path.of(System.getProperty("quorate.home"));
  private static final Path SCRIPT = HOME.resolve("src/kubernetes/one-node/one-node.sh");
  private static final String VERSION = "1.34.4";

  private final Path directory;
  private final Path cache;
  private final Thread ending = new Thread(this::down, "one-node-down");

  private OneNode(Path directory, Path cache) {
    this.directory = directory;
    this.cache = cache;
  }

  /**
   * Starts it, with the images of the load generator and of the agent.
   *
   * @param directory that is missing yet, on a disk
   * @param distribution that is unpacked
   */
  static OneNode up(Path directory, Path distribution) throws Exception {
    Installation installation = Installation.of(System.getenv(), System.getProperties());
    OneNode node = new OneNode(directory, installation.cache().resolve("kubernetes"));
    node.script("programs", node.programs());
    node.script("rootfs", node.rootfs());
    Runtime.getRuntime().addShutdownHook(node.ending);
    try {
      Path etcd = installation.require(Stores.servers(EtcdStore.STORE).programs().get(0));
      node.script("up", directory, node.programs(), etcd);
      node.image("quorate", "load-generator", distribution);
      node.image("quorate-agent", "agent", distribution);
      return node;
    } catch (Exception | AssertionError failure) {
      node.close();
      throw failure;
    }
  }

  private void image(String name, String kind, Path distribution) throws Exception {
    Path dockerfile = HOME.resolve("src/docker/Dockerfile." + kind);
    String full = "docker.io/library/" + name + TAG;
    script("image", directory, full, dockerfile, rootfs(), distribution);
  }

  private Path programs() {
    return cache.resolve(VERSION);
  }

  private Path rootfs() {
    return cache.resolve("jre-17.tar");
  }

  private String script(Object... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(SCRIPT.toString()));
    List.of(arguments).forEach(each -> command.add(each.toString()));
    return output(Duration.ofMinutes(40), command);
  }

  /** Returns what kubectl prints; fails if it fails. */
  String kubectl(Object... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(programs().resolve("kubectl").toString());
    command.add("--kubeconfig=" + directory.resolve("kubeconfig"));
    List.of(arguments).forEach(each -> command.add(each.toString()));
    return output(Duration.ofMinutes(2), command);
  }

  private static String output(Duration limit, List<String> command)
      throws IOException, InterruptedException {
    Path output = Files.createTempFile("one-node", ".txt");
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      if (!process.waitFor(limit.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new AssertionError("still running: " + command + "\n" + Files.readString(output));
      }
      String text = Files.readString(output, UTF_8);
      if (process.exitValue() != 0) {
        throw new AssertionError(command + " ended with " + process.exitValue() + ":\n" + text);
      }
      return text;
    } finally {
      Files.delete(output);
    }
  }

  /** Waits for a condition; fails with what there is of all Pods and their output. */
  void await(String what, Supplier<Boolean> condition) throws Exception {
    long deadline = System.nanoTime() + Duration.ofMinutes(5).toNanos();
    while (!condition.get()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError(
            "no " + what + ":\n" + kubectl("get", "jobs,pods", "-o", "wide") + logs("quorate"));
      }
      Thread.sleep(1000);
    }
  }

  /** Returns the output of all Pods of a run, or of all runs. */
  String logs(String run) {
    String label =
        run.equals("quorate") ? "app.kubernetes.io/name=" : "app.kubernetes.io/instance=";
    try {
      return kubectl("logs", "-l", label + run, "--tail=-1", "--prefix", "--ignore-errors");
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    } catch (InterruptedException interrupt) {
      throw new AssertionError(interrupt);
    } catch (AssertionError notYet) {
      // a container that is being made has none
      return notYet.getMessage();
    }
  }

  /** Returns what has become of a Job: Complete, Failed, or nothing as long as it is at work. */
  String outcome(String job) {
    try {
      String conditions =
          kubectl(
              "get",
              "job",
              job,
              "-o",
              "jsonpath={range .status.conditions[?(@.status=='True')]}{.type} {end}");
      return conditions.contains("Failed ") || conditions.contains("Complete ")
          ? conditions.replaceAll(".*(Failed|Complete).*", "$1").strip()
          : "";
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    } catch (InterruptedException interrupt) {
      throw new AssertionError(interrupt);
    }
  }

  private void down() {
    try {
      script("down", directory);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    down();
    Runtime.getRuntime().removeShutdownHook(ending);
  }
}
