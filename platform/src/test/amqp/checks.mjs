// The same broker with amqplib: `node checks.mjs amqp://…`.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';

// amqplib is installed elsewhere: the folder comes as the second argument.
const amqp = createRequire(process.argv[3] + '/')('amqplib');
const connection = await amqp.connect(process.argv[2]);
const name = () => `check-${randomUUID()}`;

async function arrives(channel, queue) {
  for (let tries = 0; tries < 500; tries++) {
    const message = await channel.get(queue, { noAck: true });
    if (message) return message;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`nothing arrived in ${queue}`);
}

async function refused(code, body) {
  const channel = await connection.createChannel();
  const closed = new Promise((resolve) => channel.on('error', resolve));
  await assert.rejects(body(channel));
  assert.equal((await closed).code, code);
}

const channel = await connection.createConfirmChannel();
const dead = name();
const queue = name();
await channel.assertQueue(dead);
await channel.assertQueue(queue, { deadLetterExchange: '', deadLetterRoutingKey: dead, messageTtl: 60000 });
const returned = new Promise((resolve) => channel.on('return', resolve));
channel.sendToQueue(name(), Buffer.from('lost'), { mandatory: true });
channel.sendToQueue(queue, Buffer.from('bad'), { expiration: '50000', persistent: true });
await channel.waitForConfirms();
assert.equal((await returned).fields.replyCode, 312);
console.log('ok returns and confirms');

const message = await channel.get(queue);
channel.nack(message, false, false);
const letter = await arrives(channel, dead);
assert.equal(letter.content.toString(), 'bad');
assert.equal(letter.properties.headers['x-death'][0].reason, 'rejected');
console.log('ok dead-letters');

for (let i = 0; i < 5; i++) channel.sendToQueue(queue, Buffer.from(`${i}`));
await channel.waitForConfirms();
for (let i = 0; i < 5; i++) await channel.get(queue);
channel.nackAll(false);
for (let i = 0; i < 5; i++) assert.equal((await arrives(channel, dead)).content.toString(), `${i}`);
console.log('ok nacks all');

await refused(406, (other) => other.assertQueue(queue, { durable: false }));
const exchange = name();
await channel.assertExchange(exchange, 'topic');
await refused(406, (other) => other.assertExchange(exchange, 'fanout'));
await refused(404, (other) => other.checkQueue(name()));
console.log('ok refuses on the channel');
await connection.close();
