import { Type } from 'typebox'
import { codec } from '../kit/codec.ts'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { NullableText, closed, day, defaulted, described, moment, oneOf, refTo } from '../kit/inputs.ts'
import { ledTo } from '../kit/location.ts'
import { plain } from '../kit/same-thing.ts'
import { UnknownShape, number, rows, text, textOrNull } from '../kit/wire.ts'
import { inZone } from '../kit/zones.ts'
import { headerChit } from './chit.ts'
import { roster, when } from './previews.ts'
import {
  ClassId,
  ClassName,
  Mark,
  MemberName,
  OutMemberId,
  fromMonthFirst,
  marks,
  resultOf,
  toMonthFirst,
} from './shared.ts'

/** Converts `12/31/2026` and `6:30 PM`, local time in `zone`, into a timestamp with its offset. */
function startOf(day: unknown, hour: unknown, zone: unknown): string {
  const [, written, minutes, half] = /^(1[0-2]|[1-9]):([0-5]\d) ([AP]M)$/.exec(text(hour)) ?? []
  if (written === undefined) throw new UnknownShape('not an hour as 6:30 PM')
  const hours = (Number(written) % 12) + (half === 'PM' ? 12 : 0)
  return inZone(`${fromMonthFirst(day)}T${String(hours).padStart(2, '0')}:${minutes}:00`, text(zone))
}

export const list_classes = endpoint({
  summary: 'List the classes of one day or several in order of start; cancelled ones are not in it.',
  aliases: [
    'class schedule',
    'timetable',
    'which classes are today',
    'when is spinning',
    'what classes are on',
    'what can people do tonight',
    'when is pilates',
  ],
  label: 'List classes',
  brief: ['from', 'to'],
  access: 'read',
  request: 'GET /staff/svc/slots',
  input: {
    from: labelled('First day', day("The first day, on the studio's clocks.")),
    to: labelled('Last day', Type.Optional(day('The last day, included; the same as from when left out.'))),
  },
  output: {
    classes: Type.Array(
      closed({
        class_id: refTo(
          'class',
          'Pass it to get_class_roster, cancel_class, message_class_registrants or the reservation endpoints.',
        ),
        name: ClassName,
        starts_at: labelled(
          'Starts at',
          described(moment, "When it begins, with the offset of the studio's time zone."),
        ),
        coach: labelled('Coach', described(NullableText, 'null when it is not known yet.')),
        reserved: labelled('Reserved', Type.Integer({ description: 'Spots taken: reserved, checked in or no show.' })),
        waitlist: labelled('Waiting', Type.Integer({ description: 'How many wait for a spot.' })),
      }),
      { description: 'Empty when no class is held on these days.' },
    ),
  },
  encode: ({ from, to }) => ({ query: { From: toMonthFirst(from), To: toMonthFirst(to) } }),
  decode: (answer) => {
    const { Tz, Slots } = resultOf(answer)
    return {
      classes: rows(Slots).map(({ Slot, Title, Day, Hour, Led, Booked, Waiting }) => ({
        class_id: Slot,
        name: Title,
        starts_at: startOf(Day, Hour, Tz),
        coach: textOrNull(Led),
        reserved: Booked,
        waitlist: Waiting,
      })),
    }
  },
})

export const get_class_roster = endpoint({
  summary: 'Read who is on the roster of a class and with which status, in the order in which they came onto it.',
  aliases: [
    'who is in the class',
    'who signed up for yoga',
    'how many booked the class',
    'attendance list',
    'who is on the waitlist of a class',
    'who comes to the class tonight',
    'how full is the class',
    'is there room in spin',
  ],
  label: 'Read a class roster',
  brief: ['class_id'],
  access: 'read',
  request: 'GET /staff/svc/slots/{class_id}',
  input: { class_id: ClassId },
  output: {
    class_id: refTo('class', 'The class whose roster this is.'),
    name: ClassName,
    members: labelled(
      'On the roster',
      Type.Array(closed({ member_id: OutMemberId, name: MemberName, status: Mark }), {
        description: 'In the order in which they came onto the roster; empty when nobody is on it.',
      }),
    ),
  },
  decode: (answer) => {
    const { Slot, Title, Roster } = resultOf(answer)
    return {
      class_id: Slot,
      name: Title,
      members: rows(Roster).map(({ Cid, Full, St }) => ({ member_id: Cid, name: Full, status: marks.decode(St) })),
    }
  },
})

const channels = codec({ email: 'MAIL', text: 'TEXT' })
const Channel = labelled('Sent by', oneOf(channels.words, 'How to write to them: by email or by text message.'))

