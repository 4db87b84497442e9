import { html, type Html } from '../platform/html.ts'
import { page, seeOther } from '../platform/replies.ts'
import { open, show, submit } from '../platform/routes.ts'
import { all, number, one, text, type Row } from '../platform/rows.ts'
import { Refusal, type AppRequest, type Reply, type Route, type SignedIn } from '../platform/types.ts'
import { listBranches, listCrew, listTreatments } from './catalogue.ts'
import { dayAt, dayText, wallText } from './clock.ts'
import { listGuests } from './guests.ts'
import { input, jsonForm, layout, more, rowsOf, shopPage, shown, slip, told } from './layout.ts'
import { listNotices } from './notices.ts'
import type { Page } from './paging.ts'
import { answerReview, listReviews, ownReview, reviewShown } from './reviews.ts'
import { listTalks, ownTalk } from './talks.ts'
import { idOf, ownBranch, root, type Resource } from './things.ts'
import { cancelVisit, listVisits, moveVisit, ownVisit, visitShown } from './visits.ts'
import { alertWaiting, listWaiting } from './waiting.ts'

const business = `${root}/business`

/** The request with the parameters that a page sets by itself, and without those that only say what was done. */
function asked(request: SignedIn, preset: Record<string, string> = {}): SignedIn {
  const query = new URLSearchParams(request.query)
  for (const name of ['done', 'entry']) query.delete(name)
  for (const [name, value] of Object.entries(preset)) if (!query.has(name)) query.set(name, value)
  return { ...request, query }
}

function welcome({ viewer }: AppRequest): Reply {
  const body = html`<h1>Tressario</h1>
    <p>Diary, waiting list and chat for hair and beauty, in as many branches as you have.</p>`
  return page(layout({ title: 'Welcome', body, viewer }))
}

/** Where the booking link of a chat leads. */
function bookingPage({ db, params, viewer }: AppRequest): Reply {
  const owner = one(db, 'SELECT account FROM businesses WHERE book_key = ?', params['key'] ?? '')
  if (!owner) throw new Refusal(404, 'PAGE_NOT_FOUND', 'There is no such page.')
  const branches = all(db, 'SELECT * FROM branches WHERE account = ? ORDER BY serial', text(owner, 'account'))
  const body = html`<h1>Book with us</h1>
    ${branches.map((row) => html`<p dir="auto"><b>${text(row, 'label')}</b>, ${text(row, 'street')}</p>`)}
    <p class="small">Please call or write to the branch of your choice.</p>`
  return page(layout({ title: 'Book', body, viewer }))
}

const branchLinks = (request: SignedIn, path: string): Html =>
  html`<p>
    ${listBranches(asked({ ...request, query: new URLSearchParams() })).map(
      ({ id, attributes }) => html`<a href="${business}/${path}?branch=${id}">${shown(attributes['label'])}</a> `,
    )}
  </p>`

const visitColumns = ['begins', 'ends', 'guest', 'treatment', 'crew', 'stage', 'cost', 'remark']

/** The pages show a stage by its name. */
const staged = (visit: Resource): Resource => {
  const { stage, ...rest } = visit.attributes
  const words = typeof stage === 'object' && stage !== null && 'shown' in stage ? stage.shown : null
  return { ...visit, attributes: { ...rest, stage: words } }
}

function diary(request: SignedIn): Reply {
  const zone = text(ownBranch(request, request.query.get('branch')), 'zone')
  const today = dayAt(request.now, zone)
  const wish = asked(request, { from: dayText(today), until: dayText(today + 7) })
  const visits = listVisits(wish)
  const fields = html`${input('guest', 'Guest', 'g…')} ${input('treatment', 'Treatment', 't…')}
  ${input('crew', 'With', 'c…')} ${input('begins', 'Begins', wallText(request.now, zone))} ${input('remark', 'Remark')}`
  const body = html`${branchLinks(request, 'visits')}
    <p>${wish.query.get('from')} – ${wish.query.get('until')}, ${zone}</p>
    ${rowsOf(visits.data.map(staged), visitColumns, 'visits')} ${more(wish.query, 'visits', visits)}
    ${jsonForm('visits', 'visits', 'Book', fields)}`
  return shopPage(request, 'Diary', body)
}

