// The script of the frame, which has a separate origin and may not load anything. Code runs in a worker, which has the
// frame's policy and can be stopped.

const url = URL.createObjectURL(new Blob([document.getElementById("runner").textContent], { type: "text/javascript" }));
let worker;

addEventListener("message", ({ data, source }) => {
  if (source !== parent) return;
  worker?.terminate();
  worker = undefined;
  if (data.code === undefined) return;
  const { run, code } = data;
  worker = new Worker(url);
  worker.addEventListener("message", (event) => {
    const { done = false, level, text } = event.data ?? {};
    // The code can post messages, too, and those have any form.
    if (!done && typeof text !== "string") return;
    // Nothing of the code may run on.
    if (done) event.target.terminate();
    parent.postMessage({ run, done, level: `${level}`, text }, "*");
  });
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    parent.postMessage({ run, level: "error", text: event.message }, "*");
  });
  worker.postMessage(code);
});
parent.postMessage({ ready: true }, "*");
