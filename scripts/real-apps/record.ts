import { cp } from 'node:fs/promises'
import { record, saveRecording } from '../../connectors/recordings/record.ts'
import type { Outcome } from '../../connectors/runtime/outcome.ts'
import type { AppSession } from '../../schemas/session.ts'
import { open } from '../connector/look.ts'

/** A run of an endpoint against the running app, to be recorded. */
export interface Wanted {
  readonly endpoint: string
  /** The file's name; also the kind, unless `kind` is set. */
  readonly name: string
  readonly kind?: string
  readonly input: Readonly<Record<string, unknown>>
}

export type Take = (wanted: Wanted) => Promise<Outcome>

/**
 * Copies a connector to `copy`, with recordings of its running app in place of its offline
 * examples, and returns their number. `shownAs` replaces the app's URL, as in the examples.
 */
export async function recordAll(options: {
  readonly folder: string
  readonly copy: string
  readonly origin: string
  readonly shownAs: string
  readonly session: AppSession
  readonly runs: (take: Take) => Promise<void>
}): Promise<number> {
  const { folder, copy, origin, shownAs, session, runs } = options
  await cp(folder, copy, { recursive: true, filter: (file) => !file.endsWith('.http') })
  using opened = await open(copy)
  const [here, there] = [new URL(origin), new URL(shownAs)]
  const moved = (text: string): string =>
    text
      .replaceAll(here.origin, there.origin)
      .replaceAll(here.host, there.host)
      .replaceAll(`domain=${here.hostname};`, `domain=${there.hostname};`)
  let made = 0
  await runs(async ({ endpoint: id, name, kind = name.replaceAll('-', '_'), input }) => {
    const endpoint = opened.app.endpoints.get(id)
    if (endpoint === undefined) throw new Error(`there is no endpoint ${id}`)
    const whose = kind === 'signed_out' ? { cookies: [], user_agent: session.user_agent } : session
    const site = { origin: here.href }
    try {
      const { text, exchange } = await record({ app: opened.app, endpoint, session: whose, kind, input, site })
      await saveRecording(copy, id, name, moved(text))
      made += 1
      return exchange.outcome
    } catch (error) {
      throw new Error(`${id}/${name}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
    }
  })
  return made
}
