import { maybeText, number, one, run, text, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { dayText } from './clock.ts'
import { needText, queryChoice, queryDay, readForm } from './input.ts'
import { listed, type Page } from './paging.ts'
import { idOf, linkTo, needBusiness, nextSerial, ownBranch, ownSerial, resource, type Resource } from './things.ts'

const joined = 'SELECT r.*, g.full AS guest_name FROM reviews r JOIN guests g ON g.serial = r.guest'

export function reviewShown(row: Row): Resource {
  const attributes = {
    guest: text(row, 'guest_name'),
    stars: number(row, 'stars'),
    words: text(row, 'words'),
    day: dayText(number(row, 'day')),
    answer: maybeText(row, 'answer') ?? null,
  }
  return resource('reviews', number(row, 'serial'), attributes, {
    guest: linkTo('guests', number(row, 'guest')),
    branch: linkTo('branches', number(row, 'branch')),
  })
}

export function ownReview(request: SignedIn, id: unknown): Row {
  needBusiness(request)
  return one(request.db, `${joined} WHERE r.serial = ?`, ownSerial(request, 'reviews', id)) ?? {}
}

/** Newest first; `answered` is the counter at which the answer came. */
export function listReviews(request: SignedIn): Page {
  needBusiness(request)
  const { query } = request
  return listed(request, 'reviews', ['branch', 'since', 'unanswered'], () => ({
    sql: `${joined} WHERE r.branch = :branch AND r.serial <= :mark AND (:since IS NULL OR r.day >= :since)
      AND (:wanted IS NULL OR (r.answered IS NULL OR r.answered > :mark) = :wanted)`,
    order: 'r.day DESC, r.serial DESC',
    values: {
      branch: number(ownBranch(request, query.get('branch')), 'serial'),
      since: queryDay(query, 'since') ?? null,
      wanted: { yes: 1, no: 0, all: null }[queryChoice(query, 'unanswered', ['yes', 'no']) ?? 'all'],
    },
    show: reviewShown,
    most: 1000,
  }))
}

/** For everybody to read, once. */
export function answerReview(request: SignedIn): string {
  const review = ownReview(request, request.params['id'])
  const words = needText(readForm(request.form, ['words']), 'words', 1000)
  if (maybeText(review, 'answer') !== undefined) {
    throw new Refusal(409, 'ALREADY_ANSWERED', 'This review has its answer already.')
  }
  const serial = number(review, 'serial')
  run(request.db, 'UPDATE reviews SET answer = ?, answered = ? WHERE serial = ?', words, nextSerial(request), serial)
  request.effect('review.answered', { review: idOf('reviews', serial), words })
  return idOf('reviews', serial)
}
