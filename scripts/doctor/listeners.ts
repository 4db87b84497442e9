import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

interface Listener {
  readonly pid: number
  /** The process group, by its leader. */
  readonly group: number
  readonly name: string
}

const listening = '0A'

/** Processes that listen at a local TCP port, as far as this user may see. */
export function listenersOf(port: number): readonly Listener[] {
  const sockets = new Set(
    ['tcp', 'tcp6'].flatMap((table) => socketsAt(port, table)).map((inode) => `socket:[${inode}]`),
  )
  if (sockets.size === 0) return []
  return tried(() => readdirSync('/proc'), [])
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => holdsOneOf(sockets, pid))
    .flatMap((pid) => describe(pid))
}

/** Inodes, from lines such as `0: 0100007F:1F90 00000000:0000 0A … 0 0 123456`. */
function socketsAt(port: number, table: string): readonly string[] {
  return tried(() => readFileSync(`/proc/net/${table}`, 'utf8'), '')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => state === listening && Number.parseInt(local?.split(':')[1] ?? '', 16) === port)
    .flatMap((columns) => columns[9] ?? [])
}

function holdsOneOf(sockets: ReadonlySet<string>, pid: string): boolean {
  const folder = `/proc/${pid}/fd`
  return tried(() => readdirSync(folder), []).some((file) =>
    sockets.has(tried(() => readlinkSync(`${folder}/${file}`), '')),
  )
}

function describe(pid: string): readonly Listener[] {
  const stat = tried(() => readFileSync(`/proc/${pid}/stat`, 'utf8'), '')
  const name = /\((.*)\)/s.exec(stat)?.[1]
  const group = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2])
  return name === undefined ? [] : [{ pid: Number(pid), group, name }]
}

/** Processes end meanwhile, and those of other users are unreadable. */
function tried<T>(look: () => T, otherwise: T): T {
  try {
    return look()
  } catch {
    return otherwise
  }
}
