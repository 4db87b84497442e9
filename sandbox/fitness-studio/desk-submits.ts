import { seeOther } from '../platform/replies.ts'
import { submit } from '../platform/routes.ts'
import type { Reply, Route, SignedIn } from '../platform/types.ts'
import { join } from './clients.ts'
import { formFields } from './input.ts'
import { root } from './layout.ts'
import { blast } from './notices.ts'
import { end, hold, swap } from './pass-changes.ts'
import { arrive, book, callOff, queue, strike, type Outcome } from './roster.ts'

const toSlot = ({ params }: SignedIn, done: URLSearchParams): Reply =>
  seeOther(`${root}/staff/desk/slots/${params['slot']}?${done.toString()}`)

const onSlot = (act: (request: SignedIn) => Outcome) => (request: SignedIn) =>
  toSlot(request, new URLSearchParams(act(request)))

const onPass = (act: (request: SignedIn) => Outcome) => (request: SignedIn) => {
  const done = new URLSearchParams(act(request))
  return seeOther(`${root}/staff/desk/clients/${request.params['cid']}?${done.toString()}`)
}

function calledOff(request: SignedIn): Reply {
  const { slots, told } = callOff(request)
  const done = new URLSearchParams({ done: 'call-off', told: String(told) })
  for (const slot of slots) done.append('slot', slot)
  return toSlot(request, done)
}

function blasted(request: SignedIn): Reply {
  const { via, sent, skipped } = blast(request, formFields(request.form, 'Via', 'Subject', 'Words'))
  const counts = { done: 'blast', via, sent: String(sent), skipped: String(skipped.length) }
  return toSlot(request, new URLSearchParams(counts))
}

export const deskSubmits: readonly Route[] = [
  submit('POST /staff/desk/slots/{slot}/book', onSlot(book)),
  submit('POST /staff/desk/slots/{slot}/queue', onSlot(queue)),
  submit('POST /staff/desk/slots/{slot}/arrive', onSlot(arrive)),
  submit('POST /staff/desk/slots/{slot}/strike', onSlot(strike)),
  submit('POST /staff/desk/slots/{slot}/call-off', calledOff),
  submit('POST /staff/desk/slots/{slot}/blast', blasted),
  submit('POST /staff/desk/clients', (request) =>
    seeOther(`${root}/staff/desk/clients/C${join(request).serial}?done=join`),
  ),
  submit('POST /staff/desk/clients/{cid}/passes/{pid}/swap', onPass(swap)),
  submit('POST /staff/desk/clients/{cid}/passes/{pid}/hold', onPass(hold)),
  submit('POST /staff/desk/clients/{cid}/passes/{pid}/end', onPass(end)),
]
