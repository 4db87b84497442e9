import path from 'node:path'
import { fetched } from '../fetched.ts'
import { testLive } from '../live.ts'
import { open } from '../look.ts'
import { authorsClient, isServed } from '../served.ts'
import { testConnector } from '../test.ts'
import { WrongUsage } from '../verb.ts'
import type { Given, Verb } from '../verb.ts'

export const test: Verb = {
  name: 'test',
  about: [
    'runs it against its recordings, without the app; then takes away what it reads, one thing',
    'after another: it has to notice',
  ],
  words: [{ name: 'folder' }, { name: 'endpoint', isOptional: true }],
  options: {
    live: {
      type: 'boolean',
      about: 'with --reads: each read once, through the gateway with your key; live.json says what came',
    },
    reads: { type: 'boolean', about: 'with --live: no write is ever made so' },
    account: { type: 'string', takes: 'ID', about: 'with --live: which of several accounts' },
  },
  tool: {},
  async run(given) {
    const { words, options, say } = given
    const [folder = '', endpoint] = words
    if (options['live'] === true || options['reads'] === true) return await live(given, path.resolve(folder), endpoint)
    await using source = await fetched(folder)
    return (await testConnector(source.folder, endpoint, say, source.modules)) ? 0 : 1
  },
}

async function live(given: Given, folder: string, only: string | undefined): Promise<number> {
  const { options, say, signal } = given
  if (options['live'] !== true || options['reads'] !== true)
    throw new WrongUsage('--live and --reads go together: writes are tried one by one, with connector try')
  using opened = await open(folder)
  await isServed(given, opened)
  const account = typeof options['account'] === 'string' ? options['account'] : undefined
  return (await testLive({ client: authorsClient(), folder, app: opened.app, only, account, say, signal })) ? 0 : 1
}
