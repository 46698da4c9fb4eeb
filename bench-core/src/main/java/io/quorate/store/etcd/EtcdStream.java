// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.etcd;

import io.etcd.jetcd.api.Event;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.WatchCancelRequest;
import io.etcd.jetcd.api.WatchCreateRequest;
import io.etcd.jetcd.api.WatchGrpc;
import io.etcd.jetcd.api.WatchProgressRequest;
import io.etcd.jetcd.api.WatchRequest;
import io.etcd.jetcd.api.WatchResponse;
import io.grpc.CallOptions;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ClientResponseObserver;
import io.netty.channel.EventLoop;
import io.quorate.store.DriverSettings;
import io.quorate.store.Endpoint;
import io.quorate.store.Subscriptions;
import io.quorate.store.Watch;
import io.quorate.store.WatchListener;
import io.quorate.store.driver.EventLoops;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The watches of one gRPC stream of etcd, on a separate channel of grpc-netty, for all kinds of
 * clients. After an interruption the stream is reopened, and each watch continues after the last
 * reported revision. Everything belongs to the event loop, on which listeners run.
 */
final class EtcdStream implements Subscriptions {
  private static final long PAUSE_MILLIS = 100;

  /** Id in the answer to a request of progress, and of a watch that was refused. */
  private static final long ALL_WATCHES = -1;

  private final EtcdAccess access;
  private final Endpoint endpoint;
  private final GrpcChannel channel;
  private final EventLoop loop;

  private final Set<Started> watches = new LinkedHashSet<>();

  /** Watches that were requested on the current stream, which answers in this order. */
  private final Queue<Started> asked = new ArrayDeque<>();

  /** Watches that are in place, by the ids that the server has assigned. */
  private final Map<Long, Started> inPlace = new HashMap<>();

  /** The stream of requests; null while there is none. */
  private @Nullable ClientCallStreamObserver<WatchRequest> requests;

  /** The answers of that stream; those of earlier streams are ignored. */
  private @Nullable Responses responses;

  private volatile boolean closed;

  private EtcdStream(DriverSettings settings, EtcdAccess access, EventLoop loop) {
    this.access = access;
    this.endpoint = settings.endpoint();
    this.loop = loop;
    this.channel = new GrpcChannel(settings, access, loop);
  }

  /** Connects within the connect timeout; fails otherwise. */
  static EtcdStream open(DriverSettings settings, EtcdAccess access, EventLoops loops) {
    EtcdStream stream = new EtcdStream(settings, access, loops.next());
    EtcdDriver.await(stream.channel.ready(), settings, stream::close);
    return stream;
  }

  /** A watch, and how far its changes were reported. */
  static class Started {
    final Watch watch;
    final WatchListener listener;

    /**
     * The revision of the next event; 0 until the watch is in place, if it begins with the latest
     * state.
     */
    long nextRevision;

    boolean told;

    Started(Watch watch, WatchListener listener) {
      this.watch = watch;
      this.listener = listener;
      this.nextRevision = watch.fromRevision();
    }

    /** Notes that all changes up to a revision were reported. */
    void progressed(long revision) {
      nextRevision = Math.max(nextRevision, revision + 1);
      listener.progressed(revision);
    }

    /** Notes that the watch is in place since a revision. */
    void created(long revision) {
      if (nextRevision == 0) {
        nextRevision = revision + 1;
      }
      if (!told) {
        told = true;
        listener.started();
      }
    }
  }

  @Override
  public void watch(Watch watch, WatchListener listener) {
    inLoop(
        () -> {
          Started started = new Started(watch, listener);
          watches.add(started);
          if (requests == null) {
            connect();
          } else {
            create(started);
          }
        });
  }

  @Override
  public void unwatch(WatchListener listener) {
    inLoop(
        () -> {
          watches.removeIf(each -> each.listener == listener);
          inPlace.entrySet().stream()
              .filter(each -> each.getValue().listener == listener)
              .map(Map.Entry::getKey)
              .findFirst()
              .ifPresent(this::cancel);
        });
  }

  private void cancel(long id) {
    inPlace.remove(id);
    if (requests != null) {
      requests.onNext(
          WatchRequest.newBuilder()
              .setCancelRequest(WatchCancelRequest.newBuilder().setWatchId(id))
              .build());
    }
  }

  @Override
  public void requestProgress() {
    inLoop(
        () -> {
          if (requests != null) {
            requests.onNext(
                WatchRequest.newBuilder()
                    .setProgressRequest(WatchProgressRequest.getDefaultInstance())
                    .build());
          }
        });
  }

  @Override
  public void restart(WatchListener listener) {
    inLoop(
        () ->
            List.copyOf(inPlace.entrySet()).stream()
                .filter(each -> each.getValue().listener == listener)
                .forEach(each -> restart(each.getKey(), each.getValue())));
  }

  private void restart(long id, Started watch) {
    if (watches.size() > 1) {
      cancel(id);
      create(watch);
      return;
    }
    inPlace.remove(id);
    end("the watch ended");
    connect();
  }

