import { all, maybeText, number, one, run, text, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { writeAbout } from './chats.ts'
import { dayIn } from './clock.ts'
import { need, ownHost, serialIn } from './host.ts'
import { invalid, readText, type Fields } from './input.ts'
import { sendMail } from './mails.ts'
import { ownStay } from './stays.ts'

/** What a camper said after a stay, for all to read. */
export interface Review {
  serial: number
  stay: number
  land: number
  landTitle: string
  first: string
  last: string
  up: boolean
  words: string
  at: number
  reply: string | null
}

export const repliedChoices = ['ANY', 'NO', 'YES'] as const
const ways = ['public', 'private'] as const

const select = `SELECT r.*, s.first, s.last, p.land, l.title FROM reviews r JOIN stays s ON s.serial = r.stay
  JOIN pitches p ON p.serial = s.pitch JOIN lands l ON l.serial = p.land`

const toReview = (row: Row): Review => ({
  serial: number(row, 'serial'),
  stay: number(row, 'stay'),
  land: number(row, 'land'),
  landTitle: text(row, 'title'),
  first: text(row, 'first'),
  last: text(row, 'last'),
  up: number(row, 'up') === 1,
  words: text(row, 'words'),
  at: number(row, 'at'),
  reply: maybeText(row, 'reply') ?? null,
})

/** Newest first; `since` is a day on the host's clocks. */
export function listReviews(
  request: SignedIn,
  land: number,
  since: number,
  replied: (typeof repliedChoices)[number],
): Review[] {
  const { db, viewer } = request
  const { zone } = ownHost(request)
  const sql = `${select} WHERE r.account = ?1 AND (?2 = 0 OR p.land = ?2)
    AND (?3 = 'ANY' OR (r.reply IS NOT NULL) = (?3 = 'YES')) ORDER BY r.at DESC, r.serial DESC`
  return all(db, sql, viewer.account.account, land, replied)
    .map(toReview)
    .filter(({ at }) => dayIn(zone, at) >= since)
}

export function ownReview({ db, viewer, params }: SignedIn, id = params['review']): Review {
  const row = one(db, `${select} WHERE r.serial = ? AND r.account = ?`, serialIn('R', id), viewer.account.account)
  if (!row) throw new Refusal(404, 'REVIEW_NOT_FOUND', 'None of your reviews has this id.', 'review')
  return toReview(row)
}

/** Below the review for all to read, once; or as often as one likes into the chat with the camper, whose number it answers. */
export function answerReview(
  request: SignedIn,
  fields: Fields,
): { review: Review; way: (typeof ways)[number]; chat: number | undefined } {
  need(request, 'reviews')
  const { db, viewer, now } = request
  const review = ownReview(request)
  const words = readText(fields['words'], 'words', 2000)
  const way = ways.find((one) => one === fields['way'])
  if (!way) throw invalid('WAY_INVALID', `way must be ${ways.join(' or ')}.`, 'way')
  if (way === 'public' && review.reply !== null) {
    throw new Refusal(409, 'ALREADY_REPLIED', 'You have replied to this review already.', 'review')
  }
  const stay = ownStay(request, `S${review.stay}`)
  if (way === 'public') run(db, 'UPDATE reviews SET reply = ? WHERE serial = ?', words, review.serial)
  const chat = way === 'public' ? undefined : writeAbout(request, stay, words).chat
  const subject = `${viewer.account.label} answered your review${way === 'private' ? ' in private' : ''}`
  sendMail(db, viewer.account.account, { recipient: stay.mail, subject, words, at: now })
  request.effect(`review.${way}`, { review: `R${review.serial}`, words })
  return { review, way, chat }
}
