import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { isFields } from '../../connectors/kit/wire.ts'

export const liveName = 'live.json'

/** What `connector test --live --reads` found, without any value of the app. */
export interface Live {
  /** SHA-256 of the sources that were tried. */
  readonly sources: string
  /** YYYY-MM-DD, in UTC. */
  readonly day: string
  /** Read → how its output's shape was another than that of its recordings; empty: as there. */
  readonly reads: Readonly<Record<string, readonly string[]>>
  /** Read → why it gave no output. */
  readonly failed: Readonly<Record<string, string>>
}

/** The last one of these sources; undefined: they were not tried. */
export function readLive(folder: string): Live | undefined {
  const file = path.join(folder, liveName)
  if (!existsSync(file)) return undefined
  const said: unknown = JSON.parse(readFileSync(file, 'utf8'))
  if (!isFields(said) || !isFields(said['reads']) || !isFields(said['failed']))
    throw new Error(`${file} is not what connector test --live --reads writes`)
  const live = said as unknown as Live
  return live.sources === sourcesHash(folder) ? live : undefined
}

export async function writeLive(folder: string, live: Omit<Live, 'sources' | 'day'>): Promise<void> {
  const now = { sources: sourcesHash(folder), day: new Date().toISOString().slice(0, 10), ...live }
  await writeFile(path.join(folder, liveName), `${JSON.stringify(now, null, 2)}\n`)
}

/** Of what a connector is made of: its TypeScript and its package.json. */
function sourcesHash(folder: string): string {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const own = files.filter(
    (file) => file === 'package.json' || (file.endsWith('.ts') && !/(?:^|[/\\])node_modules[/\\]/.test(file)),
  )
  const hash = createHash('sha256')
  for (const file of own.toSorted()) hash.update(`${file}\n${readFileSync(path.join(folder, file), 'utf8')}\n`)
  return hash.digest('hex')
}
