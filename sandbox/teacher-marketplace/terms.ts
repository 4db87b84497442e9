import { run } from '../platform/rows.ts'
import { Refusal } from '../platform/types.ts'
import { levels, topics } from './catalog.ts'
import { fetchFile } from './fetching.ts'
import { insertGood, ownGood, putOnShelf, shelves, type Good, type Terms } from './goods.ts'
import { invalid, readDollars, readForm, readLine, readMany, readOption, readText, readWords } from './input.ts'
import { nextNo, today, type AtDesk } from './shop.ts'

export const termFields = ['name', 'about', 'cost', 'more_cost', 'levels', 'topics', 'labels']

/** What is not sent stays as it was. */
function readTerms(sent: Record<string, unknown>, before?: Terms): Terms {
  const many = (name: 'levels' | 'topics' | 'labels', limit: number, allowed?: readonly string[]): string[] =>
    sent[name] === undefined ? (before?.[name] ?? []) : readMany(sent[name], name, limit, allowed)
  const cost = before && sent['cost'] === undefined ? before.cost : readDollars(sent['cost'], 'cost')
  const moreCost =
    sent['more_cost'] === undefined ? (before?.moreCost ?? cost) : readDollars(sent['more_cost'], 'more_cost')
  const name =
    before && sent['name'] === undefined ? before.name : readWords(readLine(sent['name'], 'name', 120), 'name', 120)
  const about = before && sent['about'] === undefined ? before.about : readText(sent['about'], 'about', 10_000)
  const lists = { levels: many('levels', 6, levels), topics: many('topics', 3, topics), labels: many('labels', 8) }
  if (moreCost > cost) {
    throw invalid('MORE_COST_TOO_HIGH', 'A further licence may not cost more than the first one.', 'more_cost')
  }
  return { name, about, cost, moreCost, ...lists }
}

/** A download from a file; hidden unless said. */
export function createGood(request: AtDesk, sent: Record<string, unknown>): Good {
  const { db, shop } = request
  const terms = readTerms(sent)
  const drawer = readLine(sent['drawer'], 'drawer', 60)
  const shelf = readOption(sent['shelf'] === undefined ? 'hidden' : sent['shelf'], 'shelf', shelves)
  const { file, format, kb } = fetchFile(sent['link'], 'link')
  const day = today(request)
  const no = nextNo(db, shop.account)
  const part = { file, kb, revision: 1, day }
  const own = { no, account: shop.account, sort: 'download', shelf, drawer, madeAs: [format], listed: day, part }
  const good: Good = { ...terms, ...own }
  insertGood(db, good)
  putOnShelf(db, nextNo(db, shop.account), no, shelf)
  request.effect('good.create', { no, ...terms, drawer, shelf, link: sent['link'], file })
  return good
}

export function changeGood(request: AtDesk, good: Good, sent: Record<string, unknown>): Good {
  if (Object.keys(sent).length === 0) throw invalid('NOTHING_TO_CHANGE', 'Say what is to change.', 'name')
  const terms = readTerms(sent, good)
  const lists = [terms.levels, terms.topics, terms.labels].map((list) => JSON.stringify(list))
  const sql =
    'UPDATE goods SET name = ?, about = ?, cost = ?, more_cost = ?, levels = ?, topics = ?, labels = ? WHERE no = ?'
  run(request.db, sql, terms.name, terms.about, terms.cost, terms.moreCost, ...lists, good.no)
  request.effect('good.change', { no: good.no, ...sent })
  return { ...good, ...terms }
}

/** hidden → live: buyers see it at once. live → hidden: who bought it keeps it. */
export function setShelf(request: AtDesk, given: string): { no: number; shelf: string } {
  const { db, shop } = request
  const { no, shelf: before } = ownGood(request, given)
  const shelf = readOption(readForm(request, ['shelf'])['shelf'], 'shelf', shelves)
  if (shelf === before) throw new Refusal(409, 'SHELF_SAME', `This good is ${shelf} already.`, 'shelf')
  putOnShelf(db, nextNo(db, shop.account), no, shelf)
  request.effect('good.shelf', { no, shelf })
  return { no, shelf }
}
