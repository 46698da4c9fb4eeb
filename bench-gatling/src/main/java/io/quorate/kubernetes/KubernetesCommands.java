package io.quorate.kubernetes;

import io.quorate.cli.CommandProvider;
import java.util.List;

/** Provides the commands for Kubernetes. */
public final class KubernetesCommands implements CommandProvider {
  @Override
  public List<Object> commands() {
    return List.of(new KubernetesCommand());
  }
}
