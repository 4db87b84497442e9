import { readFileSync } from 'node:fs'

/** First server version with rate limits per fairness key. */
export const minimumServer = '1.32.0'

/** Parsed from dynamic-config.yaml, which the server of docker-compose.yml reads directly. */
export const dynamicConfig = readDynamicConfig(
  readFileSync(new URL('../engine/dynamic-config.yaml', import.meta.url), 'utf8'),
)

/** Search attributes by which the Temporal UI lists and filters runs. All of type Keyword. */
export const searchAttributes = JSON.parse(
  readFileSync(new URL('../engine/search-attributes.json', import.meta.url), 'utf8'),
) as readonly string[]

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

/** `true`, `false`, a number, or a duration such as `15s`. */
function valueOf(text: string): boolean | number | string {
  if (text === 'true' || text === 'false') return text === 'true'
  return text.endsWith('s') ? text : Number(text)
}
