import { html } from '../platform/html.ts'
import { page, seeOther } from '../platform/replies.ts'
import { show, submit } from '../platform/routes.ts'
import { table } from '../platform/shell.ts'
import type { Reply, Route, SignedIn } from '../platform/types.ts'
import { clockIn, dashed } from './clock.ts'
import { idOf } from './entities.ts'
import { answerFeedback, listFeedback, ownFeedback } from './feedback.ts'
import { knownFields, readChoice } from './input.ts'
import { layout, moreLink, root, secret } from './layout.ts'
import { cut, readWish } from './paging.ts'
import { need } from './supplier.ts'
import { answerThread, listThreads, messagesOf, ownThread } from './threads.ts'

function inbox(request: SignedIn): Reply {
  need(request, 'guests')
  const { db, viewer, query } = request
  const unseenOnly = readChoice(query, 'show', ['all', 'unseen']) === 'unseen'
  const list = `page of threads ${unseenOnly}`
  const wish = readWish(request, list)
  const found = listThreads(db, viewer.account.account, unseenOnly, wish)
  const { rows, after } = cut(request, list, found.threads, wish, ({ last }) => [found.asOf, last.serial])
  const body = html`<h1>Inbox</h1>
    <p><a href="${root}/extranet/inbox">All</a> <a href="${root}/extranet/inbox?show=unseen">Unread</a></p>
    ${table(
      ['Guest', 'Unread', 'Last message', 'At (UTC)'],
      rows.map((t) => [
        html`<a href="${root}/extranet/threads/${idOf('threads', t.serial)}">${t.guest}</a>`,
        ...[t.unseen, t.last.words.slice(0, 90), clockIn('UTC', t.last.sent)],
      ]),
    )}
    ${moreLink('/extranet/inbox', query, after)}`
  return page(layout({ title: 'Inbox', body, viewer }))
}

function threadPage(request: SignedIn): Reply {
  need(request, 'guests')
  const { db, viewer, query } = request
  const thread = ownThread(request)
  const id = idOf('threads', thread.serial)
  const body = html`<h1 dir="auto">${thread.guest}</h1>
    <p dir="auto">${thread.headline}, order ${idOf('orders', thread.booking)}</p>
    ${query.has('sent') && html`<p class="card" role="status">Sent.</p>`}
    ${messagesOf(db, thread.serial).map(
      (m) =>
        html`<div class="card">
          <p class="small">${m.side === 'GUEST' ? 'Guest' : 'You'}, ${clockIn('UTC', m.sent)} UTC</p>
          <div class="text" dir="auto">${m.words}</div>
        </div>`,
    )}
    <form method="post" action="${root}/extranet/threads/${id}/answer">
      ${secret(viewer)}<label>Answer <textarea name="words" dir="auto" required></textarea></label><button>Send</button>
    </form>`
  return page(layout({ title: thread.guest, body, viewer }))
}

function sendAnswer(request: SignedIn): Reply {
  need(request, 'guests')
  const thread = ownThread(request)
  const { serial, sent } = answerThread(request, thread)
  const id = idOf('threads', thread.serial)
  return seeOther(`${root}/extranet/threads/${id}?sent=${idOf('messages', serial)}&epoch=${sent}`)
}

function feedbackPage(request: SignedIn): Reply {
  need(request, 'guests')
  const { db, viewer, query } = request
  const openOnly = readChoice(query, 'show', ['all', 'open']) === 'open'
  const list = `page of feedback ${openOnly}`
  const wish = readWish(request, list)
  const filter = { activity: undefined, since: '', openOnly }
  const found = listFeedback(db, viewer.account.account, filter, wish)
  const { rows, after } = cut(request, list, found, wish, ({ serial }) => [serial])
  const body = html`<h1>Feedback</h1>
    <p><a href="${root}/extranet/feedback">All</a> <a href="${root}/extranet/feedback?show=open">Unanswered</a></p>
    ${rows.map(
      (f) =>
        html`<div class="card">
          <p dir="auto"><b>${f.headline}</b>, ${f.stars} of 5, ${f.guest}, ${dashed(f.day)}</p>
          <div class="text" dir="auto">${f.words}</div>
          ${
            f.answer === null
              ? html`<form method="post" action="${root}/extranet/feedback/${idOf('feedback', f.serial)}/answer">
                  ${secret(viewer)}<label>Public answer <textarea name="words" dir="auto" required></textarea></label>
                  <button>Publish</button>
                </form>`
              : html`<p class="text" dir="auto"><i>${f.answer}</i></p>`
          }
        </div>`,
    )}
    ${moreLink('/extranet/feedback', query, after)}`
  return page(layout({ title: 'Feedback', body, viewer }))
}

function publishAnswer(request: SignedIn): Reply {
  need(request, 'guests')
  const { form } = request
  knownFields(form, (name) => name === 'words')
  const { serial } = answerFeedback(request, ownFeedback(request), form.get('words'))
  return seeOther(`${root}/extranet/feedback?done=${idOf('feedback', serial)}`)
}

export const talkRoutes: readonly Route[] = [
  show('GET /extranet/inbox', inbox),
  show('GET /extranet/threads/{id}', threadPage),
  submit('POST /extranet/threads/{id}/answer', sendAnswer),
  show('GET /extranet/feedback', feedbackPage),
  submit('POST /extranet/feedback/{id}/answer', publishAnswer),
]