const tellBox = html`<label><input type="checkbox" name="tell" value="yes" /> Tell the guest</label>`

function visitPage(request: SignedIn): Reply {
  const row = ownVisit(request, request.params['id'])
  const { id, attributes } = staged(visitShown(row))
  const action = `${business}/visits/${id}`
  const forms = html`<form class="card" method="post" action="${action}/move">
      ${slip(request.viewer)} ${input('begins', 'New time', shown(attributes['begins']))}
      ${input('crew', 'New person', idOf('crew', number(row, 'crew')))} ${tellBox} <button>Move</button>
    </form>
    <form class="card" method="post" action="${action}/cancel">
      ${slip(request.viewer)} ${tellBox} <button>Cancel the visit</button>
    </form>`
  const words = { moved: 'The visit was moved.', cancelled: 'The visit was cancelled.' }
  const body = html`${told(request.query, words)}
    <dl>
      ${visitColumns.map(
        (name) =>
          html`<dt>${name}</dt>
            <dd dir="auto" class="text">${shown(attributes[name])}</dd>`,
      )}
    </dl>
    ${row['stage'] === 'bk' && forms}`
  return shopPage(request, `Visit ${id}`, body)
}

/** Back to the visit, with what it is now. */
function changed(done: string, { visit, told: via }: { visit: Row; told: string }): Reply {
  const zone = text(visit, 'zone')
  const after = new URLSearchParams({
    done,
    stage: text(visit, 'stage'),
    begins: wallText(number(visit, 'begins'), zone),
    ends: wallText(number(visit, 'ends'), zone),
    zone,
    crew: idOf('crew', number(visit, 'crew')),
    crew_name: text(visit, 'crew_name'),
    told: via,
  })
  return seeOther(`${business}/visits/${idOf('visits', number(visit, 'serial'))}?${after.toString()}`)
}

function waitingPage(request: SignedIn): Reply {
  const wish = asked(request)
  const entries = listWaiting(wish)
  const alert = html`<form class="card" method="post" action="${business}/waiting/alert">
    ${slip(request.viewer)}
    ${entries.data.map(({ id, attributes: { guest, treatment, crew, day, alerted } }) => {
      const words = [day, guest, treatment, crew, alerted].map(shown).join(' · ')
      return html`<label dir="auto"><input type="checkbox" name="entry" value="${id}" /> ${id} · ${words}</label>`
    })}
    <label>Message (empty: ours) <textarea name="words" dir="auto"></textarea></label> <button>Alert</button>
  </form>`
  const fields = html`${input('guest', 'Guest', 'g…')} ${input('treatment', 'Treatment', 't…')}
  ${input('crew', 'With (empty: anybody)', 'c…')} ${input('day', 'Day', dayText(Math.floor(request.now / 86_400)))}`
  const body = html`${branchLinks(request, 'waiting')}
  ${told(request.query, { alerted: `Written to: ${request.query.getAll('entry').join(', ')}.` })} ${alert}
  ${more(wish.query, 'waiting', entries)} ${jsonForm('waiting', 'waiting', 'Add to the list', fields)}`
  return shopPage(request, 'Waiting list', body)
}

function alerted(request: SignedIn): Reply {
  const after = new URLSearchParams({ done: 'alerted' })
  for (const id of alertWaiting(request)) after.append('entry', id)
  return seeOther(`${business}/waiting?${after.toString()}`)
}

/** A page of a list, and nothing else. */
const plain =
  (title: string, path: string, find: (request: SignedIn) => Page, names: readonly string[], opens?: string) =>
  (request: SignedIn): Reply => {
    const wish = asked(request)
    const found = find(wish)
    return shopPage(request, title, html`${rowsOf(found.data, names, opens)} ${more(wish.query, path, found)}`)
  }

