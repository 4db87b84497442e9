import { count, number, one, text, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { needArea, placeOf } from './areas.ts'
import { criteriaOut, criteriaTexts, criteriaWholes, readCriteria, storedCriteria } from './criteria.ts'
import { slashDay } from './formats.ts'
import { needChoice, needLine, readForm } from './input.ts'
import { readPage, type Page } from './paging.ts'
import { idOf, insertAll, nextSerial, ownDesk, ownRow } from './tables.ts'

export const rhythms = ['day', 'week', 'month'] as const

export const alertNames = ['alert', 'place', 'crit', 'every', 'made', 'mails'] as const
type AlertOut = ReturnType<typeof alertOut>

function alertOut({ db }: SignedIn, row: Row) {
  const serial = number(row, 'serial')
  const area = one(db, 'SELECT * FROM areas WHERE serial = ?', number(row, 'area')) ?? {}
  const tier = text(area, 'tier') === 'city' ? ('city' as const) : ('hood' as const)
  return {
    alert: idOf('alerts', serial),
    place: placeOf({ tier, name: text(area, 'name'), cityName: text(area, 'city_name'), st: text(area, 'st') }),
    crit: criteriaOut(storedCriteria(text(row, 'crit'))),
    every: text(row, 'every'),
    made: slashDay(number(row, 'made')),
    mails: count(db, 'mails WHERE account = ? AND alert = ?', text(row, 'account'), serial),
  }
}

/** Newest first. */
export const listAlerts = (request: SignedIn): Page<AlertOut> =>
  readPage(
    request,
    'alerts',
    [],
    () => ({ from: 'alerts WHERE account = ?1 AND serial <= ?2' }),
    (row) => alertOut(request, row),
  )

export const ownAlert = (request: SignedIn): AlertOut =>
  alertOut(request, ownRow(request, 'alerts', request.params['alert']))

/** Only what is listed from now on is mailed. Answers its id, and the full name of its place. */
export function createAlert(request: SignedIn): { alert: string; place: string } {
  const { db, form, viewer, now } = request
  const { account } = viewer.account
  const fields = readForm(form, { texts: ['where', 'every', ...criteriaTexts], wholes: criteriaWholes })
  const area = needArea(request, needLine(fields, 'where', 200), 'where')
  const every = needChoice(fields, 'every', rhythms)
  const criteria = readCriteria(fields)
  const crit = JSON.stringify(criteria)
  const same = 'alerts WHERE account = ? AND area = ? AND crit = ? AND every = ?'
  if (count(db, same, account, area.serial, crit, every) > 0) {
    throw new Refusal(409, 'ALERT_EXISTS', 'You have this very alert already.')
  }
  const serial = nextSerial(request)
  const begun = ownDesk(request).feedDay
  insertAll(db, 'alerts', [{ serial, account, area: area.serial, crit, every, made: now, begun, seen: serial }])
  const alert = idOf('alerts', serial)
  const place = placeOf(area)
  request.effect('alert.create', { alert, place, every, crit: criteriaOut(criteria) })
  return { alert, place }
}

export const mailNames = ['mail', 'alert', 'to', 'subject', 'words', 'sent'] as const
type MailOut = ReturnType<typeof mailOut>

const mailOut = (row: Row) => ({
  mail: idOf('mails', number(row, 'serial')),
  alert: idOf('alerts', number(row, 'alert')),
  to: text(row, 'recipient'),
  subject: text(row, 'subject'),
  words: text(row, 'words'),
  sent: slashDay(number(row, 'sent')),
})

/** The e-mail that alerts have sent, newest first. */
export const listMails = (request: SignedIn): Page<MailOut> =>
  readPage(
    request,
    'mails',
    ['alert'],
    ({ alert }) => ({
      from: 'mails WHERE account = ?1 AND serial <= ?2 AND (?3 IS NULL OR alert = ?3)',
      values: [alert === undefined ? null : number(ownRow(request, 'alerts', alert, 'alert'), 'serial')],
    }),
    mailOut,
  )
