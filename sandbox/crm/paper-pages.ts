import { html } from '../platform/html.ts'
import { page } from '../platform/replies.ts'
import { show, submit } from '../platform/routes.ts'
import type { Reply, Route, SignedIn } from '../platform/types.ts'
import { kinds } from './entities.ts'
import { perform } from './graphql.ts'
import { globalId } from './ids.ts'
import { button, layout, root, words } from './layout.ts'
import { need } from './levels.ts'
import { listMails } from './mails.ts'
import { moment } from './moments.ts'
import { addressed, back, filled, nextLink, numberIn, pageWish } from './page-helpers.ts'
import { countersign, findPaper } from './papers.ts'
import { listPeople } from './people.ts'
import { listBlueprints, studioOf } from './studio.ts'

function paperPage(request: SignedIn): Reply {
  const { db, viewer } = request
  const paper = findPaper(db, viewer, numberIn(request))
  const body = html`<h1 dir="auto">${paper.name}</h1>
    <p>
      ${words[paper.kind]} · <b data-phase="${paper.phase}">${words[paper.phase]}</b> ·
      <a href="${root}/engagements/${paper.engagement.id}" dir="auto">${paper.engagement.headline}</a>
    </p>
    ${paper.phase === 'UNSENT' && button(viewer, `/papers/${paper.id}/send`, 'E-mail it')}
    ${paper.phase === 'COUNTERSIGN' && button(viewer, `/papers/${paper.id}/countersign`, 'Countersign')}
    <dl>
      ${paper.prompts.map(
        ({ text }, index) =>
          html`<dt dir="auto">${text}</dt>
            <dd class="text" dir="auto">
              ${paper.phase === 'DONE' ? (paper.replies[index] ?? []).join(', ') || '–' : '(not completed)'}
            </dd>`,
      )}
    </dl>`
  return page(layout({ title: paper.name, body, viewer }))
}

function send(request: SignedIn): Reply {
  perform(request, 'SendPaper', { id: addressed(request, 'Paper'), ...filled(request.form, 'note') })
  return back(`/papers/${numberIn(request)}`, 'sent')
}

function sign(request: SignedIn): Reply {
  const { db, viewer } = request
  need(viewer, 'send')
  const paper = countersign(db, findPaper(db, viewer, numberIn(request)))
  request.effect('paper.countersign', { id: globalId('Paper', paper.id), phase: paper.phase })
  return back(`/papers/${paper.id}`, 'countersigned')
}

function people({ db, viewer, query }: SignedIn): Reply {
  const wish = pageWish(query)
  const search = query.get('search') ?? ''
  const { rows, total } = listPeople(db, viewer, search, wish)
  const body = html`<h1>People</h1>
    <form method="get"><input name="search" value="${search}" dir="auto" /> <button>Search</button></form>
    <p class="small">${total} people</p>
    <table>
      ${rows.slice(0, wish.first).map(
        ({ name, mail, mobile }) =>
          html`<tr>
            <td dir="auto">${name}</td>
            <td>${mail}</td>
            <td>${mobile}</td>
          </tr>`,
      )}
    </table>
    ${nextLink(query, rows, wish)}`
  return page(layout({ title: 'People', body, viewer }))
}

function shelf({ db, viewer }: SignedIn): Reply {
  const body = html`<h1>Blueprints</h1>
    <table>
      ${listBlueprints(db, viewer.account, kinds).map(
        ({ kind, name, prompts }) =>
          html`<tr>
            <td dir="auto">${name}</td>
            <td>${words[kind]}</td>
            <td>${prompts.length} questions</td>
          </tr>`,
      )}
    </table>`
  return page(layout({ title: 'Blueprints', body, viewer }))
}

function mailbox({ db, viewer }: SignedIn): Reply {
  const { zone } = studioOf(viewer.account)
  const body = html`<h1>Sent mail</h1>
    <table>
      ${listMails(db, viewer.account).map(
        ({ recipient, subject, text, at }) =>
          html`<tr>
            <td>${moment(at, zone)}</td>
            <td>${recipient}</td>
            <td dir="auto"><b>${subject}</b><br /><span class="text">${text}</span></td>
          </tr>`,
      )}
    </table>`
  return page(layout({ title: 'Sent mail', body, viewer }))
}

export const paperPages: readonly Route[] = [
  show('GET /papers/{no}', paperPage),
  submit('POST /papers/{no}/send', send),
  submit('POST /papers/{no}/countersign', sign),
  show('GET /people', people),
  show('GET /blueprints', shelf),
  show('GET /mail', mailbox),
]
