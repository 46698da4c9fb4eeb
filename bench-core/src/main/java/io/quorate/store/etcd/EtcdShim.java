package io.quorate.store.etcd;

import io.quorate.store.ServerSettings;
import io.quorate.store.Setting;
import io.quorate.store.Store;
import io.quorate.store.server.ServerKind;
import java.util.List;
import java.util.Optional;

/**
 * A store whose servers speak the protocol of another store, each in front of an etcd of its own.
 */
public abstract class EtcdShim extends Store {
  private final ServerKind shim;

  /**
   * @param id also the title
   * @param shim the server that clients connect to
   */
  protected EtcdShim(String id, ServerKind shim) {
    super(id, id);
    this.shim = shim;
  }

  @Override
  public final List<ServerKind> servers() {
    return List.of(shim, EtcdStore.SERVER);
  }

  /** Returns the settings of the etcd behind it. */
  @Override
  public final List<Setting> settings() {
    return EtcdStore.STORE.settings();
  }

  @Override
  public final Optional<ServerSettings.Conflict> conflict(ServerSettings settings) {
    return EtcdStore.STORE.conflict(settings);
  }
}
