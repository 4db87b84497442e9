import { html } from '../platform/html.ts'
import { page, seeOther } from '../platform/replies.ts'
import { show, submit } from '../platform/routes.ts'
import { table } from '../platform/shell.ts'
import type { Reply, Route } from '../platform/types.ts'
import { listAsks, replyToAsk } from './asks.ts'
import { addDays, usDay } from './clock.ts'
import { layout, pass, root } from './layout.ts'
import { listMails } from './mails.ts'
import { listMarkdowns, planMarkdown } from './markdowns.ts'
import { listNotes, sendNote } from './notes.ts'
import { done, goodPath, onward } from './page-parts.ts'
import { atDesk, today, type AtDesk } from './shop.ts'
import { listSold } from './sold.ts'

function tradePage(request: AtDesk): Reply {
  const { viewer, query } = request
  const span = new URLSearchParams(query)
  if (!span.has('first')) span.set('first', usDay(addDays(today(request), -30)))
  if (!span.has('last')) span.set('last', usDay(today(request)))
  const asked = { ...request, query: span }
  const found = listSold(asked)
  const rows = found.rows.map(({ day, good, name, earned, tax }) => [
    day,
    html`<a href="${goodPath(good)}">${name}</a>`,
    earned,
    tax,
  ])
  const body = html`<h1>Trade</h1>
    <form>
      <input name="first" value="${span.get('first')}" aria-label="first day" />
      <input name="last" value="${span.get('last')}" aria-label="last day" /> <button>Show</button>
    </form>
    <p>${found.total} sold</p>
    ${table(['Day', 'Good', 'Earned', 'Tax'], rows)} ${onward(asked, '/shop/trade', found)}`
  return page(layout({ title: 'Trade', body, viewer }))
}

function asksPage(request: AtDesk): Reply {
  const { viewer } = request
  const found = listAsks(request)
  const rows = found.rows.map(({ no, good, asker, words, asked, reply }) => [
    html`<span id="a${no}">${asked}</span>`,
    html`<a href="${goodPath(good.no)}">${good.name}</a>`,
    asker,
    html`<p class="text">${words}</p>
      ${
        reply
          ? html`<p class="text"><b>${reply.words}</b></p>`
          : html`<form method="post" action="${root}/shop/asks/${no}/reply">
              ${pass(viewer)}<textarea name="words" required dir="auto"></textarea
              ><button>Reply for all to read</button>
            </form>`
      }`,
  ])
  const body = html`<h1>Questions</h1>
    ${done(request.query)}${table(['Asked', 'Good', 'By', 'Question'], rows)} ${onward(request, '/shop/asks', found)}`
  return page(layout({ title: 'Questions', body, viewer }))
}

function markdownsPage(request: AtDesk): Reply {
  const { viewer } = request
  const found = listMarkdowns(request)
  const rows = found.rows.map(({ percent, first, last, goods, stage }) => [
    `${percent}%`,
    `${first} – ${last}`,
    goods === null ? 'whole shop' : `${goods.length} goods`,
    stage,
  ])
  const body = html`<h1>Markdowns</h1>
    ${done(request.query)}
    <form class="card" method="post" action="${root}/shop/markdowns">
      ${pass(viewer)}<label>Percent off <input name="percent" value="20" required /></label>
      <label>First day <input name="first" placeholder="MM/DD/YYYY" required /></label>
      <label>Last day <input name="last" placeholder="MM/DD/YYYY" required /></label>
      <input type="hidden" name="over" value="whole" /><button>Mark down the whole shop</button>
    </form>
    ${table(['Off', 'Days', 'Goods', 'Stage'], rows)} ${onward(request, '/shop/markdowns', found)}`
  return page(layout({ title: 'Markdowns', body, viewer }))
}

function notesPage(request: AtDesk): Reply {
  const { viewer } = request
  const found = listNotes(request)
  const rows = found.rows.map(({ words, stage, leaves, reached }) => [
    leaves,
    stage,
    reached,
    html`<span class="text">${words}</span>`,
  ])
  const body = html`<h1>Notes to followers</h1>
    ${done(request.query)}
    <form class="card" method="post" action="${root}/shop/notes">
      ${pass(viewer)}<label>Words <textarea name="words" required dir="auto"></textarea></label>
      <label>Day (empty: now) <input name="day" placeholder="MM/DD/YYYY" /></label><button>Send</button>
    </form>
    ${table(['Leaves', 'Stage', 'To', 'Words'], rows)} ${onward(request, '/shop/notes', found)}`
  return page(layout({ title: 'Notes', body, viewer }))
}

function mailboxPage(request: AtDesk): Reply {
  const found = listMails(request)
  const rows = found.rows.map(({ left, kind, recipient, words }) => [
    left,
    kind,
    recipient,
    html`<span class="text">${words}</span>`,
  ])
  const body = html`<h1>Mailbox</h1>
    ${table(['Left', 'Kind', 'To', 'Words'], rows)} ${onward(request, '/shop/mailbox', found)}`
  return page(layout({ title: 'Mailbox', body, viewer: request.viewer }))
}

function submitReply(request: AtDesk): Reply {
  const { no, when } = replyToAsk(request, request.params['ask'] ?? '')
  const said = new URLSearchParams({ done: 'replied', ask: String(no), when })
  return seeOther(`${root}/shop/asks?${said.toString()}`)
}

function submitMarkdown(request: AtDesk): Reply {
  const { no, percent, stage } = planMarkdown(request)
  return seeOther(`${root}/shop/markdowns?done=${stage}&markdown=${no}&percent=${percent}`)
}

function submitNote(request: AtDesk): Reply {
  const { no, stage, leaves, reached, batch } = sendNote(request)
  const said = new URLSearchParams({ done: stage, note: String(no), leaves, reached: String(reached), batch })
  return seeOther(`${root}/shop/notes?${said.toString()}`)
}

export const deskPages: readonly Route[] = [
  show('GET /shop/trade', atDesk(tradePage)),
  show('GET /shop/asks', atDesk(asksPage)),
  submit('POST /shop/asks/{ask}/reply', atDesk(submitReply)),
  show('GET /shop/markdowns', atDesk(markdownsPage)),
  submit('POST /shop/markdowns', atDesk(submitMarkdown)),
  show('GET /shop/notes', atDesk(notesPage)),
  submit('POST /shop/notes', atDesk(submitNote)),
  show('GET /shop/mailbox', atDesk(mailboxPage)),
]
