import { fetched } from '../fetched.ts'
import { lookAtFetched } from '../look.ts'
import { shown } from '../shown.ts'
import type { Installed } from '../shown.ts'
import { ask, askFor } from '../verb.ts'
import type { Given, Verb } from '../verb.ts'

const source = { name: 'source', shown: 'folder | package@version' }

export const add: Verb = {
  name: 'add',
  about: ['shows what it may reach and does, asks, and adds it to the running gateway'],
  words: [source],
  tool: {},
  run: (given) => give('add', given),
}

export const update: Verb = {
  name: 'update',
  about: [
    'the same for another version of one that was added; ends what people approved in advance',
    'or switched off asking for, and what you trusted',
  ],
  words: [source],
  tool: {},
  run: (given) => give('update', given),
}

/** Checked here first, next to its source files; the gateway checks it again. */
async function give(verb: 'add' | 'update', given: Given): Promise<number> {
  await using source = await fetched(given.words[0] ?? '')
  const { slug, hosts, package: from, code, app } = await lookAtFetched(source)
  const installed =
    verb === 'update' ? await askFor<Installed>(given, 'GET', `/connectors/${encodeURIComponent(slug)}`) : undefined
  given.say(shown(app, hosts, installed))
  if (!(await given.agree(`${verb === 'add' ? 'Add' : 'Update'} ${slug}?`))) return 1
  const body = { package: from, hosts, code }
  if (verb === 'add') return await ask(given, 'POST', '/connectors', { slug, ...body })
  return await ask(given, 'POST', `/connectors/${slug}/update`, body)
}
