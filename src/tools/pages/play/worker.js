// The worker: executes lines of UCI in order. Messages to it: `{ module }` first, then `{ line, number }` with rising numbers,
// and `{ stop }` with the number of the last line that should end; from it: `{ reply }` and `{ failed }`.

const lines = [];
const turn = new MessageChannel();
let instance = null;
let isRunning = false;
let current = 0;
let stopped = 0;

/** Lets messages in while a search runs, then says whether it should stop. */
function poll() {
  return new Promise(resolve => {
    turn.port1.onmessage = () => resolve(current <= stopped ? 1 : 0);
    turn.port2.postMessage(null);
  });
}

async function run() {
  if (isRunning || instance === null) return;
  isRunning = true;
  while (lines.length) {
    const { line, number } = lines.shift();
    current = number;
    await instance.line(line);
  }
  isRunning = false;
}

async function start(module) {
  instance = await startInstance(module, {
    poll,
    onReply: reply => postMessage({ reply }),
    onFailure: failed => postMessage({ failed }),
  });
  await run();
}

const fail = error => postMessage({ failed: String(error?.message ?? error) });
self.onmessage = ({ data }) => {
  if (data.stop) stopped = data.stop;
  else if (data.module) start(data.module).catch(fail);
  else if (lines.push(data)) run().catch(fail);
};
