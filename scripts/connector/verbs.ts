import type { Verb } from './verb.ts'
import { dev } from './verbs/dev.ts'
import { add, update } from './verbs/give.ts'
import { init } from './verbs/init.ts'
import { distrust, list, remove, trust } from './verbs/keep.ts'
import { mcpOf } from './verbs/mcp.ts'
import { record, recordings } from './verbs/record.ts'
import { scale } from './verbs/scale.ts'
import { suggest } from './verbs/suggest.ts'
import { test } from './verbs/test.ts'
import { tryOut } from './verbs/try.ts'
import { watch } from './verbs/watch.ts'

/** In the order in which an author needs them. */
const all: readonly Verb[] = [
  ...[init, add, dev, record, recordings, suggest, update],
  ...[tryOut, test, scale, watch, list, remove, trust, distrust],
]

export const verbs: ReadonlyMap<string, Verb> = new Map([...all, mcpOf(all)].map((verb) => [verb.name, verb]))
