import { json } from '../platform/replies.ts'
import { data, free } from '../platform/routes.ts'
import type { Reply, Route, SignedIn } from '../platform/types.ts'
import { askFilters, listAsks } from './asks.ts'
import { levels, topics } from './catalog.ts'
import { figureNames, goodFigures, listSearches, shopFigures } from './figures.ts'
import { formats } from './fetching.ts'
import { drawersOf, goodFilters, goodFull, listGoods, ownGood } from './goods.ts'
import { readBody } from './input.ts'
import { known, pageNames } from './lists.ts'
import { listMails } from './mails.ts'
import { listMarkdowns } from './markdowns.ts'
import { listNotes } from './notes.ts'
import { atDesk, findShop, followerCount, type AtDesk } from './shop.ts'
import { listSold, soldFilters } from './sold.ts'
import { changeGood, createGood, termFields } from './terms.ts'

function me({ db, viewer }: SignedIn): Reply {
  const { account, label, person, kind } = viewer.account
  const sells = kind !== 'buyer'
  const own = sells
    ? { zone: findShop(db, account).zone, followers: followerCount(db, account) }
    : { zone: null, followers: 0 }
  return json({ shop_no: account, shop: label, who: person, sells, ...own, hall_pass: viewer.csrf })
}

/** A read that takes these parameters and no others. */
const reads = (
  names: readonly string[],
  answer: (request: AtDesk) => unknown,
  repeated: readonly string[] = [],
): ((request: SignedIn) => Reply) =>
  atDesk((request) => {
    known(request.query, names, repeated)
    return json(answer(request))
  })

const oneGood = (request: AtDesk): unknown => ({
  good: goodFull(request, ownGood(request, request.params['good'] ?? '')),
})

function newGood(request: AtDesk): Reply {
  const good = createGood(request, readBody(request, [...termFields, 'drawer', 'shelf', 'link']))
  return json({ good: goodFull(request, good) }, 201)
}

function change(request: AtDesk): Reply {
  const good = ownGood(request, request.params['good'] ?? '')
  return json({ good: goodFull(request, changeGood(request, good, readBody(request, termFields))) })
}

export const dashRoutes: readonly Route[] = [
  free('GET /dash/me', me),
  free(
    'GET /dash/lists',
    atDesk((request) => json({ levels, topics, made_as: formats, drawers: drawersOf(request) })),
  ),
  data('GET /dash/goods', reads([...goodFilters, ...pageNames], listGoods)),
  data('POST /dash/goods', atDesk(newGood)),
  data('GET /dash/goods/{good}', reads([], oneGood)),
  data('PATCH /dash/goods/{good}', atDesk(change)),
  data('GET /dash/goods/{good}/figures', reads(['first', 'last'], goodFigures)),
  data('GET /dash/figures', reads(figureNames, shopFigures, ['good'])),
  data('GET /dash/sold', reads([...soldFilters, ...pageNames], listSold)),
  data('GET /dash/searches', reads(['first', 'last', 'good'], listSearches)),
  data('GET /dash/asks', reads([...askFilters, ...pageNames], listAsks)),
  data('GET /dash/markdowns', reads(pageNames, listMarkdowns)),
  data('GET /dash/notes', reads(pageNames, listNotes)),
  data('GET /dash/mailbox', reads(['batch', ...pageNames], listMails)),
]
