package io.quorate.store.driver;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/** Collects the body of an answer as text, and stops receiving it when it is too long. */
final class LimitedBody implements BodySubscriber<String> {
  private static final int MAX_BYTES = 4_000_000;

  private final ByteArrayOutputStream content = new ByteArrayOutputStream();
  private final CompletableFuture<String> body = new CompletableFuture<>();
  private Flow.Subscription subscription;

  @Override
  public CompletionStage<String> getBody() {
    return body;
  }

  @Override
  public void onSubscribe(Flow.Subscription to) {
    subscription = to;
    to.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(List<ByteBuffer> pieces) {
    for (ByteBuffer piece : pieces) {
      if (content.size() + piece.remaining() > MAX_BYTES) {
        subscription.cancel();
        body.completeExceptionally(
            new IOException("answers with more than " + MAX_BYTES + " bytes"));
        return;
      }
      byte[] bytes = new byte[piece.remaining()];
      piece.get(bytes);
      content.writeBytes(bytes);
    }
  }

  @Override
  public void onError(Throwable failure) {
    body.completeExceptionally(failure);
  }

  @Override
  public void onComplete() {
    body.complete(content.toString(StandardCharsets.UTF_8));
  }
}
