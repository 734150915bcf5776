// An instance of the engine: the functions that it imports, and calls with text. The page and its worker share this file.

/** Whether a search can return to the event loop while it runs (JavaScript Promise Integration). */
const CAN_SUSPEND = "WebAssembly" in globalThis && "Suspending" in WebAssembly && "promising" in WebAssembly;

/** Starts an instance. `poll` returns whether a search should stop, or a promise of it if the browser can suspend a search. */
async function startInstance(module, { onReply, onFailure, poll = null }) {
  let memory = null;
  const textAt = (address, bytes) => new TextDecoder().decode(new Uint8Array(memory.buffer, address, bytes));
  const suspends = CAN_SUSPEND && poll !== null;
  const host = {
    now: () => performance.now(),
    poll: suspends ? new WebAssembly.Suspending(poll) : () => 0,
    reply: (address, bytes) => onReply(textAt(address, bytes)),
    failed: (address, bytes) => onFailure(textAt(address, bytes)),
  };
  const { exports } = await WebAssembly.instantiate(module, { host });
  memory = exports.memory;
  exports.duiyi_start();
  const line = suspends ? WebAssembly.promising(exports.duiyi_line) : exports.duiyi_line;
  const write = text => {
    const bytes = new TextEncoder().encode(text);
    const address = exports.duiyi_text(bytes.length);
    new Uint8Array(memory.buffer, address, bytes.length).set(bytes);
  };
  return {
    exports,
    /** Executes a line of UCI with its search. */
    line(text) {
      write(text);
      return line();
    },
    /** Answers a question about rules. */
    ask(text) {
      write(text);
      exports.duiyi_ask();
    },
  };
}
