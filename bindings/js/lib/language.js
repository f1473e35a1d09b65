// How likely text is: the model of the crate textcodec-language. It is a separate file in dist/, because entries share it. It is not
// an entry itself.

export { cost } from "./language/cost.js";
export { getData, groupOf, isLetter } from "./language/data.js";
export { languageForTag } from "./language/languages.js";
export { Letters, getModels } from "./language/model.js";
