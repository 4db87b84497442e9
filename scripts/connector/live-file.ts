import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { isFields } from '../../connectors/kit/wire.ts'

export const liveName = 'live.json'

/** Results of `connector test --live --reads`; contains no values of the app. */
export interface Live {
  /** SHA-256 of the tested sources. */
  readonly sources: string
  /** YYYY-MM-DD, in UTC. */
  readonly day: string
  /** Read → how the shape of its output differs from its recordings; empty if it does not. */
  readonly reads: Readonly<Record<string, readonly string[]>>
  /** Read → why it gave no output. */
  readonly failed: Readonly<Record<string, string>>
}

/** The result for these sources, undefined if there is none. Throws for other content. */
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

/** Hash of the connector's TypeScript files and package.json. */
function sourcesHash(folder: string): string {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const own = files.filter(
    (file) => file === 'package.json' || (file.endsWith('.ts') && !/(?:^|[/\\])node_modules[/\\]/.test(file)),
  )
  const hash = createHash('sha256')
  for (const file of own.toSorted()) hash.update(`${file}\n${readFileSync(path.join(folder, file), 'utf8')}\n`)
  return hash.digest('hex')
}
