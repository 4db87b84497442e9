import { maybeNumber, number, run, text, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { day, dayOut, momentOut } from './clock.ts'
import { readBody } from './input.ts'
import { known, readFilter, readPage, type Page } from './paging.ts'
import { idOf, ownerOnly, ownRow } from './tables.ts'

const memberStates = ['running', 'trial', 'ended', 'resting', 'owing', 'late', 'unfinished', 'lapsed'] as const

/** So long somebody whose payment failed keeps access; then we end the plan ourselves. */
const grace = 20 * day

function stateOf(row: Row, now: number): { state: string; ended: number | undefined } {
  const [state, since] = [text(row, 'state'), maybeNumber(row, 'late_since')]
  if (state !== 'late' || since === undefined || since + grace > now) return { state, ended: maybeNumber(row, 'ended') }
  return { state: 'ended', ended: since + grace }
}

export function memberOut(row: Row, now: number) {
  const { state, ended } = stateOf(row, now)
  const since = maybeNumber(row, 'late_since')
  return {
    member_no: idOf('members', number(row, 'serial')),
    member_mail: text(row, 'mail'),
    ware_no: idOf('wares', number(row, 'ware')),
    ware_label: text(row, 'ware_label'),
    plan_label: text(row, 'plan'),
    state,
    began: dayOut(number(row, 'began')),
    may_enter: ['running', 'trial', 'late'].includes(state),
    billed: ['running', 'trial', 'late', 'owing'].includes(state),
    late_since: since === undefined ? null : momentOut(since),
    ended: ended === undefined ? null : momentOut(ended),
  }
}
type MemberOut = ReturnType<typeof memberOut>

export function listMembers(request: SignedIn): Page {
  const { query, viewer, now } = request
  known(query, ['state', 'mail', 'per', 'pageKey'])
  const from = `(SELECT m.*, w.label AS ware_label FROM members m JOIN wares w ON w.serial = m.ware WHERE m.account = ?1)
    WHERE (?2 IS NULL OR lower(mail) = ?2)
    AND (?3 = '' OR ?3 = iif(state = 'late' AND late_since <= ?4, 'ended', state))`
  return readPage(request, 'members', ['state', 'mail'], from, [
    viewer.account.account,
    query.get('mail')?.toLowerCase() ?? null,
    readFilter(query, 'state', memberStates),
    now - grace,
  ])
}

/** Billing stops and access ends, at once. */
export function endMember(request: SignedIn): MemberOut {
  ownerOnly(request)
  const { db, now } = request
  const row = ownRow(request, 'members', request.params['member'])
  readBody(request, [])
  const { state } = stateOf(row, now)
  if (state !== 'running')
    throw new Refusal(409, 'PLAN_NOT_RUNNING', `This plan is ${state}: only a running one is ended.`)
  run(db, `UPDATE members SET state = 'ended', ended = ? WHERE serial = ?`, now, number(row, 'serial'))
  const ware = ownRow(request, 'wares', idOf('wares', number(row, 'ware')))
  request.effect('member.end', { member_no: idOf('members', number(row, 'serial')), member_mail: text(row, 'mail') })
  return memberOut({ ...row, state: 'ended', ended: now, ware_label: text(ware, 'label') }, now)
}
