import { told } from '../init/draft.ts'
import { lookAround, unseen } from '../init/look-around.ts'
import { placeFor, rootOf, writePackage } from '../init/package.ts'
import { Visitor } from '../init/visit.ts'
import type { Given, Verb } from '../verb.ts'

export const init: Verb = {
  name: 'init',
  about: [
    'looks at the app at this address as a stranger, by at most 14 GETs, and writes a package for its',
    'connector: the sign-in and its failures drafted, and AGENTS.md',
  ],
  options: { offline: { type: 'boolean', about: 'do not look at the app' } },
  words: [{ name: 'folder' }, { name: 'address' }],
  tool: {},
  run: runInit,
}

async function runInit({ words, options, say }: Given): Promise<number> {
  const [folder = '', address = ''] = words
  const origin = rootOf(address)
  const place = placeFor(folder)
  const isOffline = options['offline'] === true
  const found = isOffline ? unseen : await lookAround(new Visitor(origin))
  if (!isOffline) for (const line of told(found)) say(line)
  const files = await writePackage(place, origin, found)
  const width = Math.max(...Object.keys(files).map((file) => file.length))
  say('')
  for (const [file, what] of Object.entries(files)) say(`${folder}/${file.padEnd(width)}   ${what}`)
  say(`
(cd ${folder} && npm install && npx tsc)             compiles it
npm run -s callgate -- connector add ${folder}      adds it to the gateway that runs here, once index.ts leaves nothing open

docs/connect-a-real-app.md goes through all of it with an app.`)
  return 0
}
