import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { Type } from 'typebox'
import { formToken } from '../../connectors/kit/csrf.ts'
import { labelled } from '../../connectors/kit/declared.ts'
import type { Preview } from '../../connectors/kit/declared.ts'
import { connector, endpoint } from '../../connectors/kit/define.ts'
import type { ConnectorSpec } from '../../connectors/kit/define.ts'
import { firstOf, redirectTo, rejected } from '../../connectors/kit/failures.ts'
import { select } from '../../connectors/kit/select.ts'
import { listen } from './listen.ts'

/** What the app keeps of an order: whatever a form does not bring along is gone. */
export interface Order {
  comment: string
  checkin_text: string
  checkin_attention: boolean
  follow_up: string
  via: string
  tags: string[]
}

/** A ticket desk, as real apps are: a page with a form of several fields, and a POST that takes all of them anew. */
export interface Desk extends AsyncDisposable {
  readonly spec: ConnectorSpec
  order: Order
  /** More in the form, by a change of the app's template. */
  more: string
  /** Taken out of the page's form. */
  without: RegExp | undefined
  /** Attributes of the comment's field. */
  limits: string
  /** The bodies that arrived, with what they were filled with replaced. */
  readonly posted: string[]
  /** How often the page was read. */
  reads: number
}

export async function startDesk(): Promise<Desk> {
  let given = { csrf: '', nonce: '' }
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method === 'GET') {
      desk.reads++
      given = { csrf: crypto.randomUUID(), nonce: `+ä&${crypto.randomUUID()}` }
      response.setHeader('content-type', 'text/html; charset=utf-8').end(pageOf(desk, given))
      return
    }
    const body = new URLSearchParams(await text(request))
    if (body.get('csrf') !== given.csrf || body.get('nonce') !== given.nonce) {
      response.writeHead(403, { 'content-type': 'text/html' }).end('<p class=problem>forged</p>')
      return
    }
    for (const name of ['csrf', 'nonce']) body.set(name, '*')
    desk.posted.push(String(body))
    desk.order = {
      comment: body.get('comment') ?? '',
      checkin_text: body.get('checkin_text') ?? '',
      checkin_attention: body.has('checkin_attention'),
      follow_up: body.get('follow_up') ?? '',
      via: body.get('via') ?? '',
      tags: body.getAll('tags'),
    }
    response.writeHead(302, { location: '/desk/orders/7?saved' }).end()
  }
  const server = createServer((request, response) => void answer(request, response))
  const port = await listen(server)
  const desk: Desk = {
    spec: specOf(`http://127.0.0.1:${port}/desk/`),
    order: {
      comment: 'Old.',
      checkin_text: 'Ask for the dog.\nTwice.',
      checkin_attention: true,
      follow_up: '2026-12-01',
      via: 'mail',
      tags: ['vip'],
    },
    more: '',
    without: undefined,
    limits: '',
    posted: [],
    reads: 0,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return desk
}

const escaped = (words: string): string => words.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

function pageOf({ order, more, without, limits }: Desk, { csrf, nonce }: { csrf: string; nonce: string }): string {
  const option = (value: string, words: string, isOn: boolean): string =>
    `<option value="${value}"${isOn ? ' selected' : ''}>${words}</option>`
  const fields = `<input type="hidden" name="csrf" value="${csrf}"><input type="hidden" name="nonce" value="${escaped(nonce)}">
    <label for="c">Comment:</label><textarea id="c" name="comment" ${limits}>${escaped(order.comment)}</textarea>
    <label>Check-in text <textarea name="checkin_text">${escaped(order.checkin_text)}</textarea></label>
    <label><input type="checkbox" name="checkin_attention"${order.checkin_attention ? ' checked' : ''}> Needs attention</label>
    <label>Follow up <input type="date" name="follow_up" value="${order.follow_up}"></label>
    <fieldset><legend>Answer by</legend>
      <label><input type="radio" name="via" value="mail"${order.via === 'mail' ? ' checked' : ''}> Letter</label>
      <label><input type="radio" name="via" value="tel"${order.via === 'tel' ? ' checked' : ''}> Telephone</label></fieldset>
    <label>Tags <select name="tags" multiple>${option('vip', 'Important', order.tags.includes('vip'))}${option('late', 'Late', order.tags.includes('late'))}</select></label>
    ${more}<button name="save" value="1">Save</button>`
  return `<!doctype html><form action="/desk/search"><input name=q></form>
    <form method="post" id="comment" action="/desk/orders/7/comment">${without ? fields.replace(without, '') : fields}</form>`
}

const optional = <T extends Parameters<typeof Type.Optional>[0]>(label: string, schema: T) =>
  Type.Optional(labelled(label, schema))

function specOf(origin: string): ConnectorSpec {
  const commenting = (preview: readonly Preview[]) =>
    endpoint({
      preview,
      summary: 'Change the comment of an order.',
      label: 'Comment on an order',
      brief: ['text'],
      access: 'write',
      effect: 'changes',
      shownBy: [],
      confirm: true,
      request: 'POST /orders/{order}/comment',
      csrf: formToken({ page: '/orders/{order}/comment', field: 'csrf' }),
      answer: 'redirect',
      input: {
        order: labelled('Order', Type.String({ description: 'Which order.' })),
        text: labelled('Comment', Type.String({ description: 'What it says from now on.' })),
        attention: optional('Attention', Type.Boolean({ description: 'Whether it needs attention.' })),
        via: optional('Answer by', Type.String({ description: 'mail or tel.' })),
        tags: optional('Tags', Type.Array(Type.String(), { description: 'All tags.' })),
      },
      output: { order: Type.String() },
      form: {
        page: 'GET /orders/{order}/comment',
        selector: 'form#comment',
        submit: { name: 'save' },
        fields: ['checkin_text', 'follow_up'],
        volatile: ['nonce'],
        labels: { comment: 'text', checkin_attention: 'attention' },
        set: ({ text, attention, via, tags }) => ({ comment: text, checkin_attention: attention, via, tags }),
      },
      decode: (_fields, { input }) => ({ order: input.order }),
    })
  const get_order = endpoint({
    summary: 'What an order says.',
    label: 'Order',
    brief: ['order'],
    access: 'read',
    request: 'GET /orders/{order}/comment',
    answer: 'page',
    input: { order: labelled('Order', Type.String({ description: 'Which order.' })) },
    output: { order: Type.String(), note: Type.String() },
    decode: (_fields, { input, page }) => ({
      order: input.order,
      note: select(page).select('[name=checkin_text]').text(),
    }),
  })
  const shown = { of: 'order', read: 'get_order', by: 'order', shows: ['note'], matters: ['note'] }
  return connector({
    name: 'Desk',
    description: 'A ticket desk.',
    role: 'owner',
    origin,
    signIn: { page: 'login', who: { page: 'me', account: () => null } },
    things: {},
    pacing: { perApp: 20, perAccount: 10 },
    failure: firstOf(redirectTo('login', 'auth_expired'), ({ status, text: page }) =>
      status === 403 ? rejected('forged', page) : undefined,
    ),
    endpoints: [{ comment_order: commenting([]), comment_shown_order: commenting([shown]), get_order }],
  })
}
