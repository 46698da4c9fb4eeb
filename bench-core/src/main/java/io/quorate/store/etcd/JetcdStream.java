// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.etcd;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.common.exception.CompactedException;
import io.etcd.jetcd.options.WatchOption;
import io.etcd.jetcd.watch.WatchEvent;
import io.etcd.jetcd.watch.WatchResponse;
import io.quorate.store.Endpoint;
import io.quorate.store.Subscriptions;
import io.quorate.store.Watch;
import io.quorate.store.WatchListener;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The watches of jetcd on one connection, each of which is a gRPC stream. After an interruption
 * jetcd restarts a watch by itself, after the last revision that it received. If it is interrupted
 * again before the first event, it silently skips the changes meanwhile. Listeners run on threads
 * of gRPC.
 */
final class JetcdStream implements Subscriptions {
  private final Client client;
  private final EtcdAccess access;
  private final Endpoint endpoint;
  private final Map<WatchListener, Started> watches = new ConcurrentHashMap<>();
  private volatile boolean closed;

  JetcdStream(Client client, EtcdAccess access, Endpoint endpoint) {
    this.client = client;
    this.access = access;
    this.endpoint = endpoint;
  }

  @Override
  public void watch(Watch watch, WatchListener listener) {
    if (watch.pauseMillis() > 0) {
      listener.failed("jetcd takes all messages at once: no 'slow', or client: http2");
      return;
    }
    Started begun = new Started(watch, listener);
    watches.put(listener, begun);
    begun.start();
  }

  @Override
  public void unwatch(WatchListener listener) {
    Started ended = watches.remove(listener);
    if (ended != null) {
      ended.end();
    }
  }

  @Override
  public void requestProgress() {
    client.getWatchClient().requestProgress();
  }

  @Override
  public void restart(WatchListener listener) {
    watches.computeIfPresent(
        listener,
        (any, ended) -> {
          ended.end();
          return new Started(ended);
        });
    Started next = watches.get(listener);
    if (next != null) {
      next.start();
    }
  }

  @Override
  public void close() {
    closed = true;
    client.close();
  }

  private final class Started extends EtcdStream.Started implements io.etcd.jetcd.Watch.Listener {
    private volatile boolean ended;

    /** The watch of jetcd; null before it is asked for. */
    private io.etcd.jetcd.Watch.@Nullable Watcher watcher;

    /** Whether the watch is in place, as far as the listener was notified. */
    private boolean inPlace = true;

    /** The last failure since the watch was in place; null without one. */
    private @Nullable Throwable failure;

    Started(Watch watch, WatchListener listener) {
      super(watch, listener);
    }

    /** Continues a watch that was ended. */
    Started(Started ended) {
      super(ended.watch, ended.listener);
      nextRevision = ended.nextRevision;
      told = true;
    }

    private boolean isOver() {
      return closed || ended;
    }

    synchronized void end() {
      ended = true;
      if (watcher != null) {
        watcher.close();
      }
    }

    synchronized void start() {
      if (isOver()) {
        return;
      }
      WatchOption.Builder option =
          WatchOption.builder()
              .withRevision(nextRevision)
              .withPrevKV(watch.previous())
              .withProgressNotify(watch.progress())
              .withCreateNotify(true);
      if (watch.prefix()) {
        option.withRange(ByteSequence.from(EtcdOperation.endOf(watch.key())));
      }
      watcher =
          client
              .getWatchClient()
              .watch(ByteSequence.from(EtcdOperation.startOf(watch.key())), option.build(), this);
    }

    @Override
    public synchronized void onNext(WatchResponse response) {
      if (isOver()) {
        return;
      }
      if (response.isCreatedNotify()) {
        created(response.getHeader().getRevision());
        return;
      }
      if (response.getEvents().isEmpty()) {
        progressed(response.getHeader().getRevision());
        return;
      }
      long next = nextRevision;
      for (WatchEvent event : response.getEvents()) {
        KeyValue changed = event.getKeyValue();
        if (changed.getModRevision() < nextRevision) {
          // after an interruption, jetcd receives the last change before the watch again
          continue;
        }
        next = changed.getModRevision() + 1;
        if (event.getEventType() == WatchEvent.EventType.PUT) {
          listener.changed(
              changed.getKey().getBytes(), changed.getValue().getBytes(), changed.getModRevision());
        }
      }
      nextRevision = next;
    }

    @Override
    void created(long revision) {
      failure = null;
      inPlace = true;
      super.created(revision);
    }

    /** Notes a failure, after which jetcd restarts or completes the watch. */
    @Override
    public void onError(Throwable cause) {
      failure = cause;
      access.failed(JetcdDriver.status(cause), endpoint);
      if (!(cause instanceof CompactedException)) {
        interrupted(EtcdStatus.message(JetcdDriver.status(cause)));
      }
    }

    private void interrupted(String why) {
      if (inPlace && !isOver()) {
        inPlace = false;
        listener.interrupted(why);
      }
    }

    /** Restarts the watch if jetcd does not, unless it has failed permanently. */
    @Override
    public void onCompleted() {
      if (isOver()) {
        return;
      }
      if (failure == null) {
        interrupted("the server ended the stream");
        start();
      } else if (failure instanceof CompactedException compacted) {
        nextRevision = compacted.getCompactedRevision(); // earlier changes are lost
        interrupted("compacted up to revision " + nextRevision);
        start();
      } else {
        listener.failed(EtcdStatus.message(JetcdDriver.status(failure)));
      }
    }
  }
}
