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
      // The next task starts a new worker. If the worker cannot be loaded, the event has no message.
      worker.terminate();
      this.#worker = undefined;
      const message = event.message || "The background worker failed.";
      for (const { reject } of this.#waiting.values()) reject(new Error(message));
      this.#waiting.clear();
    });
    return worker;
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
