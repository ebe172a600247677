package io.tidemill.content.html;

import io.tidemill.content.url.WebUrl;

/// A link on a page.
///
/// @param target without its fragment
/// @param nofollow whether every link there says that it is not vouched for
/// @param anchor the text to click on, shortened; may be empty
public record PageLink(WebUrl target, boolean nofollow, String anchor) {}
