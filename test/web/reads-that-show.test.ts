import { afterAll, beforeAll, expect, test } from 'vitest'
import { undeclared } from '../../connectors/runtime/undeclared.ts'
import { letters } from './letters.ts'
import { askFor, makeOwner, startTestSite } from './site.ts'
import type { Owner, TestSite } from './site.ts'
import { visitorOf } from './visitor.ts'
import type { Visitor } from './visitor.ts'

let site: TestSite
let owner: Owner
let visitor: Visitor

beforeAll(async () => {
  site = await startTestSite()
  owner = await makeOwner(site.ctx)
  visitor = await visitorOf(site, owner)
})
afterAll(() => site.stop())

const text = async (path: string, who = visitor): Promise<string> => (await who.get(path)).text

/** Where the links of a page lead to a read of the app, and what they say. */
function looks(page: string): readonly (readonly string[])[] {
  return [...page.matchAll(/<a href="\/play([^"]*)">([^<]*)<\/a>/g)].map(([, path = '', words = '']) => [path, words])
}

async function unsure(input: Readonly<Record<string, unknown>>): Promise<string> {
  const id = await askFor(site.ctx, owner, input)
  await site.ctx.db.query(`UPDATE calls SET status = 'unknown' WHERE id = $1`, [id])
  return id
}

test('the app of these tests declares all there is to declare', () => {
  // Their pages are looked at without an app, so nothing is looked up in it.
  expect(undeclared(letters)).toEqual(['write_letter: no preview of recipients'])
})

test('whether a write happened is looked up where its endpoint says, with what the call said', async () => {
  const id = await unsure({ subject: 'Did "this" go out?' })
  expect(looks(await text(`/calls/${id}`))).toContainEqual([`/letters/list_letters?call=${id}`, 'Letters'])
  const form = await text(`/play/letters/list_letters?call=${id}`)
  // The way back, also after it was run.
  expect(form).toContain(`href="/confirm/${id}"`)
  expect(form).toContain(`action="/play/letters/list_letters?call=${id}"`)
  expect(form).toContain('value="Did &quot;this&quot; go out?"')
  expect(form).toContain('<option value="sent" selected>')
  // What it does not take.
  expect(form).not.toContain('Come all!')
})

test('an id of which nothing is known is looked up where the app tells about such things', async () => {
  const id = await askFor(site.ctx, owner, { subject: 'To whom?', recipients: ['m_7', 'm_8'] })
  const page = await text(`/confirm/${id}`)
  const offered = [...page.matchAll(/name="look" value="(\w+)">([^<]*)</g)].map(([, read, label]) => [read, label])
  expect(offered).toEqual([
    ['get_member', 'A member'],
    ['list_members', 'Members'],
  ])
  expect(await text(`/play/letters/get_member?call=${id}`)).toContain('value="m_7"')
})

test('what is not of the call, or of somebody else’s, is filled in nowhere', async () => {
  const id = await askFor(site.ctx, owner, { subject: 'Mine alone', recipients: ['m_9'] })
  const stranger = await visitorOf(site, await makeOwner(site.ctx))
  for (const read of ['list_letters', 'get_member'])
    expect(await text(`/play/letters/${read}?call=${id}`, stranger)).not.toMatch(/value="(Mine alone|m_9)"/)
  expect(await text(`/play/letters/write_letter?call=${id}`)).not.toContain('Mine alone')
  await site.ctx.db.query(`UPDATE calls SET endpoint = 'write_no_more' WHERE id = $1`, [id])
  expect(await text(`/play/letters/get_member?call=${id}`)).not.toContain('m_9')
})
