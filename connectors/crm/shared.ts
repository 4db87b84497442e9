import { Type } from 'typebox'
import { codec } from '../kit/codec.ts'
import { labelled } from '../kit/declared.ts'
import { InputRejected } from '../kit/failures.ts'
import { id } from '../kit/inputs.ts'
import { UnknownShape, fields, rows, text } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'

export const ProjectId = labelled('Project', id('project', 'Which project: project_id from list_projects.'))
export const FormId = labelled('Form', id('form', 'Which form: form_id from list_forms or get_project.'))
export const InvoiceId = labelled(
  'Invoice',
  id('invoice', 'Which invoice: invoice_id from list_invoices or get_project.'),
)

export const formType = codec({
  proposal: 'PROPOSAL',
  contract: 'CONTRACT',
  questionnaire: 'SURVEY',
  sub_agreement: 'RIDER',
  lead_capture: 'INTAKE',
})
export const FormType = labelled(
  'Kind',
  Type.Enum(formType.words, {
    type: 'string',
    description: 'What kind of form it is; lead_capture is what leads fill in, and lives on your website only.',
  }),
)

export const formStatus = codec({
  unsent: 'UNSENT',
  sent: 'OUT',
  viewed: 'SEEN',
  action_required: 'COUNTERSIGN',
  completed: 'DONE',
})
export const FormStatus = labelled(
  'Status',
  Type.Enum(formStatus.words, {
    type: 'string',
    description: 'viewed: the client opened it; action_required: a contract that waits for your countersignature.',
  }),
)

export const category = codec({ lead: 'INQUIRY', job: 'BOOKED' })
export const Category = Type.Enum(category.words, {
  type: 'string',
  description: 'Whether it is still a lead or a booked job.',
})

/** Without this filter the app returns all kinds. */
export function kindsOf(type: (typeof formType.words)[number] | 'all'): readonly string[] | undefined {
  return type === 'all' ? undefined : [formType.encode(type)]
}

/** The id of the account's stage or package with this name, from the app's start data. */
export function named(before: Fields, list: 'stages' | 'packages', name: string): string {
  const all = rows(fields(before['studio'])[list])
  const found = all.find(({ label }) => label === name)
  if (found) return text(found['id'])
  const names = all.map(({ label }) => `"${text(label)}"`).join(', ')
  const [code, noun] = list === 'stages' ? ['STAGE_NOT_FOUND', 'status'] : ['PACKAGE_NOT_FOUND', 'package']
  throw new InputRejected(code, `The account has no ${noun} named "${name}". It has: ${names}.`)
}

/** Converts a timestamp with the account's UTC offset into UTC. */
export function instant(value: unknown): string {
  const at = new Date(text(value))
  if (Number.isNaN(at.getTime())) throw new UnknownShape('not a moment')
  return at.toISOString().replace('.000Z', 'Z')
}

export function nullableInstant(value: unknown): string | null {
  return value === null ? null : instant(value)
}

/** The app writes a day as its local midnight; only the date as written counts. */
export function dayOf(value: unknown): string | null {
  return value === null ? null : text(value).slice(0, 10)
}

/** A day as UTC midnight, as the app takes it; only the date counts. */
export function midnight(day: string): string {
  return `${day}T00:00:00Z`
}
