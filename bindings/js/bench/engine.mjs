// Prints the name and version of the engine.

const { Bun, Deno, process } = globalThis;
console.log(Bun ? `Bun ${Bun.version}` : Deno ? `Deno ${Deno.version.deno}` : `Node ${process.versions.node}`);
