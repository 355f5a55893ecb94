// WebM files of one video track: EBML elements (RFC 8794), Matroska's names (RFC 9559), with sizes and an index, so that players can seek.

/** A picture as the encoder gives it. */
export interface Chunk {
  time: number;  // milliseconds, whole
  isKey: boolean;
  bytes: Uint8Array;
}
export interface Track {
  codec: 'V_VP8' | 'V_VP9';
  width: number;
  height: number;
  duration: number;  // milliseconds
}

type Part = Uint8Array;

function join(parts: Part[]): Part {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Big endian, in as many bytes as it takes. */
function whole(value: number): Part {
  const bytes: number[] = [];
  do {
    bytes.unshift(value % 256);
    value = Math.floor(value / 256);
  } while (value > 0);
  return Uint8Array.from(bytes);
}
const text = (value: string): Part => new TextEncoder().encode(value);
function real(value: number): Part {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, value);
  return bytes;
}
/** An element's size in eight bytes: lengths up to 2^53. */
function sizeOf(length: number): Part {
  const bytes = new Uint8Array(8), view = new DataView(bytes.buffer);
  view.setUint32(0, Math.floor(length / 2 ** 32));
  view.setUint32(4, length % 2 ** 32);
  bytes[0] |= 0x01;
  return bytes;
}
const element = (id: number, ...content: Part[]): Part => join([whole(id), sizeOf(content.reduce((sum, part) => sum + part.length, 0)), ...content]);

const longestCluster = 5000;  // milliseconds: times within one are 16 bits

function blocksOf(chunks: Chunk[], from: number): Part[] {
  return chunks.map(chunk => {
    const head = new Uint8Array(4), view = new DataView(head.buffer);
    view.setUint8(0, 0x81);  // track 1
    view.setInt16(1, chunk.time - from);
    view.setUint8(3, chunk.isKey ? 0x80 : 0);
    return element(0xa3, head, chunk.bytes);
  });
}

/** The file; `chunks` in order of time, the first a key. */
export function webm(track: Track, chunks: Chunk[]): Part {
  const head = element(0x1a45dfa3, element(0x4286, whole(1)), element(0x42f7, whole(1)), element(0x42f2, whole(4)), element(0x42f3, whole(8)), element(0x4282, text('webm')),
    element(0x4287, whole(4)), element(0x4285, whole(2)));
  const info = element(0x1549a966, element(0x2ad7b1, whole(1_000_000)), element(0x4d80, text('Throng')), element(0x5741, text('Throng')), element(0x4489, real(track.duration)));
  const tracks = element(0x1654ae6b, element(0xae, element(0xd7, whole(1)), element(0x73c5, whole(1)), element(0x83, whole(1)), element(0x9c, whole(0)), element(0x86, text(track.codec)),
    element(0xe0, element(0xb0, whole(track.width)), element(0xba, whole(track.height)))));
  // A cluster begins with a key, so that playing can.
  const groups: Chunk[][] = [];
  for (const chunk of chunks) {
    const last = groups[groups.length - 1];
    if (!last || (chunk.isKey && chunk.time - last[0].time >= 1000) || chunk.time - last[0].time >= longestCluster) groups.push([chunk]);
    else last.push(chunk);
  }
  const clusters = groups.map(group => element(0x1f43b675, element(0xe7, whole(group[0].time)), ...blocksOf(group, group[0].time)));
  const points: Part[] = [];
  let at = info.length + tracks.length;
  groups.forEach((group, i) => {
    if (group[0].isKey) points.push(element(0xbb, element(0xb3, whole(group[0].time)), element(0xb7, element(0xf7, whole(1)), element(0xf1, whole(at)))));
    at += clusters[i].length;
  });
  return join([head, element(0x18538067, info, tracks, ...clusters, element(0x1c53bb6b, ...points))]);
}