  /** Cancels the stream, as etcd goes on with the watches of one that is only half closed. */
  private void end(String why) {
    responses = null;
    Objects.requireNonNull(requests).cancel(why, null);
    requests = null;
  }

  private void connect() {
    if (closed || requests != null) {
      return;
    }
    Responses next =
        new Responses(watches.stream().mapToLong(each -> each.watch.pauseMillis()).max().orElse(0));
    responses = next;
    ClientCalls.asyncBidiStreamingCall(
        channel.newCall(WatchGrpc.getWatchMethod(), CallOptions.DEFAULT.withWaitForReady()), next);
    requests = next.call;
    watches.forEach(this::create);
  }

  private void create(Started started) {
    asked.add(started);
    byte[] key = started.watch.key();
    WatchCreateRequest.Builder create =
        WatchCreateRequest.newBuilder()
            .setKey(EtcdOperation.wrap(EtcdOperation.startOf(key)))
            .setStartRevision(started.nextRevision)
            .setPrevKv(started.watch.previous())
            .setProgressNotify(started.watch.progress());
    if (started.watch.prefix()) {
      create.setRangeEnd(EtcdOperation.wrap(EtcdOperation.endOf(key)));
    }
    Objects.requireNonNull(requests)
        .onNext(WatchRequest.newBuilder().setCreateRequest(create).build());
  }

  private void received(WatchResponse response) {
    if (response.getWatchId() == ALL_WATCHES && !response.getCreated()) {
      inPlace.values().forEach(each -> each.progressed(response.getHeader().getRevision()));
      return;
    }
    Started started = response.getCreated() ? asked.poll() : inPlace.get(response.getWatchId());
    if (closed || started == null) {
      return;
    }
    if (response.getCanceled()) {
      inPlace.remove(response.getWatchId());
      cancelled(started, response);
      return;
    }
    if (response.getCreated()) {
      inPlace.put(response.getWatchId(), started);
      if (!watches.contains(started)) { // it was ended before the answer to its beginning
        cancel(response.getWatchId());
        return;
      }
      started.created(response.getHeader().getRevision());
    } else if (response.getEventsCount() == 0) {
      started.progressed(response.getHeader().getRevision());
    }
    for (Event event : response.getEventsList()) {
      KeyValue changed = event.getKv();
      started.nextRevision = changed.getModRevision() + 1;
      if (event.getType() == Event.EventType.PUT) {
        started.listener.changed(
            changed.getKey().toByteArray(),
            changed.getValue().toByteArray(),
            changed.getModRevision());
      } else {
        started.listener.removed(changed.getKey().toByteArray());
      }
    }
  }

  private void cancelled(Started started, WatchResponse response) {
    long oldest = response.getCompactRevision();
    boolean compacted = oldest > started.nextRevision; // earlier changes are lost
    // kine ends a watch that is far behind, without a reason
    if (requests != null && (compacted || started.told && response.getCancelReason().isEmpty())) {
      started.nextRevision = Math.max(started.nextRevision, oldest);
      started.listener.interrupted(
          compacted ? "compacted up to revision " + oldest : "the server ended the watch");
      create(started);
      return;
    }
    if (EtcdAccess.isAboutToken(response.getCancelReason())) {
      access.renewAt(endpoint);
      cut(response.getCancelReason()); // a stream keeps the token with which it began
      return;
    }
    watches.remove(started);
    started.listener.failed(response.getCancelReason());
  }

  private void cut(String why) {
    if (closed) {
      return;
    }
    end(why);
    inPlace.values().forEach(started -> started.listener.interrupted(why));
    inPlace.clear();
    asked.clear();
    loop.schedule(this::connect, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void inLoop(Runnable work) {
    if (loop.inEventLoop()) {
      work.run();
      return;
    }
    try {
      loop.execute(work);
    } catch (RejectedExecutionException ended) {
      closed = true;
    }
  }

  @Override
  public void close() {
    closed = true;
    channel.close();
  }

  private final class Responses implements ClientResponseObserver<WatchRequest, WatchResponse> {
    private final long pauseMillis;
    private @Nullable ClientCallStreamObserver<WatchRequest> call;

    Responses(long pauseMillis) {
      this.pauseMillis = pauseMillis;
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<WatchRequest> stream) {
      call = stream;
      if (pauseMillis > 0) {
        stream.disableAutoRequestWithInitial(1);
      }
    }

    @Override
    public void onNext(WatchResponse response) {
      inLoop(() -> current(() -> received(response)));
      if (pauseMillis > 0) {
        loop.schedule(
            () -> Objects.requireNonNull(call).request(1), pauseMillis, TimeUnit.MILLISECONDS);
      }
    }

    @Override
    public void onError(Throwable cause) {
      Status status = Status.fromThrowable(cause);
      access.failed(status, endpoint);
      inLoop(() -> current(() -> cut(EtcdStatus.message(status))));
    }

    @Override
    public void onCompleted() {
      inLoop(() -> current(() -> cut("the server ended the stream")));
    }

    private void current(Runnable work) {
      if (responses == this) {
        work.run();
      }
    }
  }
}