function talkPage(request: SignedIn): Reply {
  const { id, attributes } = ownTalk(request, request.params['id'])
  const lines = Array.isArray(attributes['lines']) ? attributes['lines'] : []
  const fields = html`<label>Your answer <textarea name="words" dir="auto"></textarea></label>
    <label><input type="checkbox" name="with_booking" /> With the booking link</label>`
  const body = html`${lines.map(
    ({ by, words, book_at, at }: Record<string, unknown>) =>
      html`<div class="card">
        <span class="small">${shown(by)}, ${shown(at)}</span>
        <div class="text" dir="auto">${shown(words)}</div>
        ${typeof book_at === 'string' && html`<a href="${book_at}">Book</a>`}
      </div>`,
  )}
  ${jsonForm(`talks/${id}/lines`, 'lines', 'Answer', fields)}`
  return shopPage(request, shown(attributes['guest']), body)
}

function reviewPage(request: SignedIn): Reply {
  const { id, attributes } = reviewShown(ownReview(request, request.params['id']))
  const answer = html`<form class="card" method="post" action="${business}/reviews/${id}/answer">
    ${slip(request.viewer)} <label>For everybody to read <textarea name="words" dir="auto"></textarea></label>
    <button>Answer</button>
  </form>`
  const body = html`${told(request.query, { answered: 'Your answer is public now.' })}
    <p>${shown(attributes['stars'])} of 5, ${shown(attributes['day'])}</p>
    <p class="text" dir="auto">${shown(attributes['words'])}</p>
    ${attributes['answer'] === null ? answer : html`<p class="card text" dir="auto">${shown(attributes['answer'])}</p>`}`
  return shopPage(request, `Review of ${shown(attributes['guest'])}`, body)
}

function branches(request: SignedIn): Reply {
  const bare = { ...request, query: new URLSearchParams() }
  const all = listBranches(bare)
  const body = html`${rowsOf(all, ['label', 'street', 'zone', 'tel', 'main'])}
    <h2>Crew</h2>
    ${rowsOf(listCrew(bare), ['full', 'on_leave'])}
    ${all.map(
      ({ id, attributes }) =>
        html`<h2 dir="auto">${shown(attributes['label'])}</h2>
          ${rowsOf(listTreatments({ ...request, query: new URLSearchParams({ branch: id }) }), ['label', 'mins', 'cost', 'hands'])}`,
    )}`
  return shopPage(request, 'Branches', body)
}

export const pages: readonly Route[] = [
  open('GET /', welcome),
  open('GET /book/{key}', bookingPage),
  show('GET /business/visits', diary),
  show('GET /business/visits/{id}', visitPage),
  submit('POST /business/visits/{id}/move', (request) => changed('moved', moveVisit(request))),
  submit('POST /business/visits/{id}/cancel', (request) => changed('cancelled', cancelVisit(request))),
  show('GET /business/waiting', waitingPage),
  submit('POST /business/waiting/alert', alerted),
  show('GET /business/guests', plain('Guests', 'guests', listGuests, ['full', 'mail', 'cell', 'labels'])),
  show('GET /business/talks', plain('Chat', 'talks', listTalks, ['guest', 'fresh', 'latest', 'touched'], 'talks')),
  show('GET /business/talks/{id}', talkPage),
  show(
    'GET /business/reviews',
    plain('Reviews', 'reviews', listReviews, ['day', 'guest', 'stars', 'words', 'answer'], 'reviews'),
  ),
  show('GET /business/reviews/{id}', reviewPage),
  submit('POST /business/reviews/{id}/answer', (request) =>
    seeOther(`${business}/reviews/${answerReview(request)}?done=answered`),
  ),
  show('GET /business/notices', plain('Sent', 'notices', listNotices, ['at', 'via', 'to', 'words', 'answer'])),
  show('GET /business/branches', branches),
]
