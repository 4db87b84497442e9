import path from 'node:path'
import type { ConnectorSpec } from '../kit/define.ts'

/** A connector that failed to load: its app is off, all others work. Shown to operators. */
export interface BrokenApp {
  readonly slug: string
  /** Where it failed: `connectors/crm/clients.ts:12`, or the folder if the line is unknown. */
  readonly file: string
  /** What is wrong, in a sentence. */
  readonly problem: string
  /** An operator added it, and fixes it with `connector update`. */
  readonly isAdded?: boolean
}

export type Loaded = { readonly spec: ConnectorSpec } | { readonly broken: BrokenApp }

/** Imports each connector. An error becomes that connector's result. */
export async function loadConnectors(
  loaders: Readonly<Record<string, () => Promise<ConnectorSpec>>>,
): Promise<Readonly<Record<string, Loaded>>> {
  const loaded = await Promise.all(
    Object.entries(loaders).map(async ([slug, load]) => [slug, await loadOne(slug, load)] as const),
  )
  return Object.fromEntries(loaded)
}

async function loadOne(slug: string, load: () => Promise<ConnectorSpec>): Promise<Loaded> {
  try {
    return { spec: await load() }
  } catch (error) {
    return { broken: brokenBy(slug, error) }
  }
}

const root = path.join(import.meta.dirname, '../..')
const longest = 500

/** What an error says about the connector that failed to load. */
export function brokenBy(slug: string, error: unknown): BrokenApp {
  const { message, stack = '' } = error instanceof Error ? error : new Error(String(error))
  const folder = `connectors/${slug}/`
  const at = new RegExp(`${folder}[\\w./-]+\\.ts(?::\\d+)?`).exec(`${stack}\n${message}`)?.[0]
  const problem = message.replaceAll(`file://${root}/`, '').replaceAll(`${root}/`, '').replaceAll(/\s+/g, ' ').trim()
  return { slug, file: at ?? folder, problem: problem.slice(0, longest) || 'It failed without a word.' }
}
