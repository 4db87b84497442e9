import { ask } from '../verb.ts'
import type { Given, Verb } from '../verb.ts'

export const list: Verb = {
  name: 'list',
  about: ['those that were added'],
  words: [],
  tool: { readOnly: true },
  run: (given) => ask(given, 'GET', '/connectors'),
}

export const remove: Verb = {
  name: 'remove',
  about: ['takes it away; calls of it that wait end, and its accounts are forgotten'],
  words: [{ name: 'app' }],
  async run(given) {
    const [app = ''] = given.words
    if (!(await given.agree(`Remove ${app}? Its calls that wait end, and its accounts are forgotten.`))) return 1
    return ask(given, 'POST', `/connectors/${encodeURIComponent(app)}/remove`, {})
  },
}

export const trust: Verb = {
  name: 'trust',
  about: ['it need not ask a person first any more, unless it says so itself'],
  words: [{ name: 'app' }, { name: 'endpoint' }],
  run: (given) => setTrust(given, true),
}

export const distrust: Verb = {
  name: 'distrust',
  about: ['it asks first again'],
  words: [{ name: 'app' }, { name: 'endpoint' }],
  run: (given) => setTrust(given, false),
}

function setTrust(given: Given, trusted: boolean): Promise<number> {
  const [app = '', endpoint] = given.words
  return ask(given, 'POST', `/connectors/${encodeURIComponent(app)}/trust`, { endpoint, trusted })
}
