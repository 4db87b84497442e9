import { run } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { writeAbout } from './chats.ts'
import { isoDay } from './clock.ts'
import { need } from './host.ts'
import { readText, type Fields } from './input.ts'
import { sendMail } from './mails.ts'
import { shown } from './money.ts'
import { nightsOf } from './nights.ts'
import { ownStay, totalOf, type Stay } from './stays.ts'

/** The ask that is decided now; one that is not open any more cannot be. */
function openAsk(request: SignedIn): Stay {
  need(request, 'asks')
  const stay = ownStay(request)
  if (stay.state === 'LAPSED') throw new Refusal(409, 'ASK_LAPSED', 'This ask went 24 hours without an answer.', 'stay')
  if (stay.state !== 'ASKED') throw new Refusal(409, 'ASK_ANSWERED', `This is ${stay.state}, no open ask.`, 'stay')
  return stay
}

function settle(request: SignedIn, stay: Stay, verdict: 'BOOKED' | 'DECLINED', fields: Fields, news: string): Stay {
  const { db, viewer, now } = request
  const words = fields['words'] === undefined ? undefined : readText(fields['words'], 'words', 1000)
  run(db, 'UPDATE stays SET verdict = ? WHERE serial = ?', verdict, stay.serial)
  if (words !== undefined) writeAbout(request, stay, words)
  const subject = `${stay.landTitle}, ${isoDay(stay.come)} to ${isoDay(stay.leave)}`
  const mail = words === undefined ? news : `${news}\n\n${words}`
  sendMail(db, viewer.account.account, { recipient: stay.mail, subject, words: mail, at: now })
  request.effect(verdict === 'BOOKED' ? 'ask.yes' : 'ask.no', {
    stay: `S${stay.serial}`,
    charged: verdict === 'BOOKED' ? totalOf(stay) : 0,
    ...(words !== undefined && { words }),
  })
  return ownStay(request)
}

/** The camper has the pitch, is charged and told. */
export function sayYes(request: SignedIn, fields: Fields): Stay {
  const stay = openAsk(request)
  const span = { first: stay.come, last: stay.leave - 1 }
  const taken = nightsOf(request.db, { serial: stay.pitch, base: stay.nightly }, span).find(({ st }) => st !== 'FREE')
  if (taken) throw new Refusal(409, 'NIGHTS_NOT_FREE', `${isoDay(taken.d)} is ${taken.st} by now.`, 'stay')
  const news = `You are welcome! Your card was charged ${shown(totalOf(stay), stay.cur)}.`
  return settle(request, stay, 'BOOKED', fields, news)
}

/** The camper is told, and not charged. */
export const sayNo = (request: SignedIn, fields: Fields): Stay =>
  settle(
    request,
    openAsk(request),
    'DECLINED',
    fields,
    'The host cannot have you this time. Your card was not charged.',
  )
