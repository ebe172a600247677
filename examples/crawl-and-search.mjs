// Crawls a few pages, follows the crawl over broken connections, searches a word in them.
//
//   ./tidemill up                                                     in one terminal
//   eval "$(./tidemill env)"                                          in another
//   node examples/crawl-and-search.mjs https://example.org/ example   Node 20 or newer, no packages

const url = (process.env.TIDEMILL_HTTP_URL ?? "http://127.0.0.1:8080").replace(/\/$/, "");
const key = process.env.TIDEMILL_API_KEY;
const auth = key ? { Authorization: `Bearer ${key}` } : {};
const [start = "https://example.org/", word = "example"] = process.argv.slice(2);
const pause = (ms) => new Promise((again) => setTimeout(again, ms));

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
  for (let lastId = ""; ; await pause(1000)) {
    const resume = lastId ? { "Last-Event-ID": lastId } : {};
    try {
      const answer = await fetch(`${url}/api/crawls/${id}/events`, {
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
          if (["completed", "failed", "canceled"].includes(type)) return;
        }
      }
    } catch (broken) {
      if (broken.final) throw broken;
      console.error(`connection lost (${broken.message}), trying again`);
    }
  }
}

// A page can be found a moment after it was fetched: it takes the way over the indexer's queue.
async function search(text) {
  for (let tries = 1; ; tries++) {
    const answer = await call(`/api/search?${new URLSearchParams({ q: text, size: 5 })}`);
    if (answer.hits.length || tries === 20) return answer;
    await pause(500);
  }
}

// Without tags and without what could steer a terminal: pages are written by anybody.
const names = { lt: "<", gt: ">", amp: "&", quot: '"', "#39": "'" };
const plain = (text) => text.replace(/<\/?em>/g, "")
  .replace(/&(lt|gt|amp|quot|#39);/g, (_, name) => names[name]).replace(/\p{C}/gu, "");

const { id } = await call("/api/crawls", { url: start, email: "you@example.org", maxPages: 20 });
console.log("crawl", id);
for await (const { type, data } of events(id)) {
  console.log(type, type === "progress" ? `fetched ${data.fetched} of ${data.found}` : "");
}
const record = await call(`/api/crawls/${id}`);
if (record.status !== "completed") throw new Error(`${record.status}: ${JSON.stringify(record.result)}`);
const found = await search(word);
console.log(found.total, "found");
for (const hit of found.hits) {
  console.log(`${plain(hit.title)}\n  ${plain(hit.url)}\n  ${plain(hit.snippet)}`);
}
