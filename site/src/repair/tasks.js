// The page's side of the worker.

/** A worker, and who waits for which answer. */
export class Tasks {
  #worker;
  #waiting = new Map();
  #last = 0;

  /**
   * Gives the worker a task.
   * @param {object} task
   * @param {(done: number) => void} [onProgress] is told how many bytes are done
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
    worker.addEventListener("message", ({ data: { id, ...answer } }) => this.#answered(id, answer));
    worker.addEventListener("error", (event) => {
      // The next task starts another one. Where a worker cannot be loaded, there is no message.
      worker.terminate();
      this.#worker = undefined;
      for (const { reject } of this.#waiting.values()) reject(new Error(event.message || "The worker has failed."));
      this.#waiting.clear();
    });
    return worker;
  }

  #answered(id, answer) {
    const waiting = this.#waiting.get(id);
    if (answer.done !== undefined) {
      waiting?.onProgress?.(answer.done);
      return;
    }
    this.#waiting.delete(id);
    if (answer.error !== undefined) waiting?.reject(new Error(answer.error));
    else waiting?.resolve(answer);
  }
}
