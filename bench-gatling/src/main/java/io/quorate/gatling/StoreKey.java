// SPDX-License-Identifier: Apache-2.0
package io.quorate.gatling;

import io.gatling.core.CoreComponents;
import io.gatling.core.config.GatlingConfiguration;
import io.gatling.core.protocol.Protocol;
import io.gatling.core.protocol.ProtocolKey;
import io.gatling.core.structure.ScenarioContext;
import io.quorate.QuorateException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import scala.Function1;

/** The place of the protocol of one store in a simulation, which has one protocol of each class. */
record StoreKey(Class<?> type) implements ProtocolKey<StoreKey.Place, StoreComponents> {
  /** A protocol, as Gatling finds it. */
  interface Place extends Protocol {
    StoreProtocol of();
  }

  record Etcd(StoreProtocol of) implements Place {}

  record ZooKeeper(StoreProtocol of) implements Place {}

  record Consul(StoreProtocol of) implements Place {}

  /**
   * Returns the running protocol of an action.
   *
   * @param on protocol that the action names; null for the only one of the simulation
   */
  static StoreComponents of(ScenarioContext context, @Nullable StoreProtocol on, Object action) {
    List<StoreComponents> all =
        Stream.of(Etcd.class, ZooKeeper.class, Consul.class)
            .map(type -> context.protocolComponentsRegistry().components(new StoreKey(type)))
            .filter(each -> each.protocol != QuorateDsl.NO_PROTOCOL)
            .toList();
    List<StoreComponents> chosen =
        all.stream().filter(each -> on == null || on == each.protocol).toList();
    if (chosen.size() != 1) {
      throw new QuorateException(
          "%s: the simulation has the protocols %s, expected %s"
              .formatted(
                  action,
                  all.stream().map(each -> each.protocol).toList(),
                  on == null ? "one, or on(...) to choose" : on + ", the last one of its store"));
    }
    return chosen.get(0);
  }

  @Override
  @SuppressWarnings({"unchecked", "rawtypes"}) // Scala requires Class<Protocol> itself
  public Class<Protocol> protocolClass() {
    return (Class) type;
  }

  @Override
  public Place defaultProtocolValue(GatlingConfiguration configuration) {
    return new Etcd(QuorateDsl.NO_PROTOCOL);
  }

  /** Returns the components of each protocol once, for all populations. */
  @Override
  public Function1<Place, StoreComponents> newComponents(CoreComponents core) {
    Map<Place, StoreComponents> all = new HashMap<>();
    return place -> all.computeIfAbsent(place, absent -> new StoreComponents(core, place.of()));
  }
}
