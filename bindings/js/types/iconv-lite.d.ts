import type { Iconv } from "./iconv-lite-api.js";

export type * from "./iconv-lite-api.js";

declare const iconv: Iconv;
export default iconv;

export declare const encode: Iconv["encode"];
export declare const decode: Iconv["decode"];
export declare const encodingExists: Iconv["encodingExists"];
export declare const toEncoding: Iconv["toEncoding"];
export declare const fromEncoding: Iconv["fromEncoding"];
export declare const getCodec: Iconv["getCodec"];
export declare const getEncoder: Iconv["getEncoder"];
export declare const getDecoder: Iconv["getDecoder"];
export declare const encodeStream: Iconv["encodeStream"];
export declare const decodeStream: Iconv["decodeStream"];
export declare const enableStreamingAPI: Iconv["enableStreamingAPI"];
export declare let IconvLiteEncoderStream: Iconv["IconvLiteEncoderStream"];
export declare let IconvLiteDecoderStream: Iconv["IconvLiteDecoderStream"];
export declare let supportsStreams: boolean;
export declare const _canonicalizeEncoding: Iconv["_canonicalizeEncoding"];
export declare const encodings: Iconv["encodings"];
export declare const _codecDataCache: Iconv["_codecDataCache"];
/** The default value. To change it, set it in the default export. */
export declare const defaultCharUnicode: string;
/** The default value. To change it, set it in the default export. */
export declare const defaultCharSingleByte: string;
/** The default value. To change it, set it in the default export. */
export declare const skipDecodeWarning: boolean;
