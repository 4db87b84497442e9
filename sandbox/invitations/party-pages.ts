import { html, type Html } from '../platform/html.ts'
import { page, seeOther } from '../platform/replies.ts'
import { show, submit } from '../platform/routes.ts'
import { table, token } from '../platform/shell.ts'
import type { Reply, Route, SignedIn } from '../platform/types.ts'
import { clockIn, zones } from './clock.ts'
import { asStage, presets, stageOf, trackOf, trackWords, type Guest, type Party } from './entities.ts'
import { addGuests, listGuests, tallyOf } from './guests.ts'
import { onlyFields } from './input.ts'
import { labelGuests, labelsOf } from './labels.ts'
import { layout, look, moreLink, root } from './look.ts'
import { pageOf, readCode } from './paging.ts'
import { createParty, listParties, ownParty } from './parties.ts'
import { broadcast, dispatch } from './sending.ts'

const day = 86_400_000

const options = (codes: readonly string[]): Html[] => codes.map((code) => html`<option>${code}</option>`)

const moments = (now: number, days: readonly number[]): Html[] =>
  days.map((ahead) => html`<option value="${now + ahead * day}">${clockIn('UTC', now + ahead * day)} UTC</option>`)

const partyPath = ({ serial }: Party): string => `${root}/parties/${serial}`

function partyList(request: SignedIn): Reply {
  const { query, viewer } = request
  const now = request.now * 1000
  const stage = readCode(query, 'stage', asStage)
  const { rows, moreToken } = pageOf(request, `parties ${stage}`, (wish) => listParties(request, stage, wish))
  const lines = rows.map((party) => [
    html`<a href="${partyPath(party)}">${party.headline}</a>`,
    clockIn(party.zone, party.starts),
    stageOf(party, now),
    party.standing === 'COHOST' && `helping ${party.host}`,
  ])
  const body = html`<h1>Parties</h1>
    <p>${['OUT', 'QUEUED', 'DRAFT'].map((code) => html`<a href="${root}/parties?stage=${code}">${code}</a> `)}</p>
    ${table(['What', 'When', 'Stage', ''], lines)} ${moreLink('/parties', query, moreToken)}
    <form class="card" method="post" action="${root}/parties">
      ${token(look, viewer)}<label>Headline <input name="headline" required maxlength="200" dir="auto" /></label>
      <label
        >Format
        <select name="format">
          ${options(['CARD', 'FLYER'])}
        </select></label
      >
      <label
        >When
        <select name="startsMs">
          ${moments(now, [14, 30, 60, 90, 180])}
        </select></label
      >
      <label
        >Time zone
        <select name="zone">
          ${options(zones)}
        </select></label
      >
      <label>Where <textarea name="venue" maxlength="500" dir="auto"></textarea></label><button>New party</button>
    </form>`
  return page(layout({ title: 'Parties', body, viewer }))
}

const guestForm = (party: Party, csrf: Html): Html =>
  html`<form class="card" method="post" action="${partyPath(party)}/guests">
    <h2>Add a guest</h2>
    ${csrf}<label>Name <input name="calledAs" required maxlength="120" dir="auto" /></label>
    <label>E-mail <input type="email" name="mail" /></label> <label>Phone <input name="mobile" /></label>
    <label>Household <input name="household" maxlength="120" dir="auto" /></label>
    <label>Seats <input type="number" name="seats" value="1" min="1" max="100" /></label>
    <button>Add to the unsent list</button>
  </form>`

const sendForms = (party: Party, csrf: Html, now: number): Html =>
  html`<form class="card" method="post" action="${partyPath(party)}/dispatch">
      <h2>Send the invitation</h2>
      ${csrf}<label
        >To all on the unsent list
        <select name="atMs">
          <option value="">now</option>
          ${moments(now, [1, 7, 30])}
        </select></label
      ><button>Send</button>
    </form>
    <form class="card" method="post" action="${partyPath(party)}/broadcast">
      <h2>Write to guests</h2>
      ${csrf}<label
        >Kind
        <select name="preset">
          ${options(presets.toReversed())}
        </select></label
      >
      <label>Text <textarea name="body" maxlength="2000" dir="auto"></textarea></label>
      ${(['COMING', 'UNSURE', 'DECLINED', 'SEEN', 'DELIVERED'] as const).map(
        (code) => html`<label><input type="checkbox" name="track" value="${code}" /> ${trackWords[code]}</label>`,
      )}
      <button>Send to them</button>
    </form>`

