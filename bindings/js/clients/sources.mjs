// Fetches the sources of clients.

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg";
const APT_HELPER = "/usr/lib/apt/apt-helper";

export const hasApt = () => existsSync(APT_HELPER) && existsSync(KEYRING);

const run = (program, args) => execFileSync(program, args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

/** Debian's sources, which are read with apt. Its files are in `folder`, and the system's configuration is not used. */
export function debianSources(folder) {
  const sources = join(folder, "debian.sources");
  mkdirSync(join(folder, "lists/partial"), { recursive: true });
  const fields = { Types: "deb-src", URIs: "http://deb.debian.org/debian", Suites: "bookworm", Components: "main", "Signed-By": KEYRING };
  writeFileSync(sources, Object.entries(fields).map(([name, value]) => `${name}: ${value}\n`).join(""));
  const options = [
    ...["-o", "Dir::Etc::sourceparts=/dev/null", "-o", `Dir::Etc::sourcelist=${sources}`],
    ...["-o", `Dir::State::lists=${join(folder, "lists")}`, "-o", `Dir::Cache=${join(folder, "cache")}`, "-o", "APT::Sandbox::User=root"],
  ];
  mkdirSync(join(folder, "cache/archives/partial"), { recursive: true });
  run("apt-get", [...options, "update"]);
  return (name, target) => {
    const uris = run("apt-get", [...options, "source", "--print-uris", name]);
    // The original source without the parts that Debian has added.
    const [, uri, file, hash] = /^'(\S+)' (\S+\.orig\.tar\.\S+) \d+ (SHA256:\S+)$/m.exec(uris);
    const path = join(folder, file);
    run(APT_HELPER, ["download-file", uri, path, hash]);
    mkdirSync(target, { recursive: true });
    run("tar", ["-xf", path, "-C", target, "--strip-components=1"]);
  };
}

/** Writes a key and a certificate for a server of tests. */
export function writeCertificate(folder) {
  mkdirSync(folder, { recursive: true });
  const files = ["-keyout", join(folder, "ssl.key"), "-out", join(folder, "ssl.cert")];
  run("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-days", "2", ...files]);
}

/** Translates a file of TypeScript. `replace` is a path of its imports, and the one to use. */
export async function translate(folder, { from, to, replace: [old, path] }) {
  const { transformSync } = await import("esbuild");
  const source = readFileSync(join(folder, from), "utf8").replaceAll(`"${old}"`, `"${path}"`);
  writeFileSync(join(folder, to), transformSync(source, { loader: "ts", format: "cjs" }).code);
}
