import { Type } from 'typebox'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { defaulted, refTo } from '../kit/inputs.ts'
import { ledTo } from '../kit/location.ts'
import { member, place, visit, when } from './previews.ts'
import { ClassId, MemberId, marks } from './shared.ts'

const Place = { class_id: ClassId, member_id: MemberId }
const rosterOrMember = [
  { read: 'get_class_roster', from: { class_id: 'class_id' } },
  { read: 'get_member', from: { member_id: 'member_id' } },
]
const Placed = {
  class_id: refTo('class', 'The class whose roster was changed.'),
  member_id: refTo('member', 'The member whose place on the roster was changed.'),
}

/** The outcome of a form, from its redirect to the class's roster. */
function changed(location: string, class_id: string, done: string): URLSearchParams {
  return ledTo(location, `staff/desk/slots/${encodeURIComponent(class_id)}`, { done }).query
}

function listed(location: string, class_id: string, done: string) {
  const query = changed(location, class_id, done)
  return { class_id, member_id: query.get('cid'), status: marks.decode(query.get('st')) }
}

export const book_class_reservation = endpoint({
  summary: 'Reserve a spot in a class that is ahead for a member whose plan allows it.',
  aliases: [
    'sign a member up for a class',
    'reserve a spot',
    'put somebody into yoga',
    'book a class',
    'get her a place in pilates',
    'put him down for spin',
  ],
  label: 'Reserve a spot',
  brief: ['member_id', 'class_id'],
  approval: {
    headline: 'Reserve a spot for {member_id} in {class_id}[ on {class_id.starts_at}]',
    button: 'Reserve spot',
    consequences: [
      { kind: 'other', text: 'Takes a spot on the roster[, where {class_id.reserved|is|are} taken]; nobody is told' },
    ],
  },
  effect: 'adds',
  shownBy: rosterOrMember,
  preview: [member, when],
  verify: {
    read: 'get_class_roster',
    from: { class_id: 'class_id' },
    at: 'members',
    same: { member_id: 'member_id' },
    is: { status: ['reserved', 'checked_in'] },
  },
  access: 'write',
  request: 'POST /staff/desk/slots/{class_id}/book',
  input: Place,
  output: {
    ...Placed,
    status: Type.Literal('reserved', { description: 'Always reserved: they have a spot in the class now.' }),
  },
  answer: 'redirect',
  encode: ({ member_id }) => ({ form: { Cid: member_id } }),
  decode: (_answer, { input, location }) => listed(location, input.class_id, 'book'),
})

export const check_in_member = endpoint({
  summary: 'Check a member in for a class until its day is over, with or without a reservation.',
  aliases: ['mark as present', 'member arrived', 'check somebody in', 'attendance', 'she is here', 'he just walked in'],
  label: 'Check a member in',
  brief: ['member_id', 'class_id', 'override'],
  approval: {
    headline: 'Check in {member_id} for {class_id}[ on {class_id.starts_at}]',
    button: 'Check in',
    consequences: [
      {
        kind: 'money',
        text: 'They get in even without a spot or plan; no visit is charged without a reservation',
        when: { override: [true] },
      },
      {
        kind: 'other',
        text: 'They get in only with a reservation, or with a free spot and a plan that allows it',
        when: { override: [false] },
      },
      { kind: 'other', text: 'The roster shows them as present; nobody is told' },
    ],
  },
  effect: 'changes',
  shownBy: rosterOrMember,
  preview: [member, when],
  access: 'write',
  request: 'POST /staff/desk/slots/{class_id}/arrive',
  input: {
    ...Place,
    override: labelled(
      'Override',
      defaulted(
        Type.Boolean({
          description:
            'true: also when no spot is left or no plan allows it; without a reservation no visit is charged.',
        }),
        false,
      ),
    ),
  },
  output: {
    ...Placed,
    status: Type.Literal('checked_in', { description: 'Always checked_in: the app has them down as present.' }),
  },
  answer: 'redirect',
  encode: ({ member_id, override }) => ({ form: { Cid: member_id, Anyway: override ? '1' : '0' } }),
  decode: (_answer, { input, location }) => listed(location, input.class_id, 'arrive'),
})

export const remove_reservation = endpoint({
  summary:
    "Take a member's reservation or check-in off a class; plan and billing stay, and a freed spot goes to the waitlist.",
  aliases: [
    'take somebody off the class',
    "cancel a member's spot",
    'member cannot come',
    'unbook',
    'undo a check-in',
    'she cannot make it, free her spot',
    'take him off the list',
  ],
  label: 'Remove a reservation',
  brief: ['member_id', 'class_id'],
  approval: {
    headline: 'Remove {member_id} from {class_id}[ on {class_id.date}]',
    button: 'Remove from class',
    consequences: [
      { kind: 'people', text: 'A spot that this frees goes to the waitlist; who gets it is told' },
      { kind: 'money', text: 'Plan and billing stay as they are' },
      { kind: 'other', text: '[The roster shows them as {member_id.status} now]' },
    ],
  },
  effect: 'removes',
  shownBy: rosterOrMember,
  preview: [place, visit],
  access: 'write',
  confirm: true,
  request: 'POST /staff/desk/slots/{class_id}/strike',
  input: Place,
  output: {
    ...Placed,
    status: Type.Literal('none', { description: 'Always none: they are no longer on the roster.' }),
    removed: Type.Enum(['reserved', 'checked_in'], { type: 'string', description: 'What they were before.' }),
    moved_up_member_id: Type.Union([refTo('member'), Type.Null()], {
      description: 'Who got the spot from the waitlist, and was told; null when nobody did.',
    }),
  },
  answer: 'redirect',
  encode: ({ member_id }) => ({ form: { Cid: member_id } }),
  decode: (_answer, { input, location }) => {
    const query = changed(location, input.class_id, 'strike')
    return {
      class_id: input.class_id,
      member_id: query.get('cid'),
      status: 'none',
      removed: marks.decode(query.get('was')),
      moved_up_member_id: query.get('moved'),
    }
  },
})
