import { all, number, one, type Row, text } from '../platform/rows.ts'
import { Refusal } from '../platform/types.ts'
import { usDay } from './clock.ts'
import { ownGood } from './goods.ts'
import { readChoice, readSpan } from './lists.ts'
import { dollars, share } from './money.ts'
import type { AtDesk } from './shop.ts'

const buyerKinds = ['everyone', 'new', 'returning'] as const
type Buyers = (typeof buyerKinds)[number]

interface Wish {
  first: string
  last: string
  buyers: Buyers
  /** JSON list of numbers; null for the whole shop. */
  goods: string | null
}

const within = 'account = ?1 AND day BETWEEN ?2 AND ?3 AND (?4 IS NULL OR good IN (SELECT value FROM json_each(?4)))'

/** `fresh`: whether somebody's first item from this shop. */
const fresh: Record<Buyers, string> = { everyone: '', new: 'AND fresh = 1', returning: 'AND fresh = 0' }

const columns: Record<Buyers, [looks: string, carts: string]> = {
  everyone: ['looks_new + looks_back', 'carts_new + carts_back'],
  new: ['looks_new', 'carts_new'],
  returning: ['looks_back', 'carts_back'],
}

function countUp({ db, shop }: AtDesk, { first, last, buyers, goods }: Wish): { sales: Row; traffic: Row } {
  const [looks, carts] = columns[buyers]
  const values = [shop.account, first, last, goods] as const
  const sold = `SELECT count(*) AS sold, coalesce(sum(earned), 0) AS earned, count(DISTINCT mail) AS people
    FROM sold WHERE ${within} ${fresh[buyers]}`
  const seen = `SELECT coalesce(sum(${looks}), 0) AS looks, coalesce(sum(${carts}), 0) AS carted,
    coalesce(sum(wished), 0) AS wished, coalesce(sum(parked), 0) AS parked FROM traffic WHERE ${within}`
  return { sales: one(db, sold, ...values) ?? {}, traffic: one(db, seen, ...values) ?? {} }
}

export const figureNames = ['first', 'last', 'buyers']

export function shopFigures(request: AtDesk): unknown {
  const { query } = request
  const buyers = readChoice(query, 'buyers', buyerKinds)
  const { first, last } = readSpan(query)
  const chosen = query.getAll('good').map((no) => ownGood(request, no).no)
  const goods = chosen.length === 0 ? null : JSON.stringify(chosen)
  const { sales, traffic } = countUp(request, { first, last, buyers, goods })
  const [sold, looks] = [number(sales, 'sold'), number(traffic, 'looks')]
  return {
    first: usDay(first),
    last: usDay(last),
    buyers,
    earned: dollars(number(sales, 'earned')),
    sold,
    carted: number(traffic, 'carted'),
    people: number(sales, 'people'),
    looks,
    rate: share(sold, looks),
  }
}

export function goodFigures(request: AtDesk): unknown {
  const { no } = ownGood(request, request.params['good'] ?? '')
  const { first, last } = readSpan(request.query)
  const { sales, traffic } = countUp(request, { first, last, buyers: 'everyone', goods: JSON.stringify([no]) })
  const [sold, looks] = [number(sales, 'sold'), number(traffic, 'looks')]
  return {
    good: no,
    first: usDay(first),
    last: usDay(last),
    earned: dollars(number(sales, 'earned')),
    sold,
    looks,
    rate: share(sold, looks),
    wished: number(traffic, 'wished'),
    parked: number(traffic, 'parked'),
  }
}

const searchesBegin = '2025-01-01'

/** What buyers searched for when they came, most clicks first. */
export function listSearches(request: AtDesk): unknown {
  const { db, shop, query } = request
  const { first, last } = readSpan(query)
  if (first < searchesBegin) {
    throw new Refusal(400, 'SEARCHES_BEGIN_LATER', `Searches are counted from ${usDay(searchesBegin)} on.`, 'first')
  }
  const wanted = query.get('good')
  const goods = wanted === null ? null : JSON.stringify([ownGood(request, wanted).no])
  const sql = `SELECT words, sum(clicks) AS clicks, sum(bought) AS bought, sum(earned) AS earned FROM searches
    WHERE ${within} GROUP BY words ORDER BY clicks DESC, words`
  const rows = all(db, sql, shop.account, first, last, goods).map((row) => ({
    words: text(row, 'words'),
    clicks: number(row, 'clicks'),
    bought: number(row, 'bought'),
    earned: dollars(number(row, 'earned')),
  }))
  return { first: usDay(first), last: usDay(last), rows }
}
