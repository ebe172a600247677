/// Which format stored data has, and how data of an older format is taken over: a stamp in the data
/// folder, a stamp on the servers, and the steps from one format to the next.
@org.jspecify.annotations.NullMarked
package io.tidemill.app.upgrade;
