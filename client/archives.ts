import { crc32, deflateRawSync, gzipSync } from 'node:zlib'

/** File contents by path in the archive. The same files always yield the same bytes. */
export type Files = ReadonlyMap<string, string>

/** npm's own fixed timestamp; any constant keeps the archive reproducible. */
const mtime = Date.parse('1985-10-26T08:15:00Z') / 1000
const block = 512

/** A package as npm packs it: ustar, gzipped. Paths have at most 100 bytes. */
export function tarball(files: Files): Buffer {
  const blocks = [...files].flatMap(([name, text]) => {
    const body = Buffer.from(text)
    return [tarHeader(name, body.length), body, Buffer.alloc(-body.length & (block - 1))]
  })
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * block)]), { level: 9 })
}

function tarHeader(name: string, size: number): Buffer {
  if (Buffer.byteLength(name) > 100) throw new Error(`${name} is too long for a tarball`)
  const header = Buffer.alloc(block)
  const octal = (value: number, at: number, digits: number): void =>
    void header.write(`${value.toString(8).padStart(digits, '0')} `, at)
  header.write(name, 0)
  octal(0o644, 100, 6)
  octal(0, 108, 6)
  octal(0, 116, 6)
  octal(size, 124, 11)
  octal(mtime, 136, 11)
  header.write('        0', 148)
  header.write('ustar\u000000', 257)
  const sum = header.reduce((all, byte) => all + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

/** A wheel (zip): each file deflated, dated 1 January 1980. */
export function zip(files: Files): Buffer {
  const bodies: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, text] of files) {
    const path = Buffer.from(name)
    const packed = deflateRawSync(text, { level: 9 })
    const shared = zipFields(text, packed.length, path.length)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), shared, path, packed])
    const place = Buffer.alloc(14)
    place.writeUInt32LE((0o100644 << 16) >>> 0, 6)
    place.writeUInt32LE(offset, 10)
    // Marked as made by Unix; otherwise the file mode is ignored.
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x03', 'latin1'), shared, place, path]))
    bodies.push(local)
    offset += local.length
  }
  const index = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06')
  end.writeUInt16LE(files.size, 8)
  end.writeUInt16LE(files.size, 10)
  end.writeUInt32LE(index.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...bodies, index, end])
}

/** Fields shared by a file's header and its entry in the central directory. */
function zipFields(text: string, packed: number, name: number): Buffer {
  const fields = Buffer.alloc(26)
  fields.writeUInt16LE(20, 0)
  fields.writeUInt16LE(8, 4)
  fields.writeUInt16LE(0x21, 8)
  fields.writeUInt32LE(crc32(text), 10)
  fields.writeUInt32LE(packed, 14)
  fields.writeUInt32LE(Buffer.byteLength(text), 18)
  fields.writeUInt16LE(name, 22)
  return fields
}