export const message_class_registrants = endpoint({
  summary: 'Email or text everybody who is reserved or checked in for a class, each on their own.',
  aliases: [
    'text everybody in the class',
    'tell participants the class is moved',
    'email people who booked',
    'notify class',
    'tell those in the class to bring a towel',
  ],
  label: 'Message a class',
  brief: ['class_id', 'message', 'subject', 'channel'],
  approval: {
    headline: 'Message everybody in {class_id}[ on {class_id.starts_at}] by {channel}[: {message}]',
    button: 'Send message',
    consequences: [
      {
        kind: 'people',
        text: 'All reserved or checked in with an address get an e-mail[: {class_id.reserved|member|members} at most]',
        when: { channel: ['email'] },
      },
      {
        kind: 'people',
        text: 'All reserved or checked in with a number get a text[: {class_id.reserved|member|members} at most]',
        when: { channel: ['text'] },
      },
      { kind: 'irreversible', text: 'What was sent cannot be taken back' },
    ],
  },
  effect: 'adds',
  shownBy: [],
  preview: [roster, when],
  access: 'write',
  confirm: true,
  request: 'POST /staff/svc/slots/{class_id}/blast',
  input: {
    class_id: ClassId,
    channel: Channel,
    subject: labelled(
      'Subject',
      Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 150,
          pattern: '\\S',
          description: "An email's subject; the name of the class when left out. A text message has none.",
        }),
      ),
    ),
    message: labelled(
      'Message',
      Type.String({
        minLength: 1,
        maxLength: 5000,
        pattern: '\\S',
        description: 'What they will read: 5000 characters at most by email, 480 by text.',
      }),
    ),
  },
  output: {
    class_id: refTo('class', 'The class whose members were written to.'),
    channel: described(Channel, 'How they were written to.'),
    sent: Type.Integer({ description: 'How many members it was sent to.' }),
    skipped_member_ids: Type.Array(refTo('member'), {
      description: 'Registered, but without an email address or telephone number.',
    }),
  },
  csrf: headerChit,
  encode: ({ channel, subject, message }) => ({
    json: { Via: channels.encode(channel), Subject: subject, Words: message },
  }),
  decode: (answer) => {
    const { Slot, Via, Sent, Skipped } = resultOf(answer)
    return { class_id: Slot, channel: channels.decode(Via), sent: Sent, skipped_member_ids: Skipped }
  },
})

const scopes = codec({ this_class: 'ONE', this_and_future: 'ONWARD' })

export const cancel_class = endpoint({
  summary: 'Cancel a class, or it and all later ones of its series; everybody on the rosters is told.',
  aliases: [
    'call off a class',
    'teacher is sick',
    'drop the class',
    'cancel all later classes of a series',
    'the instructor is ill, no class today',
  ],
  label: 'Cancel a class',
  brief: ['class_id', 'scope'],
  approval: {
    headline: 'Cancel {class_id}[ on {class_id.starts_at}][ ({scope})]',
    button: 'Cancel[ {scope}]',
    consequences: [
      {
        kind: 'people',
        text: '[{class_id.reserved|member loses|members lose} a spot; ]all on the roster with an address are told',
        when: { scope: ['this_class'] },
      },
      {
        kind: 'people',
        text: 'All on the rosters with an address are told[; {class_id.reserved|has|have} a spot in this one]',
        when: { scope: ['this_and_future'] },
      },
      {
        kind: 'other',
        text: 'All later classes of its series are cancelled too',
        when: { scope: ['this_and_future'] },
      },
      { kind: 'other', text: 'Cancelled classes leave the schedule' },
    ],
  },
  effect: 'removes',
  shownBy: [{ read: 'get_class_roster', from: { class_id: 'class_id' } }],
  preview: [roster, when],
  access: 'write',
  confirm: true,
  request: 'POST /staff/desk/slots/{class_id}/call-off',
  input: {
    class_id: ClassId,
    scope: labelled(
      'Which classes',
      defaulted(
        oneOf(scopes.words, 'this_class: this one alone. this_and_future: it and all later classes of its series.'),
        'this_class',
      ),
    ),
  },
  output: {
    class_id: refTo('class', 'The class that you asked to cancel.'),
    cancelled_class_ids: Type.Array(refTo('class'), { description: 'All classes that were cancelled, in order.' }),
    messages_sent: Type.Integer({ description: 'One for each place on a roster; who left no address is not told.' }),
  },
  answer: 'redirect',
  encode: ({ scope }) => ({ form: { Scope: scopes.encode(scope) } }),
  decode: (_answer, { input, location }) => {
    const page = `staff/desk/slots/${encodeURIComponent(input.class_id)}`
    const { query } = ledTo(location, page, { done: 'call-off' })
    const cancelled = query.getAll('slot')
    if (!cancelled.some((one) => plain(one) === plain(input.class_id)))
      throw new UnknownShape('not among those that were cancelled')
    return {
      class_id: input.class_id,
      cancelled_class_ids: cancelled,
      messages_sent: number(query.get('told')),
    }
  },
})
