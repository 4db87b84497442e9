import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { record, saveRecording } from '../../connectors/recordings/record.ts'
import type { Outcome } from '../../connectors/runtime/outcome.ts'
import type { AppSession } from '../../schemas/session.ts'
import { open } from '../connector/look.ts'

/** One run of an endpoint against the running app, to be kept. */
export interface Wanted {
  readonly endpoint: string
  /** The file's name, and what it shows unless `kind` says that. */
  readonly name: string
  readonly kind?: string
  readonly input: Readonly<Record<string, unknown>>
}

export type Take = (wanted: Wanted) => Promise<Outcome>

/**
 * Makes a connector's recordings anew, by runs against its app; what it says of itself stays. In them the app stands at `shownAs`,
 * so that they are the same wherever it ran.
 */
export async function recordAll(options: {
  readonly folder: string
  readonly origin: string
  readonly shownAs: string
  readonly session: AppSession
  readonly runs: (take: Take) => Promise<void>
}): Promise<number> {
  const { folder, origin, shownAs, session, runs } = options
  using opened = await open(folder)
  const [here, there] = [new URL(origin), new URL(shownAs)]
  const moved = (text: string): string =>
    text
      .replaceAll(here.origin, there.origin)
      .replaceAll(here.host, there.host)
      .replaceAll(`domain=${here.hostname};`, `domain=${there.hostname};`)
  let made = 0
  for (const endpoint of opened.app.endpoints.keys())
    await rm(join(folder, 'recordings', endpoint), { recursive: true, force: true })
  await runs(async ({ endpoint: id, name, kind = name.replaceAll('-', '_'), input }) => {
    const endpoint = opened.app.endpoints.get(id)
    if (endpoint === undefined) throw new Error(`there is no endpoint ${id}`)
    const whose = kind === 'signed_out' ? { cookies: [], user_agent: session.user_agent } : session
    const site = { origin: here.href }
    try {
      const { text, exchange } = await record({ app: opened.app, endpoint, session: whose, kind, input, site })
      await saveRecording(folder, id, name, moved(text))
      made += 1
      return exchange.outcome
    } catch (error) {
      throw new Error(`${id}/${name}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
    }
  })
  return made
}
