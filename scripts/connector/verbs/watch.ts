import { isFields } from '../../../connectors/kit/wire.ts'
import { readPackage } from '../package.ts'
import { WrongUsage, ask, askFor } from '../verb.ts'
import type { Given, Verb } from '../verb.ts'
import { appOf } from './record.ts'

export const watch: Verb = {
  name: 'watch',
  words: [
    { name: 'app', shown: 'folder | app' },
    { name: 'endpoint', isOptional: true },
    { name: 'input', isOptional: true, isJson: true },
  ],
  about: [
    'what its answers came to, day by day, and what is not as it was; with --account: a read is made once a',
    'day, for nothing, when the account’s owner has agreed. Without an endpoint: those that its package names',
  ],
  options: {
    account: { type: 'string', takes: 'ID', about: 'with which account it is read' },
    end: { type: 'string', takes: 'ID', about: 'ends one' },
  },
  tool: {},
  async run(given) {
    const { words, options } = given
    const [wanted = '', endpoint, input = '{}'] = words
    const { account, end } = options
    if (typeof end === 'string') return ask(given, 'POST', `/watches/${encodeURIComponent(end)}/end`, {})
    const route = `/apps/${encodeURIComponent(appOf(wanted))}/watch`
    if (typeof account !== 'string') {
      if (endpoint !== undefined) throw new WrongUsage('Say with --account with which account it is to be read')
      return ask(given, 'GET', route)
    }
    const reads =
      endpoint === undefined ? Object.entries(readPackage(wanted).watch) : [[endpoint, inputOf(input)] as const]
    if (reads.length === 0) throw new WrongUsage('Name an endpoint: its package.json has no callgate.watch')
    for (const [name, its] of reads) await begin(given, route, { endpoint: name, account, input: its })
    return 0
  },
}

async function begin(
  given: Given,
  route: string,
  wanted: { readonly endpoint: string; readonly account: string; readonly input: object },
) {
  const { id, agreed } = await askFor<{ id: string; agreed: boolean }>(given, 'POST', route, wanted)
  given.say(
    `${wanted.endpoint}: ${id}${agreed ? ', agreed to' : ', to be agreed to by the account’s owner, on the page of the app'}`,
  )
}

function inputOf(text: string): object {
  try {
    const value: unknown = JSON.parse(text)
    if (isFields(value)) return value
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new WrongUsage('The input is no JSON object')
}
