package io.tidemill.servers;

import io.tidemill.servers.rabbitmq.RabbitProtocol;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.qpid.server.SystemLauncher;
import org.apache.qpid.server.SystemLauncherListener.DefaultSystemLauncherListener;
import org.apache.qpid.server.model.BrokerModel;
import org.apache.qpid.server.model.SystemConfig;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/// An AMQP 0-9-1 broker (Qpid Broker-J) inside this JVM that keeps messages in Berkeley DB.
///
/// Queues, bindings and messages live in the directory; port, user and password are given anew at
/// each start.
public final class AmqpServer implements LocalServer {

  private static final Logger LOG = LoggerFactory.getLogger(AmqpServer.class);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(15);
  private static final JsonMapper JSON = new JsonMapper();

  private final Path dir;
  private final int port;
  private final String user;
  private final String password;
  private @Nullable DirLock lock;
  private @Nullable SystemLauncher launcher;

  /// @param port 0 for any free one
  public AmqpServer(Path dir, int port, String user, String password) {
    this.dir = dir.toAbsolutePath();
    this.port = port == 0 ? Ports.freeOr(0) : port;
    this.user = user;
    this.password = password;
  }

  @Override
  public String name() {
    return "amqp";
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public String address() {
    return "amqp://%s:%s@127.0.0.1:%d"
        .formatted(percentEncoded(user), percentEncoded(password), port);
  }

  @Override
  public synchronized void start() {
    if (launcher != null) throw new IllegalStateException("amqp is already started");
    Ports.requireFree(this);
    surviveFatalFaults();
    RabbitProtocol.install();
    var startup = new Startup();
    try {
      lock = DirLock.of(this, dir);
      launcher = new SystemLauncher(startup);
      launch(launcher);
      if (startup.cause != null) throw startup.cause;
      startup.forgetShutdownHook();
    } catch (Exception e) {
      close();
      throw ServerException.starting(this, e);
    }
  }

  @Override
  public synchronized void close() {
    var stopping = launcher;
    launcher = null;
    if (stopping != null) TimeLimit.stop("amqp", STOP_LIMIT, stopping::shutdown);
    if (lock != null) lock.close();
    lock = null;
  }

  private void launch(SystemLauncher launcher) throws Exception {
    var broker = writtenForOwnerOnly(JSON.writeValueAsBytes(broker()));
    try {
      launcher.startup(
          Map.of(
              "type",
              "Memory",
              "initialConfigurationLocation",
              broker.toUri().toString(),
              "startupLoggedToSystemOut",
              false,
              "context",
              context()));
    } finally {
      Files.deleteIfExists(broker); // it names the password
    }
  }

  private Path writtenForOwnerOnly(byte[] content) throws IOException {
    var ownerOnly = PosixFilePermissions.fromString("rw-------");
    var file =
        Files.createTempFile(
            dir, "broker", ".json", PosixFilePermissions.asFileAttribute(ownerOnly));
    return Files.write(file, content);
  }

  private Map<String, Object> context() {
    return Map.ofEntries(
        Map.entry("qpid.work_dir", dir.toString()),
        Map.entry("broker.failStartupWithErroredChild", "true"),
        // Arguments it does not know end the connection by default.
        Map.entry("queue.behaviourOnUnknownDeclareArgument", "IGNORE"),
        Map.entry("exchange.behaviourOnUnknownDeclareArgument", "IGNORE"),
        // Rejecting without requeue then drops or dead-letters, as RabbitMQ does.
        Map.entry("queue.maximumDeliveryAttempts", "1"),
        Map.entry("virtualhost.housekeepingCheckPeriod", "200"),
        Map.entry("store.filesystem.maxUsagePercent", "0"),
        Map.entry("virtualhost.connectionThreadPool.size", "4"),
        Map.entry("virtualhost.connectionThreadPool.numberOfSelectors", "1"),
        Map.entry("qpid.broker.networkBufferSize", "65536"),
        Map.entry("broker.directByteBufferPoolSize", "64"));
  }

  private Map<String, Object> broker() {
    return Map.of(
        "name", "tidemill",
        "modelVersion", BrokerModel.MODEL_VERSION,
        "authenticationproviders", List.of(authentication()),
        "ports", List.of(listener()),
        "virtualhostnodes", List.of(virtualHostNode()));
  }

  private Map<String, Object> authentication() {
    return Map.of(
        "name",
        "plain",
        "type",
        "Plain",
        "secureOnlyMechanisms",
        List.of(),
        "users",
        List.of(Map.of("name", verbatim(user), "type", "managed", "password", verbatim(password))));
  }

  private Map<String, Object> listener() {
    return Map.of(
        "name", "AMQP",
        "type", "AMQP",
        "port", String.valueOf(port),
        "bindingAddress", "127.0.0.1",
        "authenticationProvider", "plain",
        "protocols", List.of("AMQP_0_9_1"),
        "numberOfSelectors", "1",
        "threadPoolSize", "2",
        "context",
            Map.of(
                "qpid.port.sessionCountLimit", "2047",
                "qpid.port.closeWhenNoRoute", "false",
                "qpid.port.connection_property_enrichers", "[\"STANDARD\",\"SUPPLIED-MAP\"]",
                "qpid.connection.property_map", JSON.writeValueAsString(serverProperties())),
        "virtualhostaliases",
            List.of(
                Map.of("name", "defaultAlias", "type", "defaultAlias"),
                Map.of("name", "nameAlias", "type", "nameAlias")));
  }

  private static Map<String, Object> serverProperties() {
    return Map.of("capabilities", RabbitProtocol.CAPABILITIES);
  }

  // The doubled dollar reaches the stored configuration as a variable, so the directory may move.
  private static Map<String, Object> virtualHostNode() {
    return Map.of(
        "name", "default",
        "type", "JSON",
        "storePath", "${qpid.work_dir}/cfg",
        "defaultVirtualHostNode", "true",
        "virtualHostInitialConfiguration",
            """
            {"type":"BDB","storePath":"$${qpid.work_dir}/msgs"}\
            """);
  }

  /// The broker expands `${name}` in every value of its configuration.
  private static String verbatim(String value) {
    return value.replace("$", "$$");
  }

  private static String percentEncoded(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
  }

  // Broker-J halts the JVM on an uncaught exception when no other handler is set.
  private static void surviveFatalFaults() {
    if (Thread.getDefaultUncaughtExceptionHandler() != null) return;
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, e) -> LOG.error("uncaught on thread {}", thread.getName(), e));
  }

  private static final class Startup extends DefaultSystemLauncherListener {
    private @Nullable SystemConfig<?> system;
    @Nullable RuntimeException cause;

    @Override
    public void onContainerResolve(SystemConfig<?> resolved) {
      system = resolved;
    }

    // The broker would stop itself at the shutdown of the process, while other services still need
    // it: the owner decides when it stops.
    void forgetShutdownHook() throws ReflectiveOperationException {
      if (system == null) return;
      var broker = system.getContainer();
      var hook = broker.getClass().getSuperclass().getDeclaredField("_shutdownHook");
      hook.setAccessible(true);
      Runtime.getRuntime().removeShutdownHook((Thread) hook.get(broker));
    }

    @Override
    public void errorOnStartup(RuntimeException e) {
      cause = e;
    }
  }
}
