import { crc32 } from 'node:zlib'

export interface ZipFile {
  name: string
  bytes: Buffer
}

/** What the local header and the directory say alike: stored as it is, name in UTF-8, 1 January 1980. */
function common({ name, bytes }: ZipFile): Buffer {
  const part = Buffer.alloc(26)
  part.writeUInt16LE(20, 0)
  part.writeUInt16LE(0x0800, 2)
  part.writeUInt16LE(0x0021, 8)
  part.writeUInt32LE(crc32(bytes), 10)
  part.writeUInt32LE(bytes.length, 14)
  part.writeUInt32LE(bytes.length, 18)
  part.writeUInt16LE(Buffer.byteLength(name), 22)
  return part
}

const signed = (signature: number, size: number): Buffer => {
  const part = Buffer.alloc(size)
  part.writeUInt32LE(signature)
  return part
}

/** An archive that stores the files without compressing them. */
export function zip(files: readonly ZipFile[]): Buffer {
  const bodies: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const file of files) {
    const body = Buffer.concat([signed(0x04034b50, 4), common(file), Buffer.from(file.name), file.bytes])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(offset, 10)
    const made = Buffer.from([20, 0])
    directory.push(Buffer.concat([signed(0x02014b50, 4), made, common(file), rest, Buffer.from(file.name)]))
    bodies.push(body)
    offset += body.length
  }
  const listed = Buffer.concat(directory)
  const end = signed(0x06054b50, 22)
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...bodies, listed, end])
}
