import { isRecord } from '../platform/body.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { changeAd, findAd, movePhase, type AdChange } from './ads.ts'
import { refOf, type Ad, type Line, type Memo, type Thread } from './entities.ts'
import { addLine, addMemo, findThread, setBox } from './threads.ts'

/** What a signed-in advertiser does: pages and JSON routes share it, so that both doors obey the same rules. */

export const ownAd = ({ db, viewer, params }: SignedIn): Ad => findAd(db, viewer.account.account, params['ref'] ?? '')

export const ownThread = ({ db, viewer, params }: SignedIn): Thread =>
  findThread(db, viewer.account.account, params['thread'] ?? '')

export function editAd(request: SignedIn, change: AdChange): Ad {
  const ad = changeAd(request.db, ownAd(request), change, request.now)
  request.effect('ad.edit', { ref: refOf(ad.serial), ...change })
  return ad
}

export function switchAd(request: SignedIn, phase: 'online' | 'offline'): Ad {
  const ad = movePhase(request.db, ownAd(request), phase, request.now)
  request.effect(`ad.${phase}`, { ref: refOf(ad.serial) })
  return ad
}

/** The text as sent, but for line ends as forms send them. */
export function words(value: unknown, limit: number): string {
  if (typeof value !== 'string' || value.trim() === '')
    throw new Refusal(422, 'TEXT_REQUIRED', 'Write something first.', 'text')
  const text = value.replaceAll('\r\n', '\n')
  if (Array.from(text).length > limit)
    throw new Refusal(422, 'TEXT_TOO_LONG', `The text may have ${limit} characters at most.`, 'text')
  return text
}

export function reply(request: SignedIn, value: unknown): Line {
  const thread = ownThread(request)
  const author = request.viewer.account.person
  const line = addLine(request.db, thread, { dir: 'out', author, text: words(value, 2000), ads: [], at: request.now })
  request.effect('thread.reply', { thread: thread.id, line: line.id, text: line.text })
  return line
}

function sharedAds(request: SignedIn, thread: Thread, refs: unknown): Ad[] {
  if (!Array.isArray(refs) || refs.length === 0 || refs.some((ref) => typeof ref !== 'string')) {
    throw new Refusal(422, 'REFS_REQUIRED', 'Choose at least one of your ads.', 'refs')
  }
  if (refs.length > 10) throw new Refusal(422, 'TOO_MANY_REFS', 'Share 10 ads at most at a time.', 'refs')
  if (new Set(refs).size < refs.length) throw new Refusal(422, 'REF_TWICE', 'An ad is chosen twice.', 'refs')
  return refs.map((ref) => {
    const ad = findAd(request.db, request.viewer.account.account, String(ref))
    if (ad.serial === thread.ad) {
      throw new Refusal(422, 'AD_SAME_AS_THREAD', `The conversation is about ${refOf(ad.serial)} already.`, 'refs')
    }
    if (ad.phase !== 'online') throw new Refusal(409, 'AD_NOT_ONLINE', `${refOf(ad.serial)} is not online.`, 'refs')
    return ad
  })
}

/** Sends cards of other ads into the conversation, with a few words or none. */
export function share(request: SignedIn, input: unknown): Line {
  if (!isRecord(input)) throw new Refusal(400, 'BODY_INVALID', 'The body must be a JSON object.')
  const thread = ownThread(request)
  const ads = sharedAds(request, thread, input['refs']).map((ad) => ad.serial)
  const text = input['text'] === undefined || input['text'] === '' ? '' : words(input['text'], 2000)
  const author = request.viewer.account.person
  const line = addLine(request.db, thread, { dir: 'out', author, text, ads, at: request.now })
  request.effect('thread.share', { thread: thread.id, line: line.id, refs: ads.map(refOf), text })
  return line
}

export function file(request: SignedIn, box: 'done' | 'shelved'): Thread {
  const thread = ownThread(request)
  setBox(request.db, thread, box)
  request.effect(box === 'done' ? 'thread.done' : 'thread.shelve', { thread: thread.id, box })
  return { ...thread, box, fresh: 0 }
}

/** Somebody looked at it: only what was fresh changes. */
export function markRead(request: SignedIn): Thread {
  const thread = ownThread(request)
  if (thread.box !== 'fresh')
    throw new Refusal(409, 'THREAD_NOT_FRESH', 'There is nothing unread in this conversation.')
  setBox(request.db, thread, 'open')
  request.effect('thread.read', { thread: thread.id })
  return { ...thread, box: 'open', fresh: 0 }
}

export function note(request: SignedIn, value: unknown): Memo {
  const thread = ownThread(request)
  const author = request.viewer.account.person
  const memo = addMemo(request.db, thread, { author, text: words(value, 1000), at: request.now })
  request.effect('thread.memo', { thread: thread.id, memo: memo.id, text: memo.text })
  return memo
}
