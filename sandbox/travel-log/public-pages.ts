import { html, type Html } from '../platform/html.ts'
import { page } from '../platform/replies.ts'
import { open } from '../platform/routes.ts'
import { Refusal, type AppRequest, type Reply, type Route } from '../platform/types.ts'
import { takeAway } from './archives.ts'
import { clockIn, dashed } from './clock.ts'
import { listEntries, type Entry } from './entries.ts'
import { findJourney, type Journey } from './journeys.ts'
import { layout, paths, root } from './layout.ts'
import { followersOf } from './notices.ts'
import { listRemarks } from './remarks.ts'

function home({ viewer }: AppRequest): Reply {
  const body = html`<h1>A diary of journeys</h1>
    <p>
      For yourself, for those who follow you, or for all. <a href="${root}${paths.signIn}">Travellers come in here.</a>
    </p>`
  return page(layout({ title: 'Errabund', body, viewer }))
}

/** The world's are for all; the circle's for followers with their pass; the traveller sees each of their own. */
function maySee({ db, viewer, query }: AppRequest, { account, audience }: Journey): boolean {
  if (audience === 'world' || viewer?.account.account === account) return true
  if (audience === 'self') return false
  const pass = query.get('pass')
  return followersOf(db, account).some((follower) => follower.pass === pass)
}

const story = (request: AppRequest, entry: Entry): Html =>
  html`<article class="card">
    <h2 dir="auto">${entry.heading}</h2>
    <p class="small" dir="auto">${entry.spot.label}, ${clockIn(entry.at, entry.zone)}</p>
    <p class="text" dir="auto">${entry.story}</p>
    <p class="small">
      ${entry.media.map((address) => html`<a href="${address}" rel="noreferrer">picture or film</a> `)}
    </p>
    ${listRemarks(request.db, entry.id).map(
      ({ called, words, answers }) =>
        html`<p class="text" dir="auto">
          <b>${called}</b>: ${words}${answers.map((answer) => html`<br />↳ ${answer.words}`)}
        </p>`,
    )}
  </article>`

function see(request: AppRequest): Reply {
  const { db, params, viewer } = request
  const journey = /^[1-9]\d{0,14}$/.test(params['id'] ?? '') ? findJourney(db, Number(params['id'])) : undefined
  if (!journey || !maySee(request, journey)) {
    throw new Refusal(404, 'JOURNEY_NOT_FOUND', 'There is no such journey, or it is not for you.')
  }
  const body = html`<h1 dir="auto">${journey.heading}</h1>
    <p>${dashed(journey.firstDay)} to ${journey.lastDay === null ? 'who knows' : dashed(journey.lastDay)}</p>
    <p class="text" dir="auto">${journey.blurb}</p>
    ${listEntries(db, journey.id).map((entry) => story(request, entry))}`
  return page(layout({ title: journey.heading, body, viewer }))
}

export const publicPages: readonly Route[] = [
  open('GET /', home),
  open('GET /see/{id}', see),
  open('GET /take-away/{key}', takeAway),
]
