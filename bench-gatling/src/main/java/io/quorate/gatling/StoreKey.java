// SPDX-License-Identifier: Apache-2.0
package io.quorate.gatling;

import io.gatling.core.CoreComponents;
import io.gatling.core.config.GatlingConfiguration;
import io.gatling.core.protocol.Protocol;
import io.gatling.core.protocol.ProtocolKey;
import io.gatling.core.structure.ScenarioContext;
import io.quorate.QuorateException;
import io.quorate.store.etcd.EtcdStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import scala.Function1;

/** The place of the protocol of one store among the protocols of a simulation. */
record StoreKey(Class<?> type) implements ProtocolKey<StoreProtocol<?>, StoreComponents> {
  /**
   * Returns the running protocol of an action.
   *
   * @param on protocol that the action names; null for the only one of the simulation
   */
  static StoreComponents of(ScenarioContext context, @Nullable StoreProtocol<?> on, Object action) {
    List<StoreComponents> present =
        Stream.of(EtcdProtocol.class, ZooKeeperProtocol.class, ConsulProtocol.class)
            .map(type -> context.protocolComponentsRegistry().components(new StoreKey(type)))
            .filter(each -> !each.protocol().endpoints.isEmpty())
            .filter(each -> on == null || on == each.protocol())
            .toList();
    if (present.size() != 1) {
      throw new QuorateException(
          "%s: the simulation has the protocols %s, expected %s"
              .formatted(
                  action,
                  present.stream().map(StoreComponents::protocol).toList(),
                  on == null ? "one, or on(...) to choose" : on));
    }
    return present.get(0);
  }

  @Override
  @SuppressWarnings({"unchecked", "rawtypes"}) // Scala requires Class<Protocol> itself
  public Class<Protocol> protocolClass() {
    return (Class) type;
  }

  @Override
  public StoreProtocol<?> defaultProtocolValue(GatlingConfiguration configuration) {
    return new EtcdProtocol(EtcdStore.STORE, List.of());
  }

  /** Returns the components of each protocol once, for all populations. */
  @Override
  public Function1<StoreProtocol<?>, StoreComponents> newComponents(CoreComponents core) {
    Map<StoreProtocol<?>, StoreComponents> all = new HashMap<>();
    return protocol -> all.computeIfAbsent(protocol, absent -> new StoreComponents(core, protocol));
  }
}
