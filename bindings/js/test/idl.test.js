// The properties of the four interfaces, as Web IDL defines them and idlharness checks them.

import { assert } from "chai";
import { describe, test } from "node:test";
import { TextDecoder, TextDecoderStream, TextEncoder, TextEncoderStream, entry, install, package_ } from "./support/package.js";
import { throws } from "./support/tools.js";

/** The method that Node calls to print an object. It is the only addition to the interfaces. */
const INSPECT = Symbol.for("nodejs.util.inspect.custom");

const INTERFACES = [
  {
    Interface: TextDecoder,
    name: "TextDecoder",
    attributes: ["encoding", "fatal", "ignoreBOM"],
    operations: { decode: 0 },
  },
  { Interface: TextEncoder, name: "TextEncoder", attributes: ["encoding"], operations: { encode: 0, encodeInto: 2 } },
  {
    Interface: TextDecoderStream,
    name: "TextDecoderStream",
    attributes: ["encoding", "fatal", "ignoreBOM", "readable", "writable"],
    operations: {},
  },
  {
    Interface: TextEncoderStream,
    name: "TextEncoderStream",
    attributes: ["encoding", "readable", "writable"],
    operations: {},
  },
];

const { getOwnPropertyDescriptor: descriptor } = Object;

for (const { Interface, name, attributes, operations } of INTERFACES) {
  const { prototype } = Interface;
  const members = [...attributes, ...Object.keys(operations)];

  describe(`interface ${name}`, () => {
    test("interface object: length and name", () => {
      assert.deepEqual(descriptor(Interface, "length"), { value: 0, writable: false, enumerable: false, configurable: true });
      assert.deepEqual(descriptor(Interface, "name"), { value: name, writable: false, enumerable: false, configurable: true });
      assert.sameMembers(Reflect.ownKeys(Interface), ["length", "name", "prototype"]);
    });

    test("interface object: a function whose prototype is Function.prototype", () => {
      assert.isFunction(Interface);
      assert.equal(Object.getPrototypeOf(Interface), Function.prototype);
    });

    test("interface object: prototype is not writable, not enumerable, not configurable", () => {
      assert.deepEqual(descriptor(Interface, "prototype"), {
        value: prototype,
        writable: false,
        enumerable: false,
        configurable: false,
      });
    });

    test("interface prototype object: its keys, its prototype and its constructor", () => {
      assert.sameMembers(Reflect.ownKeys(prototype), [...members, "constructor", Symbol.toStringTag, INSPECT]);
      assert.equal(Object.getPrototypeOf(prototype), Object.prototype);
      assert.deepEqual(descriptor(prototype, "constructor"), {
        value: Interface,
        writable: true,
        enumerable: false,
        configurable: true,
      });
    });

    test("interface prototype object: Symbol.toStringTag", () => {
      assert.deepEqual(descriptor(prototype, Symbol.toStringTag), {
        value: name,
        writable: false,
        enumerable: false,
        configurable: true,
      });
      assert.equal(Object.prototype.toString.call(new Interface()), `[object ${name}]`);
      assert.equal(Object.prototype.toString.call(prototype), `[object ${name}]`);
    });

    test("for-in over an instance lists only the members", () => {
      const found = [];
      for (const key in new Interface()) found.push(key);
      assert.sameMembers(found, members);
      assert.deepEqual(Reflect.ownKeys(new Interface()), []);
    });

    for (const attribute of attributes) {
      test(`attribute ${attribute}: an accessor on the prototype`, () => {
        const { get, set, ...flags } = descriptor(prototype, attribute);
        assert.deepEqual(flags, { enumerable: true, configurable: true });
        assert.isUndefined(set);
        assert.isFunction(get);
        assert.deepEqual(descriptor(get, "name"), {
          value: `get ${attribute}`,
          writable: false,
          enumerable: false,
          configurable: true,
        });
        assert.deepEqual(descriptor(get, "length"), { value: 0, writable: false, enumerable: false, configurable: true });
        assert.isFalse("prototype" in get);
        throws(() => new get(), TypeError);
      });

      test(`attribute ${attribute}: read-only`, () => {
        "use strict";
        const object = new Interface();
        const before = object[attribute];
        throws(() => (object[attribute] = 1), TypeError);
        assert.equal(object[attribute], before);
      });
    }

    for (const [operation, length] of Object.entries(operations)) {
      test(`operation ${operation}: a method on the prototype`, () => {
        const { value, ...flags } = descriptor(prototype, operation);
        assert.deepEqual(flags, { writable: true, enumerable: true, configurable: true });
        assert.deepEqual(descriptor(value, "name"), {
          value: operation,
          writable: false,
          enumerable: false,
          configurable: true,
        });
        assert.deepEqual(descriptor(value, "length"), {
          value: length,
          writable: false,
          enumerable: false,
          configurable: true,
        });
        assert.isFalse("prototype" in value);
        throws(() => new value(), TypeError);
      });
    }

    test("brand check: members throw a TypeError for other objects", () => {
      const others = INTERFACES.filter((other) => other.Interface !== Interface).map((other) => new other.Interface());
      const foreign = [
        undefined,
        null,
        0,
        "",
        Symbol(),
        {},
        [],
        globalThis,
        prototype,
        Interface,
        Object.create(prototype),
        Object.create(new Interface()),
        new Proxy(new Interface(), {}),
        { encoding: "utf-8", readable: 1 },
        ...(globalThis[name] && globalThis[name] !== Interface ? [new globalThis[name]()] : []),
        ...others,
      ];
      for (const receiver of foreign) {
        for (const attribute of attributes) {
          throws(() => descriptor(prototype, attribute).get.call(receiver), TypeError, attribute);
        }
        if (operations.decode !== undefined) throws(() => prototype.decode.call(receiver, new Uint8Array(1)), TypeError);
        if (operations.encode !== undefined) throws(() => prototype.encode.call(receiver, "a"), TypeError);
        if (operations.encodeInto !== undefined) {
          throws(() => prototype.encodeInto.call(receiver, "a", new Uint8Array(1)), TypeError);
        }
      }
      for (const attribute of attributes) throws(() => prototype[attribute], TypeError, attribute);
    });

    test("brand check: happens before arguments are converted", () => {
      const never = { toString: () => assert.fail("converted"), get stream() { return assert.fail("read"); } };
      for (const operation of Object.keys(operations)) {
        throws(() => prototype[operation].call({}, never, never), TypeError, operation);
      }
    });

    test("calls without new throw a TypeError", () => {
      throws(() => Interface(), TypeError);
      throws(() => Interface.call(new Interface()), TypeError);
      throws(() => Reflect.apply(Interface, Object.create(prototype), []), TypeError);
    });

    test("new.target determines the prototype", () => {
      class Sub extends Interface {
        own = 1;
      }
      const sub = new Sub();
      assert.instanceOf(sub, Interface);
      assert.equal(Object.getPrototypeOf(sub), Sub.prototype);
      assert.equal(sub.encoding, "utf-8");
      const other = Reflect.construct(Interface, [], Array);
      assert.equal(Object.getPrototypeOf(other), Array.prototype);
      assert.equal(descriptor(prototype, "encoding").get.call(other), "utf-8");
    });

    test("install: defines the same property as an engine", () => {
      const target = {};
      install(target);
      assert.deepEqual(descriptor(target, name), {
        value: Interface,
        writable: true,
        enumerable: false,
        configurable: true,
      });
    });
  });
}

