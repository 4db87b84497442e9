import { html } from '../platform/html.ts'
import { page, seeOther } from '../platform/replies.ts'
import { open } from '../platform/routes.ts'
import { run } from '../platform/rows.ts'
import { Refusal, type AppRequest, type Reply, type Route } from '../platform/types.ts'
import { clockIn } from './clock.ts'
import { asAnswer, type Guest, type Party } from './entities.ts'
import { guestByKey } from './guests.ts'
import { invalid, onlyFields } from './input.ts'
import { layout, root } from './look.ts'
import { anyParty } from './parties.ts'
import { sheet } from './sheet.ts'

function home({ viewer }: AppRequest): Reply {
  const body = html`<h1>Invitations that are answered</h1>
    <p>Guests come by the link that they were sent. <a href="${root}/hello">Hosts sign in here.</a></p>`
  return page(layout({ title: 'Welcome', body, viewer }))
}

function invited({ db, params, now }: AppRequest): { guest: Guest; party: Party } {
  const guest = guestByKey(db, params['key'] ?? '', now * 1000)
  const party = anyParty(db, guest.party)
  if (!party) throw new Error(`Guest ${guest.serial} has no party.`)
  return { guest, party }
}

const choices = [
  ['SEEN', 'Open the envelope'],
  ['COMING', 'We are coming'],
  ['UNSURE', 'Not sure yet'],
  ['DECLINED', 'Sorry, no'],
] as const

function invitation(request: AppRequest): Reply {
  const { guest, party } = invited(request)
  const offered = choices.filter(([code]) => code !== 'SEEN' || guest.answer === 'DELIVERED')
  const body = html`<h1 dir="auto">${party.headline}</h1>
    <p dir="auto">${party.host} invites ${guest.called}</p>
    <p>${clockIn(party.zone, party.starts)} (${party.zone})</p>
    <p class="text" dir="auto">${party.venue}</p>
    <form class="card" method="post">
      <label>How many of ${guest.seats}? <input type="number" name="headcount" min="1" max="${guest.seats}" /></label>
      ${offered.map(([code, words]) => html`<button name="answer" value="${code}">${words}</button> `)}
    </form>`
  return page(layout({ title: party.headline, body, viewer: undefined }))
}

/** A guest opens the invitation or replies; a reply may change, but is never taken back by opening again. */
function reply(request: AppRequest): Reply {
  const { db, form } = request
  const { guest, party } = invited(request)
  onlyFields(form, ['answer', 'headcount'])
  const answer = asAnswer(form.get('answer') ?? '')
  if (!answer || !choices.some(([code]) => code === answer)) {
    throw invalid('ANSWER_INVALID', 'answer must be SEEN, COMING, UNSURE or DECLINED.', 'answer')
  }
  if (answer === 'SEEN' && guest.answer !== 'DELIVERED') {
    throw new Refusal(409, 'OPENED_ALREADY', 'This invitation was opened before.')
  }
  const headcount = answer === 'COMING' ? Number(form.get('headcount') || guest.seats) : 0
  if (answer === 'COMING' && (!Number.isInteger(headcount) || headcount < 1 || headcount > guest.seats)) {
    throw invalid('HEADCOUNT_INVALID', `headcount must be from 1 to ${guest.seats}.`, 'headcount')
  }
  run(db, 'UPDATE guests SET answer = ?, headcount = ? WHERE serial = ?', answer, headcount, guest.serial)
  request.effect('guest.reply', { partyNo: party.serial, guestNo: guest.serial, answer, headcount })
  return seeOther(`${root}/i/${guest.key}`)
}

export const publicPages: readonly Route[] = [
  open('GET /', home),
  open('GET /i/{key}', invitation),
  open('POST /i/{key}', reply),
  open('GET /sheets/{name}', sheet),
]
