// `npm start`: a small server of static files, for dist/ and for the tests.

import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { createGzip } from "node:zlib";
import { extname, join, normalize } from "node:path";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/**
 * Serves a folder on this machine's loopback address.
 * @param {string} folder
 * @param {number} port 0 for any free port
 * @returns {Promise<import("node:http").Server>}
 */
export function serve(folder, port = 0) {
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url, "http://localhost").pathname);
    const file = join(folder, path.endsWith("/") ? `${path}index.html` : path);
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) {
      response.writeHead(404).end();
      return;
    }
    const headers = { "content-type": TYPES[extname(file)] ?? "application/octet-stream" };
    // As servers of static files do.
    const isPacked = /\bgzip\b/.test(request.headers["accept-encoding"] ?? "");
    response.writeHead(200, isPacked ? { ...headers, "content-encoding": "gzip" } : headers);
    if (isPacked) createReadStream(file).pipe(createGzip()).pipe(response);
    else createReadStream(file).pipe(response);
  });
  return new Promise((resolve) => server.listen(port, "127.0.0.1", () => resolve(server)));
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const server = await serve(fileURLToPath(new URL("dist", import.meta.url)), Number(argv[2] ?? 8000));
  console.log(`http://localhost:${server.address().port}/`);
}
