// The page's interface to the worker.

/** A worker, and the tasks that wait for its results. */
export class Tasks {
  #worker;
  #waiting = new Map();
  #last = 0;

  /**
   * Runs a task in the worker.
   * @param {object} task
   * @param {(done: number) => void} [onProgress] called with the number of bytes done
   * @returns {Promise<object>}
   */
  run(task, onProgress) {
    this.#worker ??= this.#create();
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, onProgress });
      this.#worker.postMessage({ ...task, id });
    });
  }

  #create() {
    const worker = new Worker(new URL("worker.js", document.baseURI), { type: "module" });
    worker.addEventListener("message", ({ data: { id, ...result } }) => this.#onMessage(id, result));
    worker.addEventListener("error", (event) => {
      // If the worker cannot be loaded, the event has no message.
      this.#fail(event.message || "The background worker failed.");
    });
    return worker;
  }

  /** Ends the tasks that are running. They would keep later ones waiting. */
  stop() {
    if (this.#waiting.size > 0) this.#fail("Stopped.");
  }

  /** Ends the worker, and fails its tasks. The next task starts a new worker. */
  #fail(message) {
    this.#worker.terminate();
    this.#worker = undefined;
    for (const { reject } of this.#waiting.values()) reject(new Error(message));
    this.#waiting.clear();
  }

  #onMessage(id, result) {
    const waiting = this.#waiting.get(id);
    if (result.done !== undefined) {
      waiting?.onProgress?.(result.done);
      return;
    }
    this.#waiting.delete(id);
    if (result.error !== undefined) waiting?.reject(new Error(result.error));
    else waiting?.resolve(result);
  }
}
