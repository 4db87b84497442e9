import { html } from '../platform/html.ts'
import { page, seeOther } from '../platform/replies.ts'
import { open } from '../platform/routes.ts'
import { maybeText, all, text } from '../platform/rows.ts'
import type { AppRequest, Reply, Route } from '../platform/types.ts'
import { askAbout } from './asks.ts'
import { dayIn } from './clock.ts'
import { costNow } from './costs.ts'
import { findGood, noSuchGood, type Good } from './goods.ts'
import { brand, layout, root } from './layout.ts'
import { dollars } from './money.ts'
import { findShop } from './shop.ts'
import { boughtBy, buy } from './sold.ts'

/** Buyers see what is on the shelf, and nothing else. */
function onShelf({ db, params }: AppRequest): Good {
  const good = findGood(db, params['good'] ?? '')
  if (good?.shelf !== 'live') throw noSuchGood()
  return good
}

function home({ viewer }: AppRequest): Reply {
  const body = html`<h1>${brand}</h1>
    <p>From teachers, for teachers.</p>
    ${viewer && html`<p><a href="${root}/shop/goods">To your shop</a></p>`}`
  return page(layout({ title: 'Welcome', body, viewer }))
}

function goodPage(request: AppRequest): Reply {
  const { db, viewer, now } = request
  const good = onShelf(request)
  const day = dayIn(findShop(db, good.account).zone, now)
  const asks = all(db, 'SELECT words, reply FROM asks WHERE good = ? ORDER BY no DESC', good.no).map(
    (row) => html`<p class="card text" dir="auto">${text(row, 'words')}<br /><b>${maybeText(row, 'reply')}</b></p>`,
  )
  const body = html`<h1 dir="auto">${good.name}</h1>
    <p>${dollars(costNow(db, good, day))} · ${good.levels.join(', ')} · ${good.topics.join(', ')}</p>
    <p class="text" dir="auto">${good.about}</p>
    <form class="card" method="post" action="${root}/g/${good.no}/buy">
      <label>Your e-mail <input type="email" name="mail" required /></label><button>Buy</button>
    </form>
    <form class="card" method="post" action="${root}/g/${good.no}/asks">
      <label>Your name <input name="asker" required maxlength="80" dir="auto" /></label>
      <label>E-mail <input type="email" name="mail" required /></label>
      <label>Question <textarea name="words" required dir="auto"></textarea></label><button>Ask</button>
    </form>
    ${asks}`
  return page(layout({ title: good.name, body, viewer }))
}

const submitBuy = (request: AppRequest): Reply => seeOther(`${root}/pickup/${buy(request, onShelf(request))}`)

function submitAsk(request: AppRequest): Reply {
  const good = onShelf(request)
  askAbout(request, good)
  return seeOther(`${root}/g/${good.no}`)
}

function pickup({ db, params, viewer }: AppRequest): Reply {
  const { name, part } = boughtBy(db, params['key'] ?? '')
  const body = html`<h1 dir="auto">${name}</h1>
    <p>Yours: ${part ? `${part.file} (revision ${part.revision})` : 'all that is in the bundle'}.</p>`
  return page(layout({ title: name, body, viewer }))
}

export const publicPages: readonly Route[] = [
  open('GET /', home),
  open('GET /g/{good}', goodPage),
  open('POST /g/{good}/buy', submitBuy),
  open('POST /g/{good}/asks', submitAsk),
  open('GET /pickup/{key}', pickup),
]
