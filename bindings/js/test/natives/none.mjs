// Removes the native classes before the package is loaded: `node --import ./test/natives/none.mjs`.
for (const name of ["Buffer", "TextDecoder", "TextEncoder"]) delete globalThis[name];
