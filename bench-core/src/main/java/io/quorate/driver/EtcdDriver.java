package io.quorate.driver;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.DeleteRangeResponse;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.PutResponse;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeResponse;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.netty.NettyChannelBuilder;
import io.quorate.QuorateException;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * etcd v3 through the generated gRPC methods of jetcd, on a channel of our own: jetcd's own KV
 * client adds a thread pool, a retry and two futures to each request. One driver is one HTTP/2
 * connection. Completions run on the event loop of the connection, those of late requests on the
 * thread of {@link Deadlines}, which costs a fifth less than gRPC's own deadlines. The loops are
 * gRPC's shared ones, which end a second after the last channel.
 */
final class EtcdDriver implements KeyValueDriver {
  private static final int MAX_MESSAGE_BYTES = 16 << 20;

  /** gRPC's own pause between attempts to reconnect grows to two minutes; ours does not grow. */
  private static final Executor A_SECOND_LATER =
      CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS, Runnable::run);

  /** Greets on standard error otherwise; held, because a logger that is not forgets its level. */
  private static final Logger GREETING = Logger.getLogger("io.grpc.netty.TcpMetrics");

  static {
    GREETING.setLevel(Level.WARNING);
  }

  private final ManagedChannel channel;
  private final PendingRequests pending;
  private final Deadlines deadlines;

  private EtcdDriver(ManagedChannel channel, PendingRequests pending, Deadlines deadlines) {
    this.channel = channel;
    this.pending = pending;
    this.deadlines = deadlines;
  }

  /** Opens connections that share one clock for their deadlines. */
  static Function<DriverSettings, KeyValueDriver> opener() {
    var deadlines = new Deadlines("etcd-deadlines");
    return settings -> open(settings, deadlines);
  }

  private static KeyValueDriver open(DriverSettings settings, Deadlines deadlines) {
    Endpoint endpoint = settings.endpoint();
    ManagedChannel channel =
        NettyChannelBuilder.forAddress(new InetSocketAddress(endpoint.host(), endpoint.port()))
            .usePlaintext()
            .directExecutor()
            .disableRetry()
            .proxyDetector(server -> null)
            .maxInboundMessageSize(MAX_MESSAGE_BYTES)
            // a fixed window: no PING frames among the requests to find the best one
            .flowControlWindow(MAX_MESSAGE_BYTES)
            .build();
    var pending = new PendingRequests(settings.requestTimeout());
    deadlines.watch(pending);
    var driver = new EtcdDriver(channel, pending, deadlines);
    try {
      driver.connect(settings);
      return driver;
    } catch (QuorateException unreachable) {
      driver.close();
      throw unreachable;
    }
  }

  private void connect(DriverSettings settings) {
    var ready = new CompletableFuture<Void>();
    follow(channel.getState(true), ready);
    String problem;
    try {
      ready.get(settings.connectTimeout().toNanos(), TimeUnit.NANOSECONDS);
      return;
    } catch (TimeoutException late) {
      problem = "no connection within " + settings.connectTimeout().toMillis() + " ms";
    } catch (ExecutionException refused) {
      problem = "cannot connect";
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      problem = "interrupted while connecting";
    }
    throw new QuorateException(
        "etcd at " + settings.endpoint() + ": " + problem + "; is the server running there?");
  }

  /** For as long as the channel lives: says how the first attempt ended, and keeps attempting. */
  private void follow(ConnectivityState state, CompletableFuture<Void> ready) {
    switch (state) {
      case READY -> ready.complete(null);
      case TRANSIENT_FAILURE -> {
        ready.completeExceptionally(new QuorateException("refused"));
        A_SECOND_LATER.execute(this::reconnect);
      }
      case SHUTDOWN -> {
        return;
      }
      default -> {}
    }
    channel.notifyWhenStateChanged(state, () -> follow(channel.getState(false), ready));
  }

  private void reconnect() {
    if (channel.getState(false) == ConnectivityState.TRANSIENT_FAILURE) {
      channel.resetConnectBackoff();
      A_SECOND_LATER.execute(this::reconnect);
    }
  }

  @Override
  public void create(byte[] key, byte[] value, Completion completion) {
    put(key, value, completion);
  }

  @Override
  public void update(byte[] key, byte[] value, Completion completion) {
    put(key, value, completion);
  }

  private void put(byte[] key, byte[] value, Completion completion) {
    PutRequest request = PutRequest.newBuilder().setKey(wrap(key)).setValue(wrap(value)).build();
    send(KVGrpc.getPutMethod(), request, completion, EtcdDriver::answerPut);
  }

  @Override
  public void get(byte[] key, ReadConsistency consistency, Completion completion) {
    RangeRequest request =
        RangeRequest.newBuilder()
            .setKey(wrap(key))
            .setSerializable(consistency == ReadConsistency.STALE)
            .build();
    send(KVGrpc.getRangeMethod(), request, completion, EtcdDriver::answerRange);
  }

  @Override
  public void delete(byte[] key, Completion completion) {
    DeleteRangeRequest request = DeleteRangeRequest.newBuilder().setKey(wrap(key)).build();
    send(KVGrpc.getDeleteRangeMethod(), request, completion, EtcdDriver::answerDelete);
  }

  private <Q, A> void send(
      MethodDescriptor<Q, A> method,
      Q request,
      Completion completion,
      BiConsumer<A, Completion> onAnswer) {
    PendingRequest pendingRequest = pending.add(completion);
    try {
      ClientCall<Q, A> call = channel.newCall(method, CallOptions.DEFAULT);
      call.start(new EtcdAnswer<>(pendingRequest, onAnswer), new Metadata());
      call.request(2);
      call.sendMessage(request);
      call.halfClose();
      // not earlier: a call that is cancelled while it is being sent throws
      pendingRequest.whenLate(() -> call.cancel("deadline", null));
    } catch (RuntimeException refusal) {
      pendingRequest.endRefused(refusal);
    }
  }

  private static void answerPut(PutResponse answer, Completion completion) {
    completion.written();
  }

  private static void answerRange(RangeResponse answer, Completion completion) {
    if (answer.getKvsCount() == 0) {
      completion.missing();
    } else {
      completion.found(answer.getKvs(0).getValue().toByteArray());
    }
  }

  private static void answerDelete(DeleteRangeResponse answer, Completion completion) {
    if (answer.getDeleted() == 0) {
      completion.missing();
    } else {
      completion.written();
    }
  }

  private static ByteString wrap(byte[] bytes) {
    return UnsafeByteOperations.unsafeWrap(bytes);
  }

  @Override
  public void close() {
    pending.close();
    deadlines.forget(pending);
    channel.shutdownNow();
    try {
      channel.awaitTermination(1, TimeUnit.SECONDS);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }
}
