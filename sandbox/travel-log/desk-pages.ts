import { html } from '../platform/html.ts'
import { show } from '../platform/routes.ts'
import { table } from '../platform/shell.ts'
import type { Reply, Route, SignedIn } from '../platform/types.ts'
import { clockIn } from './clock.ts'
import { homeZone, tallyOf } from './journeys.ts'
import { listing, ownPage } from './layout.ts'
import { followersOf, listNotices } from './notices.ts'

function tally(request: SignedIn): Reply {
  const { journeys, entries, lands, metres } = tallyOf(request)
  const body = html`<h1>Tally</h1>
    ${table(['Journeys', 'Entries', 'Countries', 'Way'], [[journeys, entries, lands, `${Math.round(metres / 1000)} km`]])}`
  return ownPage(request, 'Tally', body)
}

function followers(request: SignedIn): Reply {
  const rows = followersOf(request.db, request.viewer.account.account).map(({ called, mail, pass }) => [
    called,
    mail,
    html`<code>…/see/{journey}?pass=${pass}</code>`,
  ])
  const body = html`<h1>Followers</h1>
    <p>Journeys for the circle open with a follower’s pass.</p>
    ${table(['Name', 'E-mail', 'Their link'], rows)}`
  return ownPage(request, 'Followers', body)
}

function notices(request: SignedIn): Reply {
  const zone = homeZone(request)
  const { rows, olderThan } = listNotices(request)
  const lines = rows.map(({ kind, recipient, words, sent }) => [clockIn(sent, zone), recipient, kind, words])
  const body = html`<h1>Sent messages</h1>
    ${listing(request, '/notices', [`Sent (${zone})`, 'To', 'About', 'Words'], lines, olderThan)}`
  return ownPage(request, 'Sent messages', body)
}

export const deskPages: readonly Route[] = [
  show('GET /tally', tally),
  show('GET /followers', followers),
  show('GET /notices', notices),
]
