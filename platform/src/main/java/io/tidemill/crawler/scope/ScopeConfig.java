package io.tidemill.crawler.scope;

import io.tidemill.config.Section;
import io.tidemill.config.Setting;
import java.util.List;

/// What no crawl follows, read from keys `crawler.scope.*`.
@Section("crawler.scope")
public record ScopeConfig(
    @Setting(value = DEFAULT_SKIPPED, doc = "Links to files with these endings are not followed.")
        List<String> skipExtensions) {
  private static final String DEFAULT_SKIPPED =
      "jpg,jpeg,png,gif,webp,avif,svg,ico,bmp,tif,tiff,heic,psd,ai,eps,"
          + "css,js,mjs,map,wasm,woff,woff2,ttf,otf,eot,"
          + "mp3,m4a,ogg,oga,wav,flac,aac,mid,mp4,m4v,webm,mov,avi,wmv,mkv,flv,mpg,mpeg,ogv,3gp,"
          + "zip,gz,tgz,bz2,xz,zst,7z,rar,tar,jar,war,iso,dmg,img,"
          + "exe,msi,deb,rpm,apk,pkg,bin,dll,so,torrent,swf,class,pyc,parquet,sqlite";

  public ScopeConfig {
    skipExtensions = List.copyOf(skipExtensions);
  }

  /// The settings' own defaults.
  public static ScopeConfig standard() {
    return new ScopeConfig(List.of(DEFAULT_SKIPPED.split(",", -1)));
  }
}
