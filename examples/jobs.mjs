// Submits a job, follows its events over broken connections, prints its result.
//
//   ./tidemill up                in one terminal
//   node examples/jobs.mjs       in another; Node 20 or newer, no packages

const url = (process.env.TIDEMILL_HTTP_URL ?? "http://127.0.0.1:8080").replace(/\/$/, "");
const key = process.env.TIDEMILL_API_KEY;
const auth = key ? { Authorization: `Bearer ${key}` } : {};

async function call(path, body) {
  const answer = await fetch(url + path, {
    method: body ? "POST" : "GET",
    headers: { ...auth, ...(body && { "Content-Type": "application/json" }) },
    body: body && JSON.stringify(body),
  });
  const json = await answer.json();
  if (!answer.ok) throw new Error(`${answer.status}: ${json.detail}`);
  return json;
}

// Every event once, in order; a cut connection goes on where it was.
async function* events(id) {
  for (let lastId = ""; ; await new Promise((again) => setTimeout(again, 1000))) {
    const resume = lastId ? { "Last-Event-ID": lastId } : {};
    try {
      const answer = await fetch(`${url}/v1/jobs/${id}/events`, {
        headers: { ...auth, Accept: "text/event-stream", ...resume },
      });
      if (answer.status === 204) return; // seen to its end
      if (answer.status !== 200) throw Object.assign(new Error(`${answer.status}`), { final: true });
      let rest = "";
      for await (const piece of answer.body.pipeThrough(new TextDecoderStream())) {
        const blocks = (rest + piece).split("\n\n"); // our gateway ends lines with LF
        rest = blocks.pop();
        for (const block of blocks) {
          const field = (name) =>
            block.split("\n").filter((line) => line.startsWith(`${name}:`))
              .map((line) => line.slice(name.length + 1).replace(/^ /, "")).join("\n");
          const type = field("event");
          if (field("id")) lastId = field("id");
          if (!field("data") || type === "hello") continue;
          yield JSON.parse(field("data"));
          if (["done", "error", "canceled"].includes(type)) return;
        }
      }
    } catch (broken) {
      if (broken.final) throw broken;
      console.error(`connection lost (${broken.message}), trying again`);
    }
  }
}

const payload = { name: "sleep", arguments: { ms: 2000 } };
const { job_id } = await call("/v1/jobs", { task: "tool", payload });
console.log("job", job_id);
for await (const { type, step, data } of events(job_id)) {
  console.log(type, step, JSON.stringify(data));
}
const record = await call(`/v1/jobs/${job_id}`);
console.log(record.result ?? record.error);
process.exitCode = record.status === "done" ? 0 : 1;
