import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isHtml } from '../../../connectors/kit/content-type.ts'
import { readRecording } from '../../../connectors/recordings/read.ts'
import { record, saveRecording } from '../../../connectors/recordings/record.ts'
import { differences, replay } from '../../../connectors/recordings/replay.ts'
import { writeRecording } from '../../../connectors/recordings/write.ts'
import { freePort } from '../../../local-services/dev-server.ts'
import { cacheFolder, makeFolder } from '../../../local-services/temporal.ts'
import type { AppSession } from '../../../schemas/session.ts'
import { open } from '../../connector/look.ts'
import { root } from '../../supervisor/settings.ts'
import { pretix } from './app.ts'

/**
 * Makes the recordings of the connector anew, from a pretix of its own: `node scripts/real-apps/pretix/record.ts [endpoint…]`. What stands around
 * the content of its pages, such as menus and scripts, is left out, for no rule looks at it.
 */
const event = { event_id: 'linden/sommer' }
const gone = { event_id: 'linden/nope' }
const order = (order_id: string, more: object = {}) => ({ ...event, order_id, ...more })
const reading = (order_id: string) => ({ event_id: 'linden/lesung', order_id })
const letter = { subject: 'Doors & times', message: 'Hello,\n\n*doors* open at six: {url}' }
const comment = { comment: 'Aisle seat, please.\nSecond line.' }
const voucher = {
  code: 'SUMMER-2031',
  max_usages: 5,
  price_effect: 'percent',
  value: '15.00',
  valid_until: '2031-08-01',
}

type Case = readonly [endpoint: string, name: string, kind: string, input: Readonly<Record<string, unknown>>]

/** In this order: some need what others did. */
const cases: readonly Case[] = [
  ['list_events', 'all', 'success', {}],
  ['list_events', 'none', 'empty', { search: 'nothing like it' }],
  ['get_event', 'concert', 'success', event],
  ['get_event', 'gone', 'not_found', gone],
  ['list_products', 'all', 'success', event],
  ['list_products', 'gone', 'not_found', gone],
  ['list_orders', 'first-page', 'success', event],
  ['list_orders', 'none', 'empty', { ...event, search: 'nothing like it' }],
  ['list_orders', 'gone', 'not_found', gone],
  ['get_order', 'pending', 'success', order('SOMAB')],
  ['get_order', 'to-approve', 'free', reading('LESAA')],
  ['get_order', 'gone', 'not_found', order('NOPEX')],
  ['list_check_in_lists', 'all', 'success', event],
  ['list_check_in_lists', 'gone', 'not_found', gone],
  ['list_attendees', 'here', 'success', { ...event, check_in_list_id: '1', search: 'Ada' }],
  ['list_attendees', 'none', 'empty', { ...event, check_in_list_id: '1', search: 'nothing like it' }],
  ['list_attendees', 'gone', 'not_found', { ...event, check_in_list_id: '99' }],
  ['list_vouchers', 'all', 'success', event],
  ['list_vouchers', 'none', 'empty', { event_id: 'linden/lesung' }],
  ['list_vouchers', 'gone', 'not_found', gone],
  ['get_voucher', 'percent', 'success', { ...event, voucher_id: 'FRIENDS10' }],
  ['get_voucher', 'gone', 'not_found', { ...event, voucher_id: 'NOTHING' }],
  ['list_quotas', 'all', 'success', event],
  ['list_quotas', 'gone', 'not_found', gone],
  ['set_quota_size', 'larger', 'success', { ...event, quota_id: '1', size: 130 }],
  ['set_quota_size', 'gone', 'not_found', { ...event, quota_id: '99', size: 1 }],
  ['comment_order', 'kept-fields', 'success', order('SOMAB', comment)],
  ['comment_order', 'gone', 'not_found', order('NOPEX', comment)],
  ['change_order_email', 'another', 'success', order('SOMAE', { email: 'another@mail.example' })],
  ['change_order_email', 'no-address', 'refused', order('SOMAE', { email: 'another@nowhere' })],
  ['change_order_email', 'gone', 'not_found', order('NOPEX', { email: 'another@mail.example' })],
  ['mark_order_paid', 'in-full', 'success', order('SOMAB')],
  ['mark_order_paid', 'paid-before', 'refused', order('SOMAB')],
  ['mark_order_paid', 'gone', 'not_found', order('NOPEX')],
  ['cancel_order', 'unpaid', 'success', order('SOMBC', { message: 'Rained off.' })],
  ['cancel_order', 'paid', 'paid', order('SOMBA', { tell_customer: false })],
  ['cancel_order', 'canceled-before', 'refused', order('SOMBC')],
  ['cancel_order', 'gone', 'not_found', order('NOPEX')],
  ['approve_order', 'free', 'success', reading('LESAA')],
  ['approve_order', 'approved-before', 'refused', reading('LESAA')],
  ['approve_order', 'gone', 'not_found', reading('NOPEX')],
  ['send_order_email', 'with-link', 'success', order('SOMAD', letter)],
  ['send_order_email', 'bad-placeholder', 'refused', order('SOMAD', { ...letter, message: 'Hello {nobody}' })],
  ['send_order_email', 'gone', 'not_found', order('NOPEX', letter)],
  ['resend_order_link', 'sent', 'success', order('SOMAD')],
  ['resend_order_link', 'gone', 'not_found', order('NOPEX')],
  ['list_order_emails', 'two', 'success', order('SOMAD')],
  ['list_order_emails', 'none', 'empty', order('SOMAC')],
  ['list_order_emails', 'gone', 'not_found', order('NOPEX')],
  ['create_voucher', 'percent', 'success', { ...event, ...voucher }],
  ['create_voucher', 'same-code', 'refused', { ...event, code: voucher.code }],
  ['create_voucher', 'gone', 'not_found', { ...gone, code: voucher.code }],
]

