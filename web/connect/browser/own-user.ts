import { readdirSync, readFileSync, statSync } from 'node:fs'

/** Ids that no account has: systemd's range for dynamic users, of which it takes only free ones. */
const lowest = 61_184
const highest = 65_519

/**
 * A free user id, so that a browser started by root can touch no process or file but its own:
 * neither another browser's nor those of the database, which runs as `nobody`. Undefined where this
 * process is not root: the browser then runs as its user. Throws when no id is free.
 */
export function ownUser(): number | undefined {
  if (process.getuid?.() !== 0) return undefined
  const taken = new Set([...accounts(), ...running()])
  const free = Array.from({ length: highest - lowest + 1 }, (_, index) => lowest + index).filter((id) => !taken.has(id))
  const id = free[Math.floor(Math.random() * free.length)]
  if (id === undefined) throw new Error('there is no free user id for a browser')
  return id
}

function accounts(): number[] {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  return lines.map((line) => Number(line.split(':')[2]))
}

function running(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid ?? [])
}
