import { ask } from '../verb.ts'
import type { Given, Verb } from '../verb.ts'

export const list: Verb = {
  usage: 'list',
  about: ['those that were added'],
  words: [0, 0],
  run: (given) => ask(given, 'GET', '/connectors'),
}

export const remove: Verb = {
  usage: 'remove <app>',
  about: ['takes it away; calls of it that wait end, and its accounts are forgotten'],
  words: [1, 1],
  async run(given) {
    const [app = ''] = given.words
    if (!(await given.agree(`Remove ${app}? Its calls that wait end, and its accounts are forgotten.`))) return 1
    return ask(given, 'POST', `/connectors/${encodeURIComponent(app)}/remove`, {})
  },
}

export const trust: Verb = {
  usage: 'trust <app> <endpoint>',
  about: ['it need not ask a person first any more, unless it says so itself'],
  words: [2, 2],
  run: (given) => setTrust(given, true),
}

export const distrust: Verb = {
  usage: 'distrust <app> <endpoint>',
  about: ['it asks first again'],
  words: [2, 2],
  run: (given) => setTrust(given, false),
}

function setTrust(given: Given, trusted: boolean): Promise<number> {
  const [app = '', endpoint] = given.words
  return ask(given, 'POST', `/connectors/${encodeURIComponent(app)}/trust`, { endpoint, trusted })
}
