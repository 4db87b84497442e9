import dns from 'node:dns'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { loadConfig } from '../../config.ts'
import { loadApps } from '../../connectors/registry.ts'
import { siteOf } from '../../core/accounts/site.ts'
import { Reach } from '../../web/connect/browser/allowed-hosts.ts'
import { startNameServer } from '../support/name-server.ts'
import type { NameServer } from '../support/name-server.ts'

const names: Record<string, readonly string[]> = {
  'inside.example.com': ['10.0.0.7'],
  'moves.example.com': ['93.184.216.34'],
  'half.example.com': ['93.184.216.34', '127.0.0.1'],
}
let server: NameServer
const before = dns.getServers()
beforeAll(async () => {
  server = await startNameServer(names)
  dns.setServers([server.address])
})
afterAll(() => {
  dns.setServers(before)
  server.close()
})

const builtIn = loadApps({ sandboxUrl: 'http://localhost:8090' }).get('crm')!
const added = { package: 'shop@1.0.0', hash: '', leaves: [], isOutdated: false }
const siteAt = (origin: string, hosts: readonly string[] = [], APP_ALLOW = '') => {
  const config = loadConfig({ DATABASE_URL: 'postgres://db', TEMPORAL_ADDRESS: 'engine:7233', APP_ALLOW })
  const signIn = { ...builtIn.signIn, hosts: [] }
  return siteOf({ config }, { ...builtIn, signIn, added, origin, hosts }, '')!
}
const found = async (url: string, site = siteAt(new URL('/', url).href)) =>
  (await site.reach!(new URL(url), AbortSignal.timeout(5_000))).map(({ address }) => address)

it('a public name leads to public addresses only, at each connection, also by plain http', async () => {
  for (const scheme of ['http', 'https']) {
    await expect(found(`${scheme}://inside.example.com/`)).rejects.toThrow('no address that may be reached')
    await expect(found(`${scheme}://half.example.com/`)).rejects.toThrow('no address that may be reached')
    names['moves.example.com'] = ['93.184.216.34']
    const site = siteAt(`${scheme}://moves.example.com/`)
    expect(await found(`${scheme}://moves.example.com/`, site)).toEqual(['93.184.216.34'])
    names['moves.example.com'] = ['169.254.169.254']
    await expect(found(`${scheme}://moves.example.com/`, site)).rejects.toThrow('no address that may be reached')
  }
  const allowed = siteAt('https://inside.example.com/', [], '10.0.0.0/8')
  expect(await found('https://inside.example.com/', allowed)).toEqual(['10.0.0.7'])
})

it('a private address is reached where the operator agreed to that very origin', async () => {
  const site = siteAt('http://127.0.0.1:8081/', ['http://localhost:9000/'])
  expect(await found('http://127.0.0.1:8081/orders', site)).toEqual(['127.0.0.1'])
  expect(await found('http://localhost:9000/', site)).toEqual(expect.arrayContaining(['127.0.0.1']))
  for (const other of ['http://127.0.0.1:8082/', 'http://[::ffff:127.0.0.1]:8081/', 'http://169.254.169.254/'])
    await expect(found(other, site)).rejects.toThrow('no address that may be reached')
})

it('the live browser of an added connector goes where its requests go', async () => {
  const { reach } = siteAt('https://moves.example.com/', ['https://inside.example.com/'])
  const browser = new Reach({
    root: 'https://moves.example.com/',
    rootAddresses: reach!,
    judgesHosts: true,
    hosts: ['https://inside.example.com/'],
    onWanted: () => undefined,
  })
  names['moves.example.com'] = ['127.0.0.1']
  for (const origin of ['https://moves.example.com', 'https://inside.example.com'])
    await expect(browser.addressesOf(origin)).rejects.toThrow('no address that may be reached')
})
