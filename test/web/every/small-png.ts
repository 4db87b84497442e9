import { crc32, deflateSync } from 'node:zlib'

/** Red, green and blue in steps of 8: less than anybody sees, and less than what counts as a difference. */
const stepped = Uint8Array.from({ length: 256 }, (_, value) => Math.round((Math.round((value * 31) / 255) * 255) / 31))

export const coarsely = (data: Uint8Array): Uint8Array => data.map((value) => stepped[value]!)

/**
 * A picture as PNG in a third of the bytes, with at most 256 colours: those that are seen most stay, each other one becomes the nearest of
 * them, which on a page are edges of letters. `data`: red, green, blue and alpha of each pixel, row by row; nothing shines through.
 */
export function smallPng({ width, height, data }: Picture): Buffer {
  const coarse = coarsely(data)
  const pixels = new Uint32Array(coarse.buffer, coarse.byteOffset, width * height)
  const counts = new Map<number, number>()
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1)
  const colours = [...counts].toSorted((a, b) => b[1] - a[1]).map(([pixel]) => pixel)
  const kept = colours.slice(0, 256)
  const places = new Map(colours.map((pixel, place) => [pixel, place < 256 ? place : nearest(pixel, kept)]))
  const rows = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) rows[y * (width + 1) + x + 1] = places.get(pixels[y * width + x]!)!
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  // 8 bits for each place in the palette.
  head.set([8, 3], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('PLTE', Buffer.from(kept.flatMap(channels))),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

interface Picture {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

/** Red, green and blue of a pixel, as a little-endian machine reads it. */
const channels = (pixel: number): [number, number, number] => [pixel & 255, (pixel >> 8) & 255, (pixel >> 16) & 255]

function nearest(pixel: number, kept: readonly number[]): number {
  const [red, green, blue] = channels(pixel)
  let [best, least] = [0, Infinity]
  for (const [place, other] of kept.entries()) {
    const distance =
      ((other & 255) - red) ** 2 + (((other >> 8) & 255) - green) ** 2 + (((other >> 16) & 255) - blue) ** 2
    if (distance < least) [best, least] = [place, distance]
  }
  return best
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
