import { Callgate } from '../../client/callgate.ts'
import { settings } from '../../client/settings.ts'
import { hashOf } from '../../connectors/runtime/added.ts'
import type { Looked } from './look.ts'
import { askFor } from './verb.ts'
import type { Given } from './verb.ts'

/** Throws unless the gateway runs this folder's code: results must be about that code. */
export async function isServed(given: Given, { slug, code }: Looked): Promise<void> {
  const { connectors } = await askFor<{ connectors: readonly { readonly slug: string; readonly hash: string }[] }>(
    given,
    'GET',
    '/connectors',
  )
  const there = connectors.find((one) => one.slug === slug)
  if (there === undefined) throw new Error(`The gateway has no ${slug}: callgate connector add ${given.words[0]}`)
  if (there.hash !== hashOf(code))
    throw new Error(
      `The gateway has another version of ${slug} than this folder: callgate connector update ${given.words[0]}`,
    )
}

/** A client with the author's API key. Throws if there is none. */
export function authorsClient(): Callgate {
  const { apiKey, url } = settings({})
  if (apiKey === undefined) throw new Error('There is no API key: set CALLGATE_API_KEY to one of yours.')
  return new Callgate({ apiKey, baseUrl: url })
}
