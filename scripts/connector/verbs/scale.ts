import path from 'node:path'
import { hashOf } from '../../../connectors/runtime/added.ts'
import { readLive } from '../live-file.ts'
import { lookAt } from '../look.ts'
import { factsOf, levelOf } from '../scale.ts'
import { proveFolder } from '../test.ts'
import { askFor } from '../verb.ts'
import type { Verb } from '../verb.ts'

/** Most violations shown per requirement. */
const mostShown = 8

export const scale: Verb = {
  name: 'scale',
  words: [{ name: 'folder' }],
  about: ['bronze, silver or gold, from facts of its folder, and what is missing'],
  options: {
    tell: { type: 'boolean', about: 'and tell the gateway that runs it, which shows it where apps are listed' },
  },
  tool: {},
  async run(given) {
    const { words, options, say } = given
    const folder = path.resolve(words[0] ?? '')
    const { slug, code, watch } = await lookAt(folder)
    const facts = factsOf({ proof: await proveFolder(folder), watch, live: readLive(folder) })
    for (const { level, what, open } of facts) {
      say(`${open.length === 0 ? '✓' : '✗'} ${level}: ${what}`)
      for (const line of open.slice(0, mostShown)) say(`    ${line}`)
      if (open.length > mostShown) say(`    and ${open.length - mostShown} more`)
    }
    const level = levelOf(facts)
    say('')
    say(level === undefined ? `${slug} is not bronze yet` : `${slug} is ${level}`)
    if (options['tell'] === true)
      await askFor(given, 'POST', `/connectors/${slug}/scale`, { hash: hashOf(code), level: level ?? null })
    return 0
  },
}
