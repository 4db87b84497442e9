import { all, maybeText, number, one, run, text, type Row } from '../platform/rows.ts'
import type { SignedIn } from '../platform/types.ts'
import { wallText } from './clock.ts'
import { needText, queryChoice, readAttributes, readFlag } from './input.ts'
import { listed, type Page } from './paging.ts'
import { idOf, linkTo, mainZone, needBusiness, nextSerial, ownSerial, resource, type Resource } from './things.ts'

/** Talks with their latest line as of `:mark`. */
const joined = `SELECT k.serial, k.guest, g.full AS guest_name, l.words, l.at, l.serial AS latest,
  l.side = 'guest' AND l.seen = 0 AS fresh FROM talks k JOIN guests g ON g.serial = k.guest
  JOIN lines l ON l.serial = (SELECT max(serial) FROM lines WHERE talk = k.serial AND serial <= :mark)`

function talkShown(row: Row, zone: string): Resource {
  const attributes = {
    guest: text(row, 'guest_name'),
    fresh: number(row, 'fresh') === 1,
    latest: text(row, 'words'),
    touched: wallText(number(row, 'at'), zone),
    zone,
  }
  return resource('talks', number(row, 'serial'), attributes, { guest: linkTo('guests', number(row, 'guest')) })
}

/** The last touched first. */
export function listTalks(request: SignedIn): Page {
  needBusiness(request)
  return listed(request, 'talks', ['fresh'], () => {
    const fresh = queryChoice(request.query, 'fresh', ['yes', 'no'])
    const zone = mainZone(request)
    return {
      sql: `${joined} WHERE k.account = :account AND (:fresh IS NULL OR fresh = :fresh)`,
      order: 'l.at DESC, latest DESC',
      values: {
        account: request.viewer.account.account,
        fresh: fresh === undefined ? null : Number(fresh === 'yes'),
      },
      show: (row) => talkShown(row, zone),
    }
  })
}

const lineShown = (row: Row, zone: string) => ({
  id: idOf('lines', number(row, 'serial')),
  by: text(row, 'side'),
  words: text(row, 'words'),
  book_at: maybeText(row, 'link') ?? null,
  at: wallText(number(row, 'at'), zone),
})

/** With all its lines, oldest first. */
export function ownTalk(request: SignedIn, id: unknown): Resource {
  needBusiness(request)
  const { db } = request
  const serial = ownSerial(request, 'talks', id)
  const zone = mainZone(request)
  const row = db.prepare(`${joined} WHERE k.serial = :serial`).get({ serial, mark: Number.MAX_SAFE_INTEGER }) ?? {}
  const lines = all(db, 'SELECT * FROM lines WHERE talk = ? ORDER BY serial', serial)
  const shown = talkShown(row, zone)
  return { ...shown, attributes: { ...shown.attributes, lines: lines.map((line) => lineShown(line, zone)) } }
}

export function addLine(request: SignedIn): Resource {
  needBusiness(request)
  const { db, viewer, base, now } = request
  const { account } = viewer.account
  const talk = ownSerial(request, 'talks', request.params['id'])
  const fields = readAttributes(request.json, 'lines', ['words', 'with_booking'])
  const words = needText(fields, 'words', 2000)
  const key = text(one(db, 'SELECT book_key FROM businesses WHERE account = ?', account) ?? {}, 'book_key')
  const link = readFlag(fields, 'with_booking') ? `${base}/book/${key}` : null
  const serial = nextSerial(request)
  run(db, 'INSERT INTO lines VALUES (?, ?, ?, ?, ?, ?, 1, ?)', serial, account, talk, 'shop', words, link, now)
  request.effect('talk.answered', { talk: idOf('talks', talk), words, with_booking: link !== null })
  const line = one(db, 'SELECT * FROM lines WHERE serial = ?', serial) ?? {}
  const zone = mainZone(request)
  const { id, ...attributes } = lineShown(line, zone)
  return { type: 'lines', id, attributes: { ...attributes, zone }, links: { talk: linkTo('talks', talk) } }
}
