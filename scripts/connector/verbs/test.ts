import { fetched } from '../fetched.ts'
import { testConnector } from '../test.ts'
import type { Verb } from '../verb.ts'

export const test: Verb = {
  name: 'test',
  about: [
    'runs it against its recordings, without the app; then takes away what it reads, one thing',
    'after another: it has to notice',
  ],
  words: [{ name: 'folder' }, { name: 'endpoint', isOptional: true }],
  tool: { readOnly: true },
  async run({ words: [folder = '', endpoint], say }) {
    await using source = await fetched(folder)
    return (await testConnector(source.folder, endpoint, say)) ? 0 : 1
  },
}
