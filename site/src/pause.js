// Lets the browser draw and react between the steps of a long task.

/** How long a task may take, in milliseconds. A slow phone needs four times as long, and a person notices 50 ms. */
const MAX_TASK = 5;

let started = 0;

/** Goes on in a new task. */
export async function nextTask() {
  await new Promise((resolve) => setTimeout(resolve));
  started = performance.now();
}

/** Goes on in a new task if this one has taken long. Call it before each step. */
export async function pause() {
  if (performance.now() - started >= MAX_TASK) await nextTask();
}

/** Waits until what was changed is shown. Pages in the background are never shown. */
export const painted = () =>
  new Promise((resolve) => {
    if (globalThis.document === undefined || document.hidden) resolve();
    else requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)));
  });
