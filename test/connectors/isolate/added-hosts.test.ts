import { expect, it } from 'vitest'
import { hashOf, loadAdded } from '../../../connectors/runtime/added.ts'
import { isolated } from '../../../connectors/isolate/isolated.ts'
import { bundled } from './bundled.ts'

const load = async (origin: string, hosts: readonly string[], more = '') => {
  const code = await bundled(`import { connector } from './kit/index.ts'
    export default connector({ name: 'Shop', description: 'A shop.', role: 'owner', origin: ${origin}, ${more}
      signIn: { page: 'in', who: { page: 'me', account: () => null } }, things: {}, failure: () => undefined, endpoints: [] })`)
  const one = { slug: 'shop', package: 'shop@1', hash: hashOf(code), hosts, trusted: [] }
  const loaded = await loadAdded(one, code, (source) => isolated(source))
  loaded.dispose()
}

it('any address stands for no fixed one', async () => {
  await expect(load("'http://127.0.0.1:8081/'", ['*'])).rejects.toThrow('leads to http://127.0.0.1:8081, which is not')
  const hosts = "hosts: { other: 'http://127.0.0.1:8081/' },"
  await expect(load("'https://shop.example/'", ['*', 'https://shop.example'], hosts)).rejects.toThrow('127.0.0.1:8081')
  await expect(load("'https://shop.example/'", ['https://shop.example'])).resolves.toBeUndefined()
})