const wanted = process.argv.slice(2)
const log = (line: string): void => console.error(line)
const cache = join(cacheFolder(process.env), 'real-apps')
await makeFolder(cache)
await pretix.install(cache, log)
const folder = await mkdtemp(join(tmpdir(), 'callgate-pretix-'))
await using done = new AsyncDisposableStack()
done.defer(() => rm(folder, { recursive: true, force: true }))
const running = await pretix.start({ cache, folder, port: await freePort() })
done.defer(() => running.stop())
const here = join(root, 'examples/connectors/pretix')
using connector = await open(here)
const site = { origin: `${running.origin}/` }
const session = await signedIn(site.origin)
const nobody: AppSession = { cookies: [], user_agent: session.user_agent }
for (const [name, file, kind, input] of cases) {
  const made = await recorded(name, kind, input, session)
  if (wanted.length > 0 && !wanted.includes(name)) continue
  await saveRecording(here, name, file, made)
  if (kind === 'success')
    await saveRecording(here, name, 'signed-out', await recorded(name, 'signed_out', input, nobody))
  log(`${name}/${file}`)
}

async function recorded(name: string, kind: string, input: Case[3], as: AppSession): Promise<string> {
  const endpoint = connector.app.endpoints.get(name)
  if (endpoint === undefined) throw new Error(`there is no endpoint ${name}`)
  const { text } = await record({ app: connector.app, endpoint, input, session: as, site, kind })
  const whole = readRecording(text)
  const steps = whole.steps.map(({ request, answer }) => ({
    request,
    answer: isHtml(answer.headers['content-type'] ?? '') ? { ...answer, text: content(answer.text) } : answer,
  }))
  const short = writeRecording({ ...whole, steps })
  const kept = readRecording(short)
  const problems = differences(kept, await replay(endpoint, kept))
  if (problems.length > 0)
    throw new Error(`${name} cannot be run again without what is around:\n${problems.join('\n')}`)
  return short
}

/** What a page is about, without menus, scripts and what is there for the eye of whoever reads its source. */
function content(page: string): string {
  const at = page.indexOf('<div id="page-wrapper">')
  const whole = at < 0 ? page : `<!DOCTYPE html>\n<body>\n${page.slice(at)}`
  const parts = whole
    .replaceAll(/<script[\s>].*?<\/script>/gs, '')
    .split(/(<(?:pre|textarea)[\s>].*?<\/(?:pre|textarea)>)/s)
  return parts.map((part, place) => (place % 2 === 1 ? part : part.replaceAll(/\s*\n\s*/g, '\n'))).join('')
}

/** As a browser does, by the form. */
async function signedIn(origin: string): Promise<AppSession> {
  const agent = 'Mozilla/5.0 (recording)'
  const address = `${origin}${pretix.signInForm.page}`
  const cookies = new Map<string, string>()
  const take = (answer: Response): void => {
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
  }
  const form = await fetch(address, { headers: { 'user-agent': agent } })
  take(form)
  const [, token = ''] = /name="csrfmiddlewaretoken" value="([^"]+)"/.exec(await form.text()) ?? []
  const { name: email, password } = pretix.person
  const answer = await fetch(address, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'user-agent': agent, cookie: Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; ') },
    body: new URLSearchParams({ csrfmiddlewaretoken: token, email, password }),
  })
  take(answer)
  if (answer.status !== 302) throw new Error(`signing in was answered with ${answer.status}`)
  const domain = new URL(origin).hostname
  return { cookies: Array.from(cookies, ([name, value]) => ({ name, value, domain, path: '/' })), user_agent: agent }
}
