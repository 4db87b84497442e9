import { readFileSync } from 'node:fs'

/** Fairness keys with a rate of their own came with this server. */
export const minimumServer = '1.32.0'

/** Of dynamic-config.yaml, which the server of docker-compose.yml reads itself. */
export const dynamicConfig = readDynamicConfig(
  readFileSync(new URL('../engine/dynamic-config.yaml', import.meta.url), 'utf8'),
)

/** What the list of runs in the Temporal UI can show and filter by. All of type Keyword. */
export const searchAttributes = ['CallgateApp', 'CallgateEndpoint', 'CallgateOwner', 'CallgateWaitingFor'] as const

/** How long a closed run stays readable. */
export const retentionMs = 30 * 24 * 60 * 60 * 1000

function readDynamicConfig(text: string): Readonly<Record<string, boolean | number | string>> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return Object.fromEntries(
    lines.map((line) => {
      const [, key, value] = /^([\w.]+): \[\{ value: (true|false|\d+s?) \}\]$/.exec(line) ?? []
      if (key === undefined || value === undefined) throw new Error(`dynamic-config.yaml: not understood: ${line}`)
      return [key, valueOf(value)] as const
    }),
  )
}

/** `true`, `false`, a number, or a length of time such as `15s`. */
function valueOf(text: string): boolean | number | string {
  if (text === 'true' || text === 'false') return text === 'true'
  return text.endsWith('s') ? text : Number(text)
}
