package io.tidemill.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PluginsTest {
  @TempDir private Path folder;

  /// What plugins do.
  public interface Greeting {}

  /// One of them.
  public static final class Hello implements Greeting {}

  @Test
  void findsWhatTheJarsOfAFolderBring() throws IOException {
    jar("b.jar", Hello.class.getName());
    Files.writeString(folder.resolve("readme.txt"), "not a jar");

    assertThat(Plugins.in(folder).all(Greeting.class)).hasExactlyElementsOfTypes(Hello.class);
    assertThat(Plugins.in(folder.resolve("none")).all(Greeting.class)).isEmpty();
  }

  @Test
  void namesTheClassThatCantBeUsed() throws IOException {
    jar("a.jar", "no.such.Greeting");
    var plugins = Plugins.in(folder);

    assertThatThrownBy(() -> plugins.all(Greeting.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("a plugin can't be used: ")
        .hasMessageContaining("no.such.Greeting");
  }

  private void jar(String name, String provider) throws IOException {
    try (var jar = new JarOutputStream(Files.newOutputStream(folder.resolve(name)))) {
      jar.putNextEntry(new JarEntry("META-INF/services/" + Greeting.class.getName()));
      jar.write(provider.getBytes(StandardCharsets.UTF_8));
    }
  }
}
