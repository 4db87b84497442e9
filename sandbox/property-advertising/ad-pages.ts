import { html, type Html } from '../platform/html.ts'
import { page, seeOther } from '../platform/replies.ts'
import { show, submit } from '../platform/routes.ts'
import type { Reply, Route, SignedIn } from '../platform/types.ts'
import { editAd, ownAd, switchAd } from './actions.ts'
import { listAds } from './ads.ts'
import { readChangeForm } from './edit.ts'
import { deals, phases, refOf, type Ad } from './entities.ts'
import { button, layout, pageLinks, price, root, token } from './layout.ts'
import { newAdRoutes } from './new-ad.ts'
import { cut, readChoice, readPage } from './paging.ts'
import { stamp } from './wire.ts'

const words: Record<string, string> = {
  online: 'online',
  offline: 'offline',
  lapsed: 'lapsed',
  for_sale: 'for sale',
  to_let: 'to let',
}

const adLine = (ad: Ad): Html =>
  html`<tr>
    <td>
      <a href="${root}/my/ads/${refOf(ad.serial)}" dir="auto">${ad.headline}</a><br /><span class="small"
        >${refOf(ad.serial)}</span
      >
    </td>
    <td>${words[ad.deal]}</td>
    <td>${words[ad.phase]}</td>
    <td>${price(ad.cents, ad.currency)}</td>
    <td>${ad.score}</td>
  </tr>`

function myAds({ db, viewer, query }: SignedIn): Reply {
  const wish = readPage<number>(query, () => undefined)
  const filter = { phases: readChoice(query, 'phase', phases), deals: readChoice(query, 'deal', deals) }
  const { ads, total } = listAds(db, viewer.account.account, filter, wish)
  const { rows, last } = cut(ads, wish.size)
  const body = html`<h1>My ads</h1>
    <p>
      <a href="?">All</a> · ${phases.map((phase) => html`<a href="?phase=${phase}">${words[phase]}</a> · `)}
      <a href="${root}/my/ads/new">Place an ad</a>
    </p>
    <p class="small">${total} ads</p>
    <table>
      <tr>
        <th>Ad</th>
        <th>Deal</th>
        <th>State</th>
        <th>Price</th>
        <th>Score</th>
      </tr>
      ${rows.map(adLine)}
    </table>
    ${pageLinks('/my/ads', query, wish.page ?? 1, last !== undefined)}`
  return page(layout({ title: 'My ads', body, viewer }))
}

function adDetail(request: SignedIn): Reply {
  const { viewer } = request
  const ad = ownAd(request)
  const path = `/my/ads/${refOf(ad.serial)}`
  const body = html`<h1 dir="auto">${ad.headline}</h1>
    <p>
      ${refOf(ad.serial)} · ${words[ad.deal]} · <b data-phase="${ad.phase}">${words[ad.phase]}</b> ·
      ${price(ad.cents, ad.currency)}
    </p>
    <p>${ad.built} m² · ${ad.rooms} bedrooms · ${ad.baths} baths · ${ad.pictures} pictures · score ${ad.score}</p>
    <ul>
      ${ad.perks.map((perk) => html`<li dir="auto">${perk}</li>`)}
    </ul>
    <p class="text card" dir="auto">${ad.blurb || '(no description)'}</p>
    <p class="small">Placed ${stamp(ad.created)}, changed ${stamp(ad.changed)} UTC · ${ad.city} (${ad.zone})</p>
    ${
      ad.closed
        ? html`<p class="hint">Closed with its account: it stays here for your records.</p>`
        : html`<p><a href="${root}${path}/edit">Edit</a></p>
            ${
              ad.phase === 'online'
                ? html`${button(viewer, `${path}/offline`, 'Take offline')}
                    <a href="${root}/ad/${refOf(ad.serial)}">See as others see it</a>`
                : button(viewer, `${path}/online`, 'Put online')
            }`
    }`
  return page(layout({ title: ad.headline, body, viewer }))
}

function editForm(request: SignedIn): Reply {
  const { viewer } = request
  const ad = ownAd(request)
  const body = html`<h1>Edit ${refOf(ad.serial)}</h1>
    <form class="card" method="post" action="${root}/my/ads/${refOf(ad.serial)}/edit">
      ${token(viewer)}
      <label>Price (${ad.currency}) <input name="asking" value="${(ad.cents / 100).toFixed(2)}" required /></label>
      <label>Surface (m²) <input name="built_m2" value="${ad.built}" /></label>
      <label>Bedrooms <input name="bedrooms" type="number" min="0" value="${ad.rooms}" /></label>
      <label>Baths <input name="baths" type="number" min="0" value="${ad.baths}" /></label>
      <label>Features, one a line <textarea name="perks" dir="auto">${ad.perks.join('\n')}</textarea></label>
      <label>Description <textarea name="blurb" dir="auto" rows="12">${ad.blurb}</textarea></label>
      <button>Save</button>
    </form>`
  return page(layout({ title: 'Edit', body, viewer }))
}

const backTo = (ad: Ad, done: string): Reply => seeOther(`${root}/my/ads/${refOf(ad.serial)}?done=${done}`)

export const adPages: readonly Route[] = [
  show('GET /my/ads', myAds),
  ...newAdRoutes,
  show('GET /my/ads/{ref}', adDetail),
  show('GET /my/ads/{ref}/edit', editForm),
  submit('POST /my/ads/{ref}/edit', (request) => backTo(editAd(request, readChangeForm(request.form)), 'edit')),
  submit('POST /my/ads/{ref}/offline', (request) => backTo(switchAd(request, 'offline'), 'offline')),
  submit('POST /my/ads/{ref}/online', (request) => backTo(switchAd(request, 'online'), 'online')),
]
