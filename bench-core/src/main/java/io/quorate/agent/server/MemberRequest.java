package io.quorate.agent.server;

import io.quorate.QuorateException;
import io.quorate.agent.Protocol;
import io.quorate.agent.wire.Plan;
import io.quorate.store.ServerSettings;
import io.quorate.store.Store;
import io.quorate.stores.Stores;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The member that a load generator asks an agent to run, checked.
 *
 * @param index from 1
 * @param members of the whole cluster
 * @param secured whether it speaks TLS
 * @param settings of its servers
 */
record MemberRequest(
    Store store, int index, int members, boolean secured, ServerSettings settings) {
  private static final int MAX_MEMBERS = 5;

  /**
   * Returns the member that a message asks for.
   *
   * @throws QuorateException if this agent cannot run it
   */
  static MemberRequest of(Plan plan) {
    Store store =
        Stores.byId(plan.getStore())
            .filter(Store::hasServers)
            .orElseThrow(
                () ->
                    new QuorateException(
                        "found the database "
                            + Protocol.word(plan.getStore())
                            + ", which this agent does not know"));
    if (plan.getMembers() < 1
        || plan.getMembers() > MAX_MEMBERS
        || plan.getIndex() < 1
        || plan.getIndex() > plan.getMembers()) {
      throw new QuorateException(
          "found member %s of %s, expected one of at most %s"
              .formatted(plan.getIndex(), plan.getMembers(), MAX_MEMBERS));
    }
    if (plan.getSecured() && store.obstacleToTls().isPresent()) {
      throw new QuorateException(
          "%s cannot be secured: %s".formatted(store, store.obstacleToTls().get()));
    }
    return new MemberRequest(
        store, plan.getIndex(), plan.getMembers(), plan.getSecured(), settings(store, plan));
  }

  /** Returns the settings of the servers, each of which the store has to declare. */
  private static ServerSettings settings(Store store, Plan plan) {
    Map<String, Long> values = new LinkedHashMap<>();
    plan.getSettingsList().forEach(each -> values.put(each.getId(), each.getValue()));
    return Stores.servers(store).choose(values);
  }
}
