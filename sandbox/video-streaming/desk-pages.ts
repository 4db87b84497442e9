import { html, type Html } from '../platform/html.ts'
import { page, seeOther } from '../platform/replies.ts'
import { open, show, submit } from '../platform/routes.ts'
import { table } from '../platform/shell.ts'
import type { AppRequest, Reply, Route, SignedIn } from '../platform/types.ts'
import { pointedDay } from './clock.ts'
import { listPosts, listRooms } from './community.ts'
import { couponFull, covered, createCoupon, listCoupons } from './coupons.ts'
import { input, jsonForm, layout, link, listing, root, select, studioPage, ticket } from './layout.ts'
import { listMails } from './mails.ts'
import { numbersOf } from './numbers.ts'
import { listShows, showFull, vias } from './shows.ts'
import { ownStudio } from './tables.ts'
import type { CouponOut } from './wire.ts'

function home({ viewer }: AppRequest): Reply {
  const body = html`<h1>Your films, your members, your stage</h1>
    <p><a href="${root}/studio/clips">Studios come in here.</a></p>`
  return page(layout({ title: 'Velario', body, viewer }))
}

const showList = (request: SignedIn): Reply =>
  studioPage(
    request,
    'Live',
    html`<h1>Live</h1>
      ${listing(request, 'shows', listShows(request), ['Show', 'Heading', 'Begins', 'Via', 'Phase'], (item) => [
        link(`shows/${item.show}`, item.show),
        item.heading,
        `${item.begins} ${item.clock}`,
        item.via,
        item.phase,
      ])}
      ${jsonForm(
        'POST',
        '/api/shows',
        'New show',
        html`${input('Heading', 'heading')} ${input('Begins', 'begins')} ${select('Via', 'via', vias)}
          <label><input type="checkbox" name="sign-up" /> Members sign up</label>`,
      )}`,
  )

function showDetail(request: SignedIn): Reply {
  const item = showFull(request)
  const body = html`<h1 dir="auto">${item.heading}</h1>
    <p>${item.begins} (${item.clock}) · ${item.via} · ${item.phase} · ${item['signed-up']} signed up</p>
    <p class="text" dir="auto">${item.blurb}</p>`
  return studioPage(request, item.heading, body)
}

/** The last 30 days, unless days are given. */
function numbers(request: SignedIn): Reply {
  const { query, now } = request
  const { zone } = ownStudio(request)
  const asked = new URLSearchParams({
    since: query.get('since') ?? pointedDay(now - 30 * 86_400, zone),
    until: query.get('until') ?? pointedDay(now, zone),
  })
  const reports = (['clips', 'series', 'shows'] as const).map((name) => {
    const { sums, rows } = numbersOf({ ...request, query: asked }, name)
    const lines = rows.map((row) => [row.heading, row.plays, row.watchers, row['finished-share']])
    return html`<h2>${name}: ${sums.plays} plays</h2>
      ${table(['Heading', 'Plays', 'Watchers', 'Finished'], lines)}`
  })
  const body = html`<h1>Numbers</h1>
    <form>
      ${input('Since', 'since', '', asked.get('since') ?? '')} ${input('Until', 'until', '', asked.get('until') ?? '')}
      <button>Count</button>
    </form>
    ${reports}`
  return studioPage(request, 'Numbers', body)
}

function rooms(request: SignedIn): Reply {
  const rows = listRooms(request).map((room) => [
    link(`community/${room.room}`, room.handle),
    room['open-to'],
    room['post-count'],
  ])
  return studioPage(
    request,
    'Community',
    html`<h1>Community</h1>
      ${table(['Room', 'Open to', 'Posts'], rows)}`,
  )
}

function room(request: SignedIn): Reply {
  const id = request.params['room'] ?? ''
  const body = html`<h1>Posts</h1>
    ${jsonForm(
      'POST',
      `/api/community/rooms/${id}/posts`,
      'New post',
      html`<textarea name="words" aria-label="Words" dir="auto"></textarea> ${input('Goes out', 'goes-out')}`,
    )}
    ${listing(request, `community/${id}`, listPosts(request), ['By', 'Words', 'Goes out', 'State'], (post) => [
      post.by,
      html`<div class="text">${post.words}</div>`,
      post['goes-out'],
      post.state,
    ])}`
  return studioPage(request, 'Posts', body)
}

const offWords = ({ off }: CouponOut): string =>
  'percent' in off ? `${off.percent} %` : `${off.minor} minor ${off.currency}`

const couponForm = ({ viewer }: SignedIn): Html =>
  html`<form class="card" method="post" action="${root}/studio/coupons">
    <h2>New coupon</h2>
    ${ticket(viewer)} ${input('Code', 'promo-code')} ${select('Off', 'off-kind', ['percent', 'amount'])}
    ${input('How much (percent, or minor units)', 'off-value')} ${select('Covers', 'covers', covered)}
    ${input('Series (id)', 'series')} ${input('Uses in all', 'uses-total')} ${input('Uses by each', 'uses-each')}
    ${input('Until', 'until')}<button>Make it</button>
  </form>`

const couponList = (request: SignedIn): Reply =>
  studioPage(
    request,
    'Coupons',
    html`<h1>Coupons</h1>
      ${listing(request, 'coupons', listCoupons(request), ['Code', 'Off', 'Covers', 'Used', 'Until'], (coupon) => [
        link(`coupons/${coupon.coupon}`, coupon['promo-code']),
        offWords(coupon),
        coupon.covers,
        coupon.used,
        coupon.until,
      ])}
      ${couponForm(request)}`,
  )

function couponDetail(request: SignedIn): Reply {
  const coupon = couponFull(request)
  const body = html`<h1>${coupon['promo-code']}</h1>
    ${request.query.has('done') && html`<p class="card">Made.</p>`}
    <p>${offWords(coupon)} off ${coupon.covers} ${coupon.series}</p>
    <p>Used ${coupon.used} of ${coupon['uses-total'] ?? 'any number'}, until ${coupon.until ?? 'further notice'}.</p>`
  return studioPage(request, coupon['promo-code'], body)
}

const outbox = (request: SignedIn): Reply =>
  studioPage(
    request,
    'Outbox',
    html`<h1>Outbox</h1>
      ${listing(request, 'outbox', listMails(request), ['To', 'Subject', 'Words', 'Goes out', 'State'], (mail) => [
        mail['sent-to'],
        mail.subject,
        mail.words,
        mail['goes-out'],
        mail.state,
      ])}`,
  )

export const deskPages: readonly Route[] = [
  open('GET /', home),
  show('GET /studio/shows', showList),
  show('GET /studio/shows/{show}', showDetail),
  show('GET /studio/numbers', numbers),
  show('GET /studio/community', rooms),
  show('GET /studio/community/{room}', room),
  show('GET /studio/coupons', couponList),
  submit('POST /studio/coupons', (request) => seeOther(`${root}/studio/coupons/${createCoupon(request)}?done=created`)),
  show('GET /studio/coupons/{coupon}', couponDetail),
  show('GET /studio/outbox', outbox),
]
