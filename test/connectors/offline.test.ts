import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readRecording } from '../../connectors/recordings/read.ts'
import { record, saveRecording } from '../../connectors/recordings/record.ts'
import { differences, replay } from '../../connectors/recordings/replay.ts'
import { open } from '../../scripts/connector/look.ts'
import type { Opened } from '../../scripts/connector/look.ts'
import { cornerShop, shopFiles, shopPackage, shopSession } from '../support/corner-shop.ts'
import type { CornerShop, ShopPackage } from '../support/corner-shop.ts'

let shop: CornerShop
let source: ShopPackage
let opened: Opened
beforeAll(async () => {
  shop = await cornerShop()
  source = await shopPackage(shopFiles(shop.host))
  opened = await open(source.folder)
})
afterAll(async () => {
  opened[Symbol.dispose]()
  await source[Symbol.asyncDispose]()
  await shop[Symbol.asyncDispose]()
})

const endpoint = (name: string) => opened.app.endpoints.get(name)!
const recorded = (name: string, kind: string, input: object, session = shopSession) =>
  record({ endpoint: endpoint(name), input: { ...input }, session, site: { origin: `${shop.host}/` }, kind })

it('an exchange is kept as a file that people read, without the session, and runs again without the app', async () => {
  const { text } = await recorded('add_order', 'success', { note: 'Two\n\n=== loaves' })
  await saveRecording(source.folder, 'add_order', 'success', text)
  const file = await readFile(path.join(source.folder, 'recordings/add_order/success.http'), 'utf8')
  const kept = readRecording(file)
  expect(differences(kept, await replay(endpoint('add_order'), kept))).toEqual([])
})
