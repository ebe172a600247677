/// Starting and stopping: what runs in a process, in which order.
@NullMarked
package io.tidemill.service;

import org.jspecify.annotations.NullMarked;
