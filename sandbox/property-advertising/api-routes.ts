import { isRecord } from '../platform/body.ts'
import { json } from '../platform/replies.ts'
import { data, free } from '../platform/routes.ts'
import { Refusal, type Reply, type Route, type SignedIn } from '../platform/types.ts'
import { editAd, note, ownAd, ownThread, share } from './actions.ts'
import { findAd, listAds } from './ads.ts'
import { readChange } from './edit.ts'
import { boxes, deals, phases, refOf, serialOf } from './entities.ts'
import { figuresOf } from './figures.ts'
import { cut, readChoice, readPage } from './paging.ts'
import { linesOf, listThreads, memosOf, type Place } from './threads.ts'
import { listWanted } from './wanted.ts'
import { adFull, adRow, lineOut, memoOut, threadFull, threadRow, wantedRow } from './wire.ts'

function session({ viewer }: SignedIn): Reply {
  const { account, kind, label, person } = viewer.account
  return json({ token: viewer.csrf, advertiser: { no: account, kind, trade_name: label, person } })
}

function ads({ db, viewer, query, base }: SignedIn): Reply {
  const wish = readPage(query, serialOf)
  const filter = { phases: readChoice(query, 'phase', phases), deals: readChoice(query, 'deal', deals) }
  const found = listAds(db, viewer.account.account, filter, wish)
  const { rows, last } = cut(found.ads, wish.size)
  return json({
    page: wish.page,
    per_page: wish.size,
    total: found.total,
    ads: rows.map((ad) => adRow(ad, base)),
    next_before: last ? refOf(last.serial) : null,
  })
}

function parsePlace(text: string): Place | undefined {
  const [, asOf, position] = /^(\d{1,15})~(\d{1,15})$/.exec(text) ?? []
  return asOf === undefined || position === undefined ? undefined : { asOf: Number(asOf), position: Number(position) }
}

function readSince(query: URLSearchParams): number {
  const since = query.get('since')
  if (since === null) return 0
  if (!/^-?\d{1,12}$/.test(since))
    throw new Refusal(400, 'PARAMETER_INVALID', 'since is a time in Unix seconds.', 'since')
  return Number(since)
}

function threads({ db, viewer, query }: SignedIn): Reply {
  const wish = readPage(query, parsePlace)
  const { account } = viewer.account
  const about = query.get('ad')
  const ad = about === null ? undefined : findAd(db, account, about).serial
  const found = listThreads(db, account, { boxes: readChoice(query, 'box', boxes), ad, since: readSince(query) }, wish)
  const { rows, last } = cut(found.rows, wish.size)
  return json({
    page: wish.page,
    per_page: wish.size,
    total: found.total,
    threads: rows.map(threadRow),
    next_before: last ? `${last.place.asOf}~${last.place.position}` : null,
  })
}

function wanted({ db, viewer, query }: SignedIn): Reply {
  const wish = readPage(query, (text) => (/^W-\d{1,12}$/.test(text) ? Number(text.slice(2)) : undefined))
  const found = listWanted(db, viewer.account, wish, readChoice(query, 'deal', deals))
  const { rows, last } = cut(found.wanted, wish.size)
  return json({
    page: wish.page,
    per_page: wish.size,
    total: found.total,
    wanted: rows.map(wantedRow),
    next_before: last ? `W-${last.id}` : null,
  })
}

function thread(request: SignedIn): Reply {
  const found = ownThread(request)
  return json(threadFull(found, linesOf(request.db, found.id), memosOf(request.db, found.id)))
}

export const apiRoutes: readonly Route[] = [
  free('GET /api/session', session),
  data('GET /api/ads', ads),
  data('GET /api/ads/{ref}', (request) => json(adFull(ownAd(request), request.base))),
  data('PATCH /api/ads/{ref}', (request) => json(adFull(editAd(request, readChange(request.json)), request.base))),
  data('GET /api/ads/{ref}/figures', (request) =>
    json(figuresOf(request.db, ownAd(request), request.query.get('span') ?? 'month', request.day, request.now)),
  ),
  data('GET /api/threads', threads),
  data('GET /api/threads/{thread}', thread),
  data('POST /api/threads/{thread}/share', (request) =>
    json(lineOut(share(request, request.json), ownThread(request).id), 201),
  ),
  data('POST /api/threads/{thread}/memos', (request) =>
    json(memoOut(note(request, isRecord(request.json) ? request.json['text'] : undefined), ownThread(request).id), 201),
  ),
  data('GET /api/wanted', wanted),
]