describe("install", () => {
  test("replaces only the four classes", () => {
    const target = { TextDecoder: 1, other: 2 };
    install(target);
    assert.sameMembers(Reflect.ownKeys(target), INTERFACES.map(({ name }) => name).concat("other"));
    assert.equal(target.TextDecoder, TextDecoder);
    assert.equal(target.other, 2);
  });

  test("uses globalThis by default", () => {
    const before = INTERFACES.map(({ name }) => [name, descriptor(globalThis, name)]);
    try {
      install();
      for (const { Interface, name } of INTERFACES) assert.equal(globalThis[name], Interface);
      assert.equal(new globalThis.TextDecoder("gbk").decode(Uint8Array.of(0xc4, 0xe3).buffer), "\u4f60");
      assert.equal(new globalThis.TextEncoder().encode("\u00e9".repeat(100)).length, 200);
      assert.equal(new globalThis.TextDecoder().decode(new Uint8Array(100).fill(0x61)), "a".repeat(100));
    } finally {
      for (const [name, own] of before) {
        delete globalThis[name];
        if (own !== undefined) Object.defineProperty(globalThis, name, own);
      }
    }
  });
});

test("the package exports exactly these names", () => {
  const names = [
    "DecodeError", "Decoder", "DecoderStream", "EncodeError", "Encoder", "EncoderStream", "TextDecoder", "TextDecoderStream", "TextEncoder", "TextEncoderStream", "bomSniff", "decode",
    "decodeAndReport", "encode", "encodeOrFail", "encodings", "getEncoding", "getOutputEncoding", "install",
    "percentEncodeAfterEncoding",
  ];
  assert.sameMembers(Object.keys(package_), entry === "slim" ? [...names, "default"] : names);
});