const guestLine = (party: Party, guest: Guest, now: number): Html[] => [
  html`<input type="checkbox" name="guestNo" value="${guest.serial}" aria-label="Choose" />`,
  html`<a href="${partyPath(party)}/guests/${guest.serial}">${guest.called}</a>`,
  html`${guest.mail} ${guest.mobile}`,
  html`${trackWords[trackOf(guest, now)]}`,
  html`${guest.headcount} of ${guest.seats}`,
  html`${guest.labels.join(', ')}`,
]

function partyDetail(request: SignedIn): Reply {
  const { db, query, viewer } = request
  const now = request.now * 1000
  const party = ownParty(request)
  const csrf = token(look, viewer)
  const every = { track: undefined, label: undefined, find: '' }
  const list = `guests ${party.serial}`
  const { rows, moreToken } = pageOf(request, list, (wish) => listGuests(request, party, every, wish))
  const tally = Object.entries(tallyOf(db, party, now)).map(([track, n]) => `${track} ${n}`)
  const body = html`<h1 dir="auto">${party.headline}</h1>
    ${query.has('done') && html`<p class="card">Done: ${query.get('done')}, ${query.get('count')}</p>`}
    <p>
      ${stageOf(party, now)} · ${party.format} · ${clockIn(party.zone, party.starts)} (${party.zone}) ·
      <span dir="auto">${party.host}</span> · ${tally.join(', ')}
    </p>
    <p class="text" dir="auto">${party.venue}</p>
    <form method="post" action="${partyPath(party)}/labels">
      ${csrf}
      ${table(
        ['', 'Guest', 'Reach', 'Status', 'Coming', 'Labels'],
        rows.map((g) => guestLine(party, g, now)),
      )}
      <p>
        <input name="label" list="labels" maxlength="40" aria-label="Label" dir="auto" />
        <datalist id="labels">${options(labelsOf(db, party).map(({ name }) => name))}</datalist>
        <button>Label the chosen</button>
      </p>
    </form>
    ${moreLink(`/parties/${party.serial}`, query, moreToken)} ${sendForms(party, csrf, now)} ${guestForm(party, csrf)}`
  return page(layout({ title: party.headline, body, viewer }))
}

const submitParty = (request: SignedIn): Reply => seeOther(`${partyPath(createParty(request))}?done=created`)

function submitGuest(request: SignedIn): Reply {
  const party = ownParty(request)
  const { form } = request
  onlyFields(form, ['calledAs', 'mail', 'mobile', 'household', 'seats'])
  const person = Object.fromEntries([...form].filter(([name]) => name !== 'formKey' && name !== 'seats'))
  const guests = addGuests(request, party, [{ ...person, seats: Number(form.get('seats') || 1) }])
  return seeOther(`${partyPath(party)}?done=added&count=${guests.length}`)
}

function submitDispatch(request: SignedIn): Reply {
  const party = ownParty(request)
  const { batch, count, at } = dispatch(request, party)
  const done = stageOf({ ...party, dispatched: at }, request.now * 1000) === 'QUEUED' ? 'queued' : 'dispatched'
  return seeOther(`${partyPath(party)}?done=${done}&batchNo=${batch}&count=${count}&atMs=${at}`)
}

function submitBroadcast(request: SignedIn): Reply {
  const party = ownParty(request)
  const { batch, count, at } = broadcast(request, party)
  return seeOther(`${partyPath(party)}?done=broadcast&batchNo=${batch}&count=${count}&atMs=${at}`)
}

function submitLabels(request: SignedIn): Reply {
  const party = ownParty(request)
  const { label, count, fresh } = labelGuests(request, party)
  const told = new URLSearchParams({ done: 'labelled', label, count: String(count), fresh: String(fresh) })
  return seeOther(`${partyPath(party)}?${told.toString()}`)
}

export const partyPages: readonly Route[] = [
  show('GET /parties', partyList),
  submit('POST /parties', submitParty),
  show('GET /parties/{party}', partyDetail),
  submit('POST /parties/{party}/guests', submitGuest),
  submit('POST /parties/{party}/dispatch', submitDispatch),
  submit('POST /parties/{party}/broadcast', submitBroadcast),
  submit('POST /parties/{party}/labels', submitLabels),
]
