package io.tidemill.redis;

import redis.clients.jedis.Protocol.Command;

/// The Redis commands that stores send outside of scripts.
public enum RedisCommand {
  DEL,
  EXISTS,
  EXPIRE,
  GET,
  HDEL,
  HEXISTS,
  HGET,
  HGETALL,
  HLEN,
  HMGET,
  HSCAN,
  HSET,
  HSETNX,
  LLEN,
  LRANGE,
  PEXPIRE,
  RPUSH,
  SCAN,
  SET,
  TIME,
  XINFO,
  XLEN,
  XRANGE,
  XREVRANGE,
  ZADD,
  ZCARD,
  ZRANGEBYSCORE,
  ZREM,
  ZREVRANGE,
  ZSCORE;

  private final Command command = Command.valueOf(name());

  Command command() {
    return command;
  }
}
