// A block of figures from the server (src/server/pack.hpp): a JSON object and arrays of numbers.

export type Numbers = Float32Array | Float64Array | Uint32Array | Uint16Array | Uint8Array;

const types = {f32: Float32Array, f64: Float64Array, u32: Uint32Array, u16: Uint16Array, u8: Uint8Array};

export interface Pack {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  head: any;
  f32(name: string): Float32Array;
  f64(name: string): Float64Array;
  u32(name: string): Uint32Array;
  u16(name: string): Uint16Array;
  u8(name: string): Uint8Array;
  has(name: string): boolean;
  readonly names: string[];
}

export function unpack(bytes: ArrayBuffer): Pack {
  const size = new DataView(bytes).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, size)));
  const start = 4 + size;
  const array = (name: string, type: keyof typeof types): Numbers => {
    const entry = head.arrays[name];
    if (!entry || entry[0] !== type) throw new Error(`the server sent no ${type} array '${name}'`);
    return new types[type](bytes, start + entry[1], entry[2]);
  };
  return {
    head,
    f32: name => array(name, 'f32') as Float32Array,
    f64: name => array(name, 'f64') as Float64Array,
    u32: name => array(name, 'u32') as Uint32Array,
    u16: name => array(name, 'u16') as Uint16Array,
    u8: name => array(name, 'u8') as Uint8Array,
    has: name => name in head.arrays,
    names: Object.keys(head.arrays),
  };
}
