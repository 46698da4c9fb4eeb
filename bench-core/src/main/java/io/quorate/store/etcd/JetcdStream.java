package io.quorate.store.etcd;

import static io.quorate.store.etcd.JetcdCalls.bytes;

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

/**
 * The watches of jetcd on one connection, each of which is a gRPC stream. After a cut jetcd starts
 * a watch anew by itself. It goes on after the last revision that it was told, unless it is cut
 * again before the first event: then it leaves out what was written meanwhile, and tells nobody.
 * Listeners run on threads of gRPC.
 */
final class JetcdStream implements Subscriptions {
  private final Client client;
  private final EtcdAccess access;
  private final Endpoint endpoint;
  private volatile boolean closed;

  /**
   * @param client closed with this stream
   */
  JetcdStream(Client client, EtcdAccess access, Endpoint endpoint) {
    this.client = client;
    this.access = access;
    this.endpoint = endpoint;
  }

  @Override
  public void watch(Watch watch, WatchListener listener) {
    new Started(watch, listener).start();
  }

  @Override
  public void close() {
    closed = true;
    client.close();
  }

  /** A watch, and how far it has come. */
  private final class Started implements io.etcd.jetcd.Watch.Listener {
    private final Watch watch;
    private final WatchListener listener;

    /** The revision of the next event; 0 if that is known only when the watch is in place. */
    private long nextRevision;

    private boolean told;

    /** Whether the listener knows of no interruption that has not ended. */
    private boolean inPlace = true;

    /** The last failure since the watch was in place; null if there was none. */
    private Throwable failure;

    Started(Watch watch, WatchListener listener) {
      this.watch = watch;
      this.listener = listener;
      this.nextRevision = watch.fromRevision();
    }

    void start() {
      if (closed) {
        return;
      }
      byte[] key = watch.key().length == 0 ? EtcdOperation.FIRST_KEY : watch.key();
      WatchOption.Builder option =
          WatchOption.builder().withRevision(nextRevision).withCreateNotify(true);
      if (watch.prefix()) {
        option.withRange(bytes(EtcdOperation.endOf(watch.key())));
      }
      client.getWatchClient().watch(bytes(key), option.build(), this);
    }

    @Override
    public void onNext(WatchResponse response) {
      if (closed) {
        return;
      }
      if (response.isCreatedNotify()) {
        created(response.getHeader().getRevision());
        return;
      }
      long next = nextRevision;
      for (WatchEvent event : response.getEvents()) {
        KeyValue changed = event.getKeyValue();
        if (changed.getModRevision() < nextRevision) {
          continue; // after a cut, jetcd is told again of the change before the watch
        }
        next = changed.getModRevision() + 1;
        if (event.getEventType() == WatchEvent.EventType.PUT) {
          listener.changed(
              changed.getKey().getBytes(), changed.getValue().getBytes(), changed.getModRevision());
        }
      }
      nextRevision = next;
    }

    private void created(long revision) {
      failure = null;
      inPlace = true;
      if (nextRevision == 0) {
        nextRevision = revision + 1;
      }
      if (!told) {
        told = true;
        listener.started();
      }
    }

    /** Takes note of a failure, after which jetcd starts the watch anew or completes it. */
    @Override
    public void onError(Throwable cause) {
      failure = cause;
      access.failed(JetcdCalls.status(cause), endpoint);
      if (!(cause instanceof CompactedException)) {
        interrupted(EtcdStatus.message(JetcdCalls.status(cause)));
      }
    }

    private void interrupted(String why) {
      if (inPlace && !closed) {
        inPlace = false;
        listener.interrupted(why);
      }
    }

    /** Starts the watch anew where jetcd would not, unless it has failed for good. */
    @Override
    public void onCompleted() {
      if (closed) {
        return;
      }
      if (failure == null) {
        interrupted("the server ended the stream");
        start();
      } else if (failure instanceof CompactedException compacted) {
        nextRevision = compacted.getCompactedRevision(); // what was before is lost
        interrupted("compacted up to revision " + nextRevision);
        start();
      } else {
        listener.failed(EtcdStatus.message(JetcdCalls.status(failure)));
      }
    }
  }
}
