// A member of a group, with kafkajs: `node member.mjs BOOTSTRAP GROUP TOPIC NODE_MODULES`.
// Prints `joined N` for each assignment of N partitions, and each record as `got KEY VALUE`.
import { createRequire } from 'node:module';

const [bootstrap, groupId, topic, installed] = process.argv.slice(2);
const { Kafka, logLevel } = createRequire(installed + '/')('kafkajs');
const kafka = new Kafka({ clientId: 'stranger', brokers: [bootstrap], logLevel: logLevel.NOTHING });
const consumer = kafka.consumer({ groupId, sessionTimeout: 10000, rebalanceTimeout: 10000, heartbeatInterval: 500 });
await consumer.connect();
await consumer.subscribe({ topics: [topic], fromBeginning: true });
consumer.on(consumer.events.GROUP_JOIN, ({ payload }) =>
  console.log('joined', Object.values(payload.memberAssignment).flat().length));
await consumer.run({
  eachMessage: async ({ message }) => console.log('got', `${message.key}`, `${message.value}`),
});
process.on('SIGTERM', async () => {
  await consumer.disconnect();
  process.exit(0);
});
