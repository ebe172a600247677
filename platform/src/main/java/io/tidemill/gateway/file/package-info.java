/// Files in the object store over HTTP: what workflows, tasks and crawls left there.
@NullMarked
package io.tidemill.gateway.file;

import org.jspecify.annotations.NullMarked;
