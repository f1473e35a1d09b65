/**
 * The module. Platforms and bundlers import it as its address, as its bytes, or compiled. `init` of the entry `slim` accepts all
 * of them.
 */
declare const module: any;
export default module;
