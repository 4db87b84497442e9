import type { Finding } from '../../client/finding.ts'
import { NoAnswer, askGateway } from '../operator-client.ts'

interface Told {
  readonly slug: string
  readonly problem?: string
  readonly outdated?: true
}

/** Added connectors that are broken or bundled by an older release, from the running gateway. */
export async function findConnectors(env: NodeJS.ProcessEnv): Promise<Finding> {
  const what = 'added connectors'
  const text = await asked(env)
  if (text === undefined)
    return { what, ok: true, found: 'not asked: no gateway takes the operator token of this folder' }
  const { connectors } = JSON.parse(text) as { readonly connectors: readonly Told[] }
  const bad = connectors.flatMap(({ slug, problem, outdated }) => {
    if (problem !== undefined) return [`${slug} is off (${problem})`]
    return outdated ? [`${slug} was bundled by an older release`] : []
  })
  if (bad.length === 0) return { what, ok: true, found: `${connectors.length}, all in order` }
  const mend = 'Run callgate connector update with the folder or package of each.'
  return { what, ok: false, found: bad.join('; '), mend }
}

async function asked(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  try {
    const { ok, text } = await askGateway({}, env, { method: 'GET', route: '/connectors' })
    return ok ? text : undefined
  } catch (error) {
    if (error instanceof NoAnswer) return undefined
    throw error
  }
}
