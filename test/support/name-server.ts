import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIP } from 'node:net'

/** A name server of our own. Without `addresses` it never answers. */
export interface NameServer {
  readonly address: string
  /** Questions that came, by name. */
  readonly asked: string[]
  close(): void
}

/** Answers each question for a name with its addresses of the kind that is asked for. */
export async function startNameServer(addresses?: Readonly<Record<string, readonly string[]>>): Promise<NameServer> {
  const socket = createSocket('udp4')
  const asked: string[] = []
  socket.on('message', (question, from) => {
    const labels: string[] = []
    let at = 12
    for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
      labels.push(question.toString('latin1', at + 1, at + 1 + length))
      at += 1 + length
    }
    const name = labels.join('.').toLowerCase()
    asked.push(name)
    if (addresses === undefined) return
    const kind = question.readUInt16BE(at + 1)
    const known = addresses[name]
    const found = (known ?? []).filter((address) => kind === 1 && isIP(address) === 4)
    const head = Buffer.from(question.subarray(0, 12))
    head.writeUInt16BE(known === undefined ? 0x8183 : 0x8180, 2)
    head.writeUInt16BE(found.length, 6)
    head.writeUInt32BE(0, 8)
    const answers = found.map((address) =>
      Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
    )
    socket.send(Buffer.concat([head, question.subarray(12, at + 5), ...answers]), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { address: `127.0.0.1:${socket.address().port}`, asked, close: () => socket.close() }
}
