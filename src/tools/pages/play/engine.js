// The engine as the page sees it: rules that answer at once, and searches in a worker.

/** Whether only the end of the worker stops a search: where the browser cannot suspend it. */
let stopsByEnding = !CAN_SUSPEND;

/** Unpacks the engine that the page carries: WebAssembly, compressed, as base64. */
async function unpackEngine(text) {
  const bytes = Uint8Array.fromBase64 ? Uint8Array.fromBase64(text) : Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}

/** Answers questions about rules. After a failure a new instance answers the next question. */
class Rules {
  constructor(module) {
    this.module = module;
    this.text = "";
    this.failure = "";
  }

  async start() {
    this.instance = await startInstance(this.module, {
      onReply: text => { this.text = text; },
      onFailure: text => { this.failure = text; },
    });
  }

  /** Returns the answer; `{ error }` with one line if the question cannot be answered. */
  ask(question) {
    try {
      this.instance.ask(JSON.stringify(question));
      return JSON.parse(this.text);
    } catch (error) {
      this.start();
      return { error: this.failure || String(error) };
    }
  }
}

/** Runs searches, one at a time, in a worker. */
class Engine {
  /** `onFailure` gets the message of a failure, after the worker was started again. */
  constructor(module, onFailure) {
    Object.assign(this, { module, onFailure, jobs: [], worker: null, options: new Map(), number: 0 });
    this.address = URL.createObjectURL(new Blob([byId("worker").textContent], { type: "text/javascript" }));
    this.start();
  }

  start() {
    this.worker?.terminate();
    this.options.clear();
    for (const job of this.jobs.splice(0)) job.end(null);
    this.worker = new Worker(this.address);
    this.worker.onmessage = ({ data }) => {
      if (data.failed) this.fail(data.failed);
      else if (data.reply) data.reply.split("\n").forEach(line => this.read(line));
    };
    this.worker.onerror = event => {
      event.preventDefault();
      this.fail(event.message);
    };
    this.worker.postMessage({ module: this.module });
  }

  fail(message) {
    this.start();
    this.onFailure(message);
  }

  setOption(name, value) {
    if (this.options.get(name) === value) return;
    this.options.set(name, value);
    this.send(`setoption name ${name} value ${value}`);
  }

  send(line) {
    this.number += 1;
    this.worker.postMessage({ line, number: this.number });
  }

  /**
   * Searches a game to `limits` (the words after `go`) with a number of lines, at the rating `elo` or at full strength. `method` is a
   * value of the option Search Method.
   * `onLines` gets the lines of each iteration.
   * Returns a promise of `{ best, lines }`, or of null if the search was stopped or has failed.
   */
  search({ variant, position, moves }, { limits, lines = 1, elo = null, method = "engine" }, onLines = () => {}) {
    this.stop();
    this.setOption("UCI_Variant", variant);
    this.setOption("UCI_ShowWDL", "true");
    this.setOption("MultiPV", String(lines));
    this.setOption("Search Method", method);
    if (elo !== null) this.setOption("UCI_Elo", String(elo));
    this.setOption("UCI_LimitStrength", String(elo !== null));
    const start = position ? `fen ${position}` : "startpos";
    this.send(`position ${start} moves ${moves.join(" ")}`);
    this.send(`go ${limits}`);
    return new Promise(end => this.jobs.push({ end, onLines, lines: [], isStopped: false }));
  }

  /** Sends a line and returns a promise of the replies up to the first that `isLast`. For `bench`. */
  run(line, isLast) {
    this.send(line);
    return new Promise(end => this.jobs.push({ end, replies: [], isLast }));
  }

  /** Stops the running search. Where the browser cannot suspend it, ends the worker and starts another. */
  stop() {
    if (this.jobs.every(job => job.isStopped)) return;
    for (const job of this.jobs) job.isStopped = true;
    if (!stopsByEnding) this.worker.postMessage({ stop: this.number });
    else this.start();
  }

  read(line) {
    const [job] = this.jobs;
    if (!job) return;
    if (job.replies) {
      job.replies.push(line);
      if (job.isLast(line)) this.jobs.shift().end(job.replies);
    } else if (line.startsWith("info depth")) {
      const info = parseInfo(line);
      if (info === null || job.isStopped) return;
      if (info.rank === 1) job.lines = [];
      job.lines[info.rank - 1] = info;
      job.onLines(job.lines.filter(Boolean));
    } else if (line.startsWith("bestmove")) {
      const [, best] = line.split(" ");
      this.jobs.shift().end(job.isStopped ? null : { best: best === "(none)" ? null : best, lines: job.lines.filter(Boolean) });
    }
  }
}

/** Reads a line such as `info depth 9 seldepth 15 multipv 1 score cp 5 wdl 30 950 20 nodes 11000 ... pv d2d4 d7d5`. */
function parseInfo(line) {
  const [head, pv] = line.split(" pv ");
  if (!pv) return null;
  const words = head.split(" ");
  const after = (name, step = 1) => Number(words[words.indexOf(name) + step]);
  const kind = words[words.indexOf("score") + 1];
  return {
    depth: after("depth"), rank: after("multipv"), nodes: after("nodes"), time: after("time"), nps: after("nps"),
    score: { [kind]: after("score", 2) },
    expected: (after("wdl") + after("wdl", 2) / 2) / 1000,
    pv: pv.trim().split(" "),
  };
}
