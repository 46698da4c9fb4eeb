// SPDX-License-Identifier: Apache-2.0
package io.quorate.simulation;

import io.gatling.core.CoreComponents;
import io.gatling.core.config.GatlingConfiguration;
import io.gatling.core.protocol.Protocol;
import io.gatling.core.protocol.ProtocolComponents;
import io.gatling.core.protocol.ProtocolKey;
import io.gatling.core.session.Session;
import io.gatling.javaapi.core.ProtocolBuilder;
import io.quorate.measure.RunClock;
import scala.Function1;
import scala.runtime.BoxedUnit;

/**
 * The Gatling protocol shared by all key-value actions of a simulation: converts times of the nano
 * clock to the milliseconds since 1970 of Gatling's statistics.
 */
public record KeyValueProtocol(RunClock clock) implements Protocol, ProtocolBuilder {
  static final ProtocolKey<KeyValueProtocol, Components> KEY =
      new ProtocolKey<>() {
        @Override
        @SuppressWarnings({"unchecked", "rawtypes"}) // Scala requires Class<Protocol> itself
        public Class<Protocol> protocolClass() {
          return (Class) KeyValueProtocol.class;
        }

        @Override
        public KeyValueProtocol defaultProtocolValue(GatlingConfiguration configuration) {
          throw new IllegalStateException("the simulation must name its KeyValueProtocol");
        }

        @Override
        public Function1<KeyValueProtocol, Components> newComponents(CoreComponents core) {
          return Components::new;
        }
      };

  @Override
  public Protocol protocol() {
    return this;
  }

  /** Converts a time of the nano clock to milliseconds since 1970. */
  long millis(long nanos) {
    return Math.floorDiv(clock.unixNanos(nanos), 1_000_000L);
  }

  record Components(KeyValueProtocol protocol) implements ProtocolComponents {
    @Override
    public Function1<Session, Session> onStart() {
      return session -> session;
    }

    @Override
    public Function1<Session, BoxedUnit> onExit() {
      return session -> BoxedUnit.UNIT;
    }
  }
}
